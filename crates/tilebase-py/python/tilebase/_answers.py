"""Answers and reports: frozen dataclasses that can be pickled and compared, and be rows of a pandas table.

Comparisons and hashes ignore the nodes and the time of a search.
"""

from __future__ import annotations

import dataclasses
import html
import itertools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from . import _tilebase
from ._errors import ArgumentError
from ._tilebase import Board, Goal

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pandas


def _counted(count: int | None, metric: str) -> str:
    """A number of moves, or of slides where these count."""
    noun = {"stm": "move", "mtm": "slide"}[metric]
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _plain(value: object) -> Any:
    """Converts a value for JSON."""
    if isinstance(value, (Board, Goal)):
        return str(value.board if isinstance(value, Goal) else value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {
            field.name: _plain(getattr(value, field.name)) for field in dataclasses.fields(value)
        }
    if isinstance(value, (tuple, list)):
        return [_plain(item) for item in value]
    return value


_R = TypeVar("_R", bound="_Record")


class _Record:
    """The base of all answers and reports."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """Returns the fields by their names, with boards and goals as texts, for JSON."""
        plain: dict[str, Any] = _plain(self)
        return plain


@dataclass(frozen=True, repr=False)
class Answer(_Record):
    """The answer for one board.

    Lengths, bounds and estimates are in moves, `seconds` in seconds. A field without a value is
    None. `generated`, `expanded` and `seconds`, which differ from one search to the next, are not
    compared.

    - `board`: The `Board`; None if it could not be read.
    - `status`: "optimal": `moves` are a shortest solution. "solved": `moves` are a solution, not
      proved to be a shortest one. "limit": a limit ended the search. "unsolvable": the board has no
      solution. "invalid": the object is no board. "failed": there is no heuristic for the board.
      The last two come only from `solve_many` with `invalid="answer"`.
    - `length`: The number of moves.
    - `moves`: The moves: a letter of "URDL" for the direction of each tile that moves. Where slides count, each
      is a letter and the number of its tiles, such as "R2 L".
    - `lower_bound`: A lower bound of the number of moves of every solution.
    - `optimum`: The length of a shortest solution, if it is proved: that of optimal `moves`. Tables in
      the folder may prove it for longer `moves` that a learned heuristic found.
    - `initial_estimate`: The heuristic's estimate for the board, in moves.
    - `generated`: Nodes with an estimate.
    - `expanded`: Nodes whose children were generated.
    - `seconds`: Duration of the search, in seconds.
    - `spec`: The spec or heuristic of the search.
    - `goal`: The goal.
    - `metric`: What counts as one move in lengths and bounds: "stm", each tile that moves; or "mtm", a slide of
      one or more tiles of a line.
    - `limit`: The limit that ended the search: "time", "nodes", "memory" or "interrupt".
    - `reason`: The reason why the board is unsolvable, and the named goals that it can reach.
    - `tables_checked`: False if tables were trusted, so that they may be damaged.
    - `text`: The text or object that is not a board.
    - `error`: The problem with it.
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
    metric: Literal["stm", "mtm"] = "stm"
    limit: str | None = None
    reason: str | None = None
    tables_checked: bool | None = None
    text: str | None = None
    error: str | None = None

    @property
    def is_solved(self) -> bool:
        """Whether there is a solution."""
        return self.moves is not None

    def boards(self) -> list[Board]:
        """Returns the boards along the solution: that of the answer, and the one after each move.

        >>> solver = Solver(Tables.open("manhattan"))
        >>> solver.solve("1 2 3/4 5 6/0 7 8").boards()
        [Board('1 2 3/4 5 6/0 7 8'), Board('1 2 3/4 5 6/7 0 8'), Board('1 2 3/4 5 6/7 8 0')]
        """
        board, moves = self._solution()
        each = moves if self.metric == "stm" else moves.split()
        return list(itertools.accumulate(each, Board.after, initial=board))

    def film(self, *, colours: str = "plain", moves_a_second: float = 3.0) -> str:
        """Draws the solution, move by move, as SVG that plays by itself."""
        board, moves = self._solution()
        return _tilebase.film_svg(board, self.goal, moves, colours, self._caption(), moves_a_second)

    def _solution(self) -> tuple[Board, str]:
        if self.board is None or self.moves is None:
            raise ArgumentError(f"expected an answer with moves, found one that is {self.status!r}")
        return self.board, self.moves

    def _caption(self) -> str:
        if self.lower_bound is None:
            return self.status
        words = _tilebase.length_words(self.metric, self.length, self.lower_bound, self.optimum)
        return words if self.is_solved else f"stopped by {self.limit}; {words}"

    def __repr__(self) -> str:
        of = self.error if self.board is None else self.board
        return f"<Answer: {self._caption()}: {of}>"

    def _repr_svg_(self) -> str | None:
        if self.board is None:
            return None
        return _tilebase.board_svg(self.board, self.goal, "plain", True, self._caption())


def answer_of(record: dict[str, Any]) -> Answer:
    """Makes an answer of the object that the command line prints for it."""
    goals = record.pop("solvable_with", None)
    if goals:
        record["reason"] += f"; solvable with goal {' or '.join(goals)}"
    return Answer(**record)


def made(kind: type[_R], record: dict[str, Any], **own: Any) -> _R:
    """Makes an object of the record of the command line; `own` fields are not taken from there."""
    names = {of.name for of in dataclasses.fields(kind)}  # type: ignore[arg-type]
    return kind(**{name: value for name, value in record.items() if name in names} | own)


@dataclass(frozen=True)
class Move(_Record):
    """A move of a board, and the distance after it.

    - `move`: The direction of the tile; with the number of tiles, such as "R2", if it is a slide of several.
    - `tile`: The tile that moves, in a slide the one that is farthest from the blank.
    - `distance`: The distance of the board after the move; None if a limit ended its search.
    - `optimal`: Whether a shortest solution begins with the move.
    """

    move: str
    tile: int
    distance: int | None
    optimal: bool | None


@dataclass(frozen=True)
class Moves(_Record):
    """The distance after each legal move of a board.

    - `answer`: The answer for the board itself.
    - `moves`: The legal moves, those with the smallest distance first.
    - `generated`: Nodes generated for the board and its neighbours; not compared.
    - `seconds`: Duration of all searches, in seconds; not compared.
    - `limit`: The limit that ended a search.
    """

    answer: Answer
    moves: tuple[Move, ...]
    generated: int = field(compare=False)
    seconds: float = field(compare=False)
    limit: str | None = None

    @property
    def distance(self) -> int | None:
        """The distance of the board from the goal."""
        return self.answer.length if self.answer.status == "optimal" else None

    @property
    def best(self) -> str:
        """The optimal moves, one letter each; slides have spaces between them, such as "R2 L"."""
        between = "" if self.answer.metric == "stm" else " "
        return between.join(move.move for move in self.moves if move.optimal)


@dataclass(frozen=True)
class SolutionCount(_Record):
    """The number of solutions of one length.

    - `length`: The length, in moves.
    - `count`: The number of solutions found.
    - `complete`: Whether these are all.
    """

    length: int
    count: int
    complete: bool


@dataclass(frozen=True)
class Solutions(_Record):
    """The solutions of a board: their number, and the listed ones.

    - `answer`: The answer for the board itself.
    - `lengths`: The number of solutions of each length, the shortest first.
    - `listed`: The moves of each listed solution, the shorter ones first.
    - `complete`: Whether the search ended without a limit.
    - `generated`: Nodes generated; not compared.
    - `seconds`: Duration, in seconds; not compared.
    - `limit`: The limit that ended the search.
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
    """The check of given moves.

    - `answer`: The answer for the board itself.
    - `moves`: The legal moves, up to the first impossible one.
    - `legal`: Whether all moves are legal.
    - `solves`: Whether they end at the goal.
    - `length`: The number of the legal moves, of slides where these count.
    - `optimum`: The length of a shortest solution.
    - `optimal`: Whether the moves are a shortest solution.
    - `leaves_optimum_at`: The number of the first move that is on no shortest solution, from 1.
    - `end`: The board after the legal moves.
    - `illegal`: The problem with the first impossible move.
    - `legal_reversed`: Whether all moves are legal if the letters name the blank's directions.
    - `solves_reversed`: Whether the moves solve the board then.
    - `limit`: The limit that ended a search.
    """

    answer: Answer
    moves: str
    legal: bool
    solves: bool
    length: int
    optimum: int | None
    optimal: bool | None
    leaves_optimum_at: int | None
    end: Board
    illegal: str | None = None
    legal_reversed: bool = False
    solves_reversed: bool = False
    limit: str | None = None

    @property
    def excess(self) -> int | None:
        """The number of moves beyond a shortest solution; None if they do not solve the board, or it is unknown."""
        return self.length - self.optimum if self.solves and self.optimum is not None else None


@dataclass(frozen=True, repr=False)
class Explanation(_Record):
    """The explanation of a board, without a search. A notebook shows the board and the estimates.

    - `board`: The board.
    - `goal`: The goal.
    - `metric`: What counts as one move in bounds and estimates, as in an `Answer`.
    - `lower_bound`: A lower bound of the number of moves; None without a solution.
    - `estimates`: The estimate of each heuristic, in moves, the smallest first.
    - `record`: The estimates part by part: the object of `tilebase explain --format json`.
    """

    board: Board
    goal: Board
    metric: Literal["stm", "mtm"]
    lower_bound: int | None
    estimates: dict[str, int]
    record: dict[str, Any]

    # Dictionaries have no hash.
    __hash__ = None  # type: ignore[assignment]

    @property
    def is_solvable(self) -> bool:
        """Whether the board has a solution."""
        return self.lower_bound is not None

    def _caption(self) -> str:
        return f"at least {_counted(self.lower_bound, self.metric)}" if self.is_solvable else "unsolvable"

    def __repr__(self) -> str:
        return f"<Explanation: {self._caption()}: {self.board}>"

    def _repr_svg_(self) -> str:
        return _tilebase.board_svg(self.board, Goal(self.goal), "plain", True, self._caption())

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{html.escape(name)}</td><td>{estimate}</td></tr>"
            for name, estimate in self.estimates.items()
        )
        return f"{self._repr_svg_()}<table><tr><th>heuristic</th><th>estimate</th></tr>{rows}</table>"


@dataclass(frozen=True)
class Totals(_Record):
    """The cost of the searches of many boards.

    - `boards`: Boards searched.
    - `generated`: Nodes generated.
    - `lookups`: Look-ups into tables.
    - `seconds`: Time from the first board to the last answer, in seconds.
    """

    boards: int
    generated: int
    lookups: int
    seconds: float


@dataclass(frozen=True)
class TableReport(_Record):
    """The header of a table.

    - `table`: The name of the file.
    - `description`: A description in one line.
    - `format_version`: The version of the format.
    - `packing`: The packing of the entries.
    - `rows`, `cols`: Rows and columns of the board; None for Walking Distance.
    - `homes`: The home cells of the pattern's tiles, from 0, row by row.
    - `entry_count`: Number of entries.
    - `unreached_count`: Number of entries that no board reaches.
    - `file_bytes`: Size of the file in bytes.
    - `histogram`: Number of entries of each value, from 0 on.
    - `digest`: BLAKE3 of the file, as 64 hexadecimal digits.
    - `payload_digest`: BLAKE3 of the entries.
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
    """The report of a build of a table.

    - `table`: The name of the file.
    - `path`: The path of the file.
    - `already_there`: Whether the table existed and was not built.
    - `entry_count`: Number of entries.
    - `file_bytes`: Size of the file in bytes.
    - `seconds`: Duration of the build, in seconds; not compared.
    """

    table: str
    path: str
    already_there: bool
    entry_count: int
    file_bytes: int
    seconds: float = field(compare=False)


@dataclass(frozen=True)
class VerifyReport(_Record):
    """The report of a verification of a table.

    - `path`: The path of the file.
    - `level`: The highest level that ran.
    - `findings`: The problems, one per line; empty for a good table.
    """

    path: str
    level: str
    findings: tuple[str, ...]

    @property
    def is_good(self) -> bool:
        """Whether there are no findings."""
        return not self.findings


class AnswerArrays(NamedTuple):
    """The answers of many boards, one item per board in each array, in the order of the boards.

    - `statuses`: `str [n]`: `Answer.status`.
    - `lengths`: `int16 [n]`: the number of moves; -1 without a solution.
    - `lower_bounds`: `int16 [n]`: a lower bound of the number of moves; -1 without a bound.
    - `generated`: `int64 [n]`: nodes with an estimate.
    - `expanded`: `int64 [n]`: nodes whose children were generated.
    - `seconds`: `float64 [n]`: duration of the search of the board, beside those of other boards, in
      seconds.
    """

    statuses: npt.NDArray[np.str_]
    lengths: npt.NDArray[np.int16]
    lower_bounds: npt.NDArray[np.int16]
    generated: npt.NDArray[np.int64]
    expanded: npt.NDArray[np.int64]
    seconds: npt.NDArray[np.float64]


def to_frame(answers: Iterable[_Record] | AnswerArrays) -> pandas.DataFrame:
    """Makes a pandas DataFrame with one row per answer, and boards as texts.

    The columns of `AnswerArrays` have the names of the fields of `Answer`. Integers that may be missing, such as the length of a board without a solution, have the type
    "Int64" of pandas. `pandas.DataFrame(answers)` works on lists of answers too; it keeps boards as
    objects, and turns such integers into floats.
    """
    import pandas

    if isinstance(answers, AnswerArrays):
        names = ("status", "length", "lower_bound", "generated", "expanded", "seconds")
        frame = pandas.DataFrame(dict(zip(names, answers, strict=True)))
        # -1 stands for a missing number.
        return frame.astype({name: "Int64" for name in names[1:-1]}).replace(-1, pandas.NA)
    answers = list(answers)
    frame = pandas.DataFrame.from_records([answer.to_dict() for answer in answers])
    # With postponed annotations, a field's type is a text.
    numbers = {
        of.name for kind in {type(answer) for answer in answers}
        for of in dataclasses.fields(kind) if of.type == "int | None"  # type: ignore[arg-type]
    }  # fmt: skip
    return frame.astype({name: "Int64" for name in frame.columns if name in numbers})
