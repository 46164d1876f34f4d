"""What is answered: frozen dataclasses, which pickle, compare and go into pandas as they are.

Two answers are equal, and have one hash, where they say the same: the nodes and the time that they took
are not compared.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _tilebase
from ._errors import ArgumentError
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


@dataclass(frozen=True, repr=False)
class Answer(_Record):
    """What became of a board.

    Lengths, bounds and estimates are in moves, `seconds` in seconds. A field is None where there is
    nothing to say. Two answers are equal where they say the same of a board: `generated`,
    `expanded` and `seconds`, which differ from one search to the next, are not compared.

    - `board`: The `Board`; None where there was none to read.
    - `status`: "optimal": `moves` solve it and no fewer do. "solved": they solve it, which is all
      that is proved but for `lower_bound`. "limit": a limit ended the search. "unsolvable": no
      moves lead to the goal. "invalid" and "failed", from `solve_many` with `invalid="answer"`
      alone: no board, nothing to search it with.
    - `length`: The number of moves.
    - `moves`: The moves: a letter of "URDL" for the direction of each tile that moves.
    - `lower_bound`: No solution has fewer moves.
    - `optimum`: The fewest moves, where a learned heuristic found `moves` and tables that are there
      told it.
    - `initial_estimate`: The heuristic's estimate for the board, in moves.
    - `generated`: Nodes whose estimate was asked for.
    - `expanded`: Nodes whose children were asked for.
    - `seconds`: How long the search took, in seconds.
    - `spec`: The spec or heuristic that was searched with.
    - `goal`: The goal.
    - `limit`: What ended the search early: "time", "nodes", "memory" or "interrupt".
    - `reason`: Why the board is unsolvable, and the goals with names that it can be solved with.
    - `tables_checked`: False where tables were trusted, so that they may be damaged.
    - `text`: What stood where a board was expected.
    - `error`: What is wrong with it.
    """

    board: Board | None
    status: Literal["optimal", "solved", "limit", "unsolvable", "invalid", "failed"]
    length: int | None = None
    moves: str | None = None
    lower_bound: int | None = None
    optimum: int | None = None
    initial_estimate: int | None = None
    generated: int | None = field(default=None, compare=False)
    expanded: int | None = field(default=None, compare=False)
    seconds: float | None = field(default=None, compare=False)
    spec: str | None = None
    goal: Goal | None = None
    limit: str | None = None
    reason: str | None = None
    tables_checked: bool | None = None
    text: str | None = None
    error: str | None = None

    @property
    def is_solved(self) -> bool:
        """Whether there are moves."""
        return self.moves is not None

    def film(self, *, colours: str = "rows", moves_a_second: float = 3.0) -> str:
        """The solution, move by move, as SVG that plays by itself."""
        if self.board is None or self.moves is None:
            raise ArgumentError(f"expected an answer with moves, found one that is {self.status!r}")
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

    def __repr__(self) -> str:
        of = self.error if self.board is None else self.board
        return f"<Answer: {self._caption()}: {of}>"

    def _repr_svg_(self) -> str | None:
        if self.board is None:
            return None
        return _tilebase.board_svg(self.board, self.goal, "rows", True, self._caption())


@dataclass(frozen=True)
class Move(_Record):
    """A move of a board, and what it is worth.

    - `move`: The direction of the tile.
    - `tile`: The tile that moves.
    - `distance`: The fewest moves to the goal after it; None where a limit came before it was
      known.
    - `optimal`: Whether a shortest solution begins with it.
    """

    move: str
    tile: int
    distance: int | None
    optimal: bool | None


@dataclass(frozen=True)
class Moves(_Record):
    """What each legal move of a board is worth.

    - `answer`: What became of the board itself.
    - `moves`: The legal moves, those with the smallest distance first.
    - `generated`: Nodes generated for the board and its neighbours.
    - `seconds`: How long all of it took, in seconds.
    - `limit`: What ended the search before all was known.

    `generated` and `seconds` are not compared.
    """

    answer: Answer
    moves: tuple[Move, ...]
    generated: int = field(compare=False)
    seconds: float = field(compare=False)
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
    """How many solutions of one length a board has.

    - `length`: Their number of moves.
    - `count`: How many were found.
    - `complete`: Whether these are all.
    """

    length: int
    count: int
    complete: bool


@dataclass(frozen=True)
class Solutions(_Record):
    """The solutions of a board: their number, and those that were listed.

    - `answer`: What became of the board itself.
    - `lengths`: How many there are of each length, the shortest first.
    - `listed`: The moves of each solution that was listed, the shorter ones first.
    - `complete`: Whether all that was asked for is there.
    - `generated`: Nodes generated.
    - `seconds`: How long it took, in seconds.
    - `limit`: What ended the search early.

    `generated` and `seconds` are not compared.
    """

    answer: Answer
    lengths: tuple[SolutionCount, ...]
    listed: tuple[str, ...]
    complete: bool
    generated: int = field(compare=False)
    seconds: float = field(compare=False)
    limit: str | None = None

    @property
    def count(self) -> int:
        """The solutions of all these lengths together."""
        return sum(of_length.count for of_length in self.lengths)


@dataclass(frozen=True)
class Check(_Record):
    """What is to be said of moves that somebody else found.

    - `answer`: What became of the board itself.
    - `moves`: The moves that are legal.
    - `legal`: Whether all are.
    - `solves`: Whether they end at the goal.
    - `optimum`: The fewest moves that solve the board.
    - `optimal`: Whether the moves are a shortest solution.
    - `leaves_optimum_at`: The number of the first move that is on no shortest solution, from 1.
    - `end`: The board after the legal moves.
    - `illegal`: What is wrong with the first impossible move.
    - `limit`: What ended the search before all was known.
    """

    answer: Answer
    moves: str
    legal: bool
    solves: bool
    optimum: int | None
    optimal: bool | None
    leaves_optimum_at: int | None
    end: Board
    illegal: str | None = None
    limit: str | None = None


@dataclass(frozen=True)
class Explanation(_Record):
    """What can be said of a board without a search.

    - `board`: The board.
    - `goal`: The goal.
    - `lower_bound`: No solution has fewer moves; None where there is none.
    - `estimates`: The estimate of each heuristic, in moves, the smallest first.
    - `record`: All of it, part by part: the object of `tilebase explain --format json`.
    """

    board: Board
    goal: Board
    lower_bound: int | None
    estimates: dict[str, int]
    record: dict[str, Any]

    # It holds dictionaries, which have no hash.
    __hash__ = None  # type: ignore[assignment]

    @property
    def is_solvable(self) -> bool:
        """Whether moves lead to the goal."""
        return self.lower_bound is not None


@dataclass(frozen=True)
class Totals(_Record):
    """What the searches of many boards took together.

    - `boards`: Boards that were searched.
    - `generated`: Nodes generated.
    - `lookups`: Look-ups into tables.
    - `seconds`: By the clock, from the first board to the last answer, in seconds.
    """

    boards: int
    generated: int
    lookups: int
    seconds: float


@dataclass(frozen=True)
class TableReport(_Record):
    """What the header of a table says.

    - `table`: The name of its file.
    - `description`: One line that says what it is.
    - `format_version`: The version of the format.
    - `packing`: How entries are packed.
    - `rows`, `cols`: Rows and columns of the board; None for Walking Distance.
    - `homes`: The home cells of the pattern's tiles, from 0, row by row.
    - `entry_count`: Entries.
    - `unreached_count`: Entries that no board looks up.
    - `file_bytes`: Bytes of the file.
    - `histogram`: Entries of each value, from 0 on.
    - `digest`: BLAKE3 of all, as 64 hexadecimal digits.
    - `payload_digest`: That of the entries alone.
    """

    table: str
    description: str
    format_version: int
    packing: str
    rows: int | None
    cols: int | None
    homes: tuple[int, ...]
    entry_count: int
    unreached_count: int
    file_bytes: int
    histogram: tuple[int, ...]
    digest: str
    payload_digest: str


@dataclass(frozen=True)
class BuildReport(_Record):
    """What became of a table that was to be built.

    - `table`: The name of its file.
    - `path`: The file.
    - `already_there`: Whether it was there before, and was left alone.
    - `entry_count`: Entries.
    - `file_bytes`: Bytes of the file.
    - `seconds`: How long it took, in seconds; it is not compared.
    """

    table: str
    path: str
    already_there: bool
    entry_count: int
    file_bytes: int
    seconds: float = field(compare=False)


@dataclass(frozen=True)
class VerifyReport(_Record):
    """What verifying a table showed.

    - `path`: The file.
    - `level`: The highest level that ran.
    - `findings`: What is wrong, a line each; nothing in a good table.
    """

    path: str
    level: str
    findings: tuple[str, ...]

    @property
    def is_good(self) -> bool:
        """Whether nothing was found."""
        return not self.findings


class AnswerArrays(NamedTuple):
    """The answers of many boards, an item of each array for each board, in the order of the boards.

    - `statuses`: `str [n]`: `Answer.status`.
    - `lengths`: `int16 [n]`: the number of moves; -1 where there is no solution, or none was found.
    - `lower_bounds`: `int16 [n]`: no solution has fewer moves; -1 where there is no bound.
    - `generated`: `int64 [n]`: nodes whose estimate was asked for.
    - `expanded`: `int64 [n]`: nodes whose children were asked for.
    - `seconds`: `float64 [n]`: how long the search of the board took, in seconds, beside those of
      other boards.
    """

    statuses: npt.NDArray[np.str_]
    lengths: npt.NDArray[np.int16]
    lower_bounds: npt.NDArray[np.int16]
    generated: npt.NDArray[np.int64]
    expanded: npt.NDArray[np.int64]
    seconds: npt.NDArray[np.float64]


def to_frame(answers: Iterable[_Record]) -> pandas.DataFrame:
    """A pandas DataFrame with a row for each answer, and boards as texts.

    Integers that may be missing, such as the length of a board without a solution, have the type
    "Int64" of pandas. `pandas.DataFrame(answers)` works on lists of answers too; it keeps boards as
    objects, and makes floats of such integers.
    """
    import pandas

    answers = list(answers)
    frame = pandas.DataFrame.from_records([answer.to_dict() for answer in answers])
    # With postponed annotations, a field's type is a text.
    numbers = {
        of.name for kind in {type(answer) for answer in answers}
        for of in dataclasses.fields(kind) if of.type == "int | None"  # type: ignore[arg-type]
    }  # fmt: skip
    return frame.astype({name: "Int64" for name in frame.columns if name in numbers})
