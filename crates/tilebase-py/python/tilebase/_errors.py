"""Exceptions.

The package's own exceptions are `TilebaseError`s. An argument is a `TypeError` if no object of its type can be right,
and otherwise one of these that is a `ValueError`; the items of a list are part of its value. A name or a path with
characters that are not Unicode is a `UnicodeEncodeError`, which is a `ValueError`. Exceptions of the caller's functions
pass through unchanged.
"""

from __future__ import annotations


class TilebaseError(Exception):
    """Base of all errors of the package; the message says what was expected and what was found."""


class ArgumentError(TilebaseError, ValueError):
    """An argument out of its range, or an unknown word."""


class BoardError(TilebaseError, ValueError):
    """An object that is not a board, or a board that does not fit the goal or the tables.

    `row` is its index among several boards, from 0, or None.
    """

    row: int | None

    def __init__(self, message: str, row: int | None = None) -> None:
        super().__init__(message)
        self.row = row

    def __reduce__(self) -> tuple[type[BoardError], tuple[str, int | None]]:
        return (type(self), (str(self), self.row))


class MovesError(TilebaseError, ValueError):
    """A text that is no list of moves, or moves that a board does not allow."""


class UnsolvableError(BoardError):
    """A board without a solution, which has no estimate and no model."""


class SpecError(TilebaseError, ValueError):
    """An unknown spec, heuristic, search or goal."""


class FileError(TilebaseError, OSError):
    """A file that the caller names and that cannot be read or written."""


class TableError(TilebaseError):
    """Tables that cannot be opened or built, or are closed."""


class MissingTableError(TableError, FileNotFoundError):
    """A missing table that may not be built."""


class DamagedTableError(TableError):
    """A table whose bytes differ from those of its build."""


class LimitError(TilebaseError):
    """Too little memory or disk, or a number beyond 64 bits."""


class CancelledError(TilebaseError):
    """Work without an answer that a `Cancel` or the end of the tables has ended."""


class ModelError(TilebaseError, ValueError):
    """An integer program that cannot be written, or values that do not solve it."""
