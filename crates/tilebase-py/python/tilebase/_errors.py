"""Exceptions.

What the package raises by itself is a `TilebaseError`. As everywhere in Python, an argument of a wrong type
is a `TypeError`, and a name or a path with characters that are no Unicode a `UnicodeEncodeError`, which is a
`ValueError`. What functions of the caller raise comes out as it is.
"""

from __future__ import annotations


class TilebaseError(Exception):
    """Something cannot be done; the message says what was expected and what was found."""


class ArgumentError(TilebaseError, ValueError):
    """An argument out of its range, or none of the words that it may be."""


class BoardError(TilebaseError, ValueError):
    """What is no board, or does not fit goal or tables.

    `row` is its place among several boards, from 0, or None.
    """

    row: int | None

    def __init__(self, message: str, row: int | None = None) -> None:
        super().__init__(message)
        self.row = row

    def __reduce__(self) -> tuple[type[BoardError], tuple[str, int | None]]:
        return (type(self), (str(self), self.row))


class UnsolvableError(BoardError):
    """A board from which no moves lead to the goal, where an estimate or a model of it is asked for."""


class SpecError(TilebaseError, ValueError):
    """No spec, heuristic, search or goal."""


class FileError(TilebaseError, OSError):
    """A file that the caller names and that cannot be read."""


class TableError(TilebaseError):
    """Tables that cannot be opened or built, or are closed."""


class MissingTableError(TableError, FileNotFoundError):
    """A table that is not there and may not be built."""


class DamagedTableError(TableError):
    """A table whose bytes are not those that it was built with."""


class LimitError(TilebaseError):
    """More than there is room for: memory, disk, or numbers of 64 bits."""


class ModelError(TilebaseError, ValueError):
    """An integer program that cannot be written, or values that do not solve it."""
