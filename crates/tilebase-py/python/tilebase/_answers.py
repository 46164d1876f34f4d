"""What is answered: frozen dataclasses, which pickle, compare and go into pandas as they are."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from . import _tilebase
from ._tilebase import Board, Goal

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pandas


def _plain(value: object) -> Any:
    """A value of which JSON knows the kind."""
    if isinstance(value, (Board, Goal)):
        return str(value.board if isinstance(value, Goal) else value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {
            field.name: _plain(getattr(value, field.name)) for field in dataclasses.fields(value)
        }
    if isinstance(value, (tuple, list)):
        return [_plain(item) for item in value]
    return value


class _Record:
    """What all answers have."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """The fields by their names; boards and goals as texts, so that JSON can hold it."""
        plain: dict[str, Any] = _plain(self)
        return plain


@dataclass(frozen=True)
class Answer(_Record):
    """What became of a board."""

    #: The board; None where there was none to read.
    board: Board | None
    #: "optimal": `moves` solve it and no fewer do. "solved": they solve it, which is all that is proved but
    #: for `lower_bound`. "limit": a limit ended the search. "unsolvable": no moves lead to the goal.
    #: "invalid" and "failed", from `solve_many` with `invalid="answer"` alone: no board, nothing to search
    #: it with.
    status: Literal["optimal", "solved", "limit", "unsolvable", "invalid", "failed"]
    #: The number of moves.
    length: int | None = None
    #: The moves: a letter of "URDL" for the direction of each tile that moves.
    moves: str | None = None
    #: Every solution has at least so many moves.
    lower_bound: int | None = None
    #: The fewest moves, where a learned heuristic found `moves` and tables that are there told it.
    optimum: int | None = None
    #: The heuristic's estimate for the board, in moves.
    initial_estimate: int | None = None
    #: Nodes whose estimate was asked for.
    generated: int | None = None
    #: Nodes whose children were asked for.
    expanded: int | None = None
    #: How long the search took, in seconds.
    seconds: float | None = None
    #: The spec or heuristic that was searched with.
    spec: str | None = None
    #: The goal.
    goal: Goal | None = None
    #: What ended the search early: "time", "nodes", "memory" or "interrupt".
    limit: str | None = None
    #: Why the board is unsolvable.
    reason: str | None = None
    #: False where tables were trusted, so that they may be damaged.
    tables_checked: bool | None = None
    #: What stood where a board was expected.
    text: str | None = None
    #: What is wrong with it.
    error: str | None = None

    @property
    def is_solved(self) -> bool:
        """Whether there are moves."""
        return self.moves is not None

    def film(self, *, colours: str = "rows", moves_a_second: float = 3.0) -> str:
        """The solution, move by move, as SVG that plays by itself."""
        if self.board is None or self.moves is None:
            raise ValueError("there are no moves to show")
        return _tilebase.film_svg(
            self.board, self.goal, self.moves, colours, self._caption(), moves_a_second
        )

    def _caption(self) -> str:
        if self.status == "optimal":
            return f"{self.length} moves"
        if self.status == "solved":
            return f"{self.length} moves, not proven; at least {self.lower_bound}"
        if self.status == "limit":
            return f"stopped by {self.limit}; at least {self.lower_bound} moves"
        return self.status

    def _repr_svg_(self) -> str | None:
        if self.board is None:
            return None
        return _tilebase.board_svg(self.board, self.goal, "rows", True, self._caption())


@dataclass(frozen=True)
class Move(_Record):
    """A move of a board, and what it is worth."""

    #: The direction of the tile.
    move: str
    #: The tile that moves.
    tile: int
    #: The fewest moves to the goal after it; None where a limit came before it was known.
    distance: int | None
    #: Whether a shortest solution begins with it.
    optimal: bool | None


@dataclass(frozen=True)
class Moves(_Record):
    """What each legal move of a board is worth."""

    #: What became of the board itself.
    answer: Answer
    #: The legal moves, those with the smallest distance first.
    moves: tuple[Move, ...]
    #: Nodes generated for the board and its neighbours.
    generated: int
    #: How long all of it took, in seconds.
    seconds: float
    #: What ended the search before all was known.
    limit: str | None = None

    @property
    def distance(self) -> int | None:
        """The fewest moves from the board to the goal."""
        return self.answer.length if self.answer.status == "optimal" else None

    @property
    def best(self) -> str:
        """The optimal moves, a letter each."""
        return "".join(move.move for move in self.moves if move.optimal)


@dataclass(frozen=True)
class SolutionCount(_Record):
    """How many solutions of one length a board has."""

    #: Their number of moves.
    length: int
    #: How many were found.
    count: int
    #: Whether these are all.
    complete: bool


@dataclass(frozen=True)
class Solutions(_Record):
    """The solutions of a board: their number, and those that were listed."""

    #: What became of the board itself.
    answer: Answer
    #: How many there are of each length, the shortest first.
    lengths: tuple[SolutionCount, ...]
    #: The moves of each solution that was listed, the shorter ones first.
    listed: tuple[str, ...]
    #: Whether all that was asked for is there.
    complete: bool
    #: Nodes generated.
    generated: int
    #: How long it took, in seconds.
    seconds: float
    #: What ended the search early.
    limit: str | None = None

    @property
    def count(self) -> int:
        """The solutions of all these lengths together."""
        return sum(of_length.count for of_length in self.lengths)


@dataclass(frozen=True)
class Check(_Record):
    """What is to be said of moves that somebody else found."""

    #: What became of the board itself.
    answer: Answer
    #: The moves that are legal.
    moves: str
    #: Whether all are.
    legal: bool
    #: Whether they end at the goal.
    solves: bool
    #: The fewest moves that solve the board.
    optimum: int | None
    #: Whether the moves are a shortest solution.
    optimal: bool | None
    #: The number of the first move that is on no shortest solution, from 1.
    leaves_optimum_at: int | None
    #: The board after the legal moves.
    end: Board
    #: What is wrong with the first impossible move.
    illegal: str | None = None
    #: What ended the search before all was known.
    limit: str | None = None


@dataclass(frozen=True)
class Explanation(_Record):
    """What can be said of a board without a search."""

    #: The board.
    board: Board
    #: The goal.
    goal: Board
    #: No solution has fewer moves; None where there is none.
    lower_bound: int | None
    #: The estimate of each heuristic, in moves, the smallest first.
    estimates: dict[str, int]
    #: All of it, part by part: the object of `tilebase explain --format json`.
    record: dict[str, Any]

    @property
    def is_solvable(self) -> bool:
        """Whether moves lead to the goal."""
        return self.lower_bound is not None


@dataclass(frozen=True)
class Totals(_Record):
    """What the searches of many boards took together."""

    #: Boards that were searched.
    boards: int
    #: Nodes generated.
    generated: int
    #: Look-ups into tables.
    lookups: int
    #: By the clock, from the first board to the last answer, in seconds.
    seconds: float


@dataclass(frozen=True)
class TableReport(_Record):
    """What the header of a table says."""

    #: The name of its file.
    table: str
    #: One line that says what it is.
    description: str
    #: The version of the format.
    format_version: int
    #: How entries are packed.
    packing: str
    #: Rows and columns of the board; None for Walking Distance.
    rows: int | None
    cols: int | None
    #: The home cells of the pattern's tiles, from 0, row by row.
    homes: tuple[int, ...]
    #: Entries.
    entry_count: int
    #: Entries that no board looks up.
    unreached_count: int
    #: Bytes of the file.
    file_bytes: int
    #: Entries of each value, from 0 on.
    histogram: tuple[int, ...]
    #: BLAKE3 of all, as 64 hexadecimal digits.
    digest: str
    #: That of the entries alone.
    payload_digest: str


@dataclass(frozen=True)
class BuildReport(_Record):
    """What became of a table that was to be built."""

    #: The name of its file.
    table: str
    #: The file.
    path: str
    #: Whether it was there before, and was left alone.
    already_there: bool
    #: Entries.
    entry_count: int
    #: Bytes of the file.
    file_bytes: int
    #: How long it took, in seconds.
    seconds: float


@dataclass(frozen=True)
class VerifyReport(_Record):
    """What verifying a table showed."""

    #: The file.
    path: str
    #: The highest level that ran.
    level: str
    #: What is wrong, a line each; nothing in a good table.
    findings: tuple[str, ...]

    @property
    def is_good(self) -> bool:
        """Whether nothing was found."""
        return not self.findings


def to_frame(answers: Iterable[_Record]) -> pandas.DataFrame:
    """A pandas DataFrame with a row for each answer, and boards as texts.

    `pandas.DataFrame(answers)` works on lists of answers too; it keeps boards as objects.
    """
    import pandas

    return pandas.DataFrame.from_records([answer.to_dict() for answer in answers])
