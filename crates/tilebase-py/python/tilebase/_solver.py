"""Searches."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from types import TracebackType
from typing import Any, Literal

import numpy as np

from . import _tilebase
from ._answers import (
    Answer,
    AnswerArrays,
    Check,
    Move,
    Moves,
    SolutionCount,
    Solutions,
    Totals,
)
from ._arguments import MOVES_MAX, integer, seconds_of, threads_of
from ._arrays import BoardLike, BoardsLike, ShapeLike, cells_of, several, shape_of
from ._errors import ArgumentError
from ._tables import Tables
from ._tilebase import Board


class Solver:
    """Solves boards with tables.

    `time` (seconds) and `nodes` limit each board's search; `memory` (bytes) limits searches that keep boards.
    A limit that is hit is an answer with what is proved, not an exception. `threads` is by default that of the
    tables. `mode` shares out the work: as it fits, each board as soon as possible, or as many boards a second as
    possible. `search` is another search by its name: "ida" (Korf's, with the node counts of the literature),
    "astar", "weighted-astar:1.5", "greedy", "weighted-ida:2", "bidirectional" or "breadth-first"; each of
    these takes a board a thread. By default it is IDA* on all threads.

    Any number of threads may use one solver. Ctrl-C ends what it does.

    >>> solver = Solver(Tables.open("manhattan"))
    >>> answer = solver.solve("1 2 3/4 5 6/0 7 8")
    >>> answer.status, answer.moves
    ('optimal', 'LL')
    """

    def __init__(
        self,
        tables: Tables,
        *,
        search: str | None = None,
        mode: Literal["auto", "latency", "throughput"] = "auto",
        time: float | None = None,
        nodes: int | None = None,
        memory: int | None = None,
        threads: int | None = None,
    ) -> None:
        if not isinstance(tables, Tables):
            raise TypeError(f"expected Tables, as of Tables.open({tables!r}), found {tables!r}")
        time, threads = seconds_of(time), threads_of(threads)
        nodes, memory = integer("nodes", nodes), integer("memory", memory)
        self._tables = tables
        self._arguments = {
            "search": search, "mode": mode, "time": time, "nodes": nodes, "memory": memory,
            "threads": threads,
        }  # fmt: skip
        self._searching = _tilebase.Searching(mode, search, time, nodes, memory, threads)

    @property
    def tables(self) -> Tables:
        """What it looks boards up in."""
        return self._tables

    def solve(self, board: BoardLike) -> Answer:
        """Solves one board. A board without a solution is an answer, too.

        Raises `BoardError` for what is no board or has another shape than the tables.
        """
        return Answer(**self._tables._handle.solve(board, self._searching))

    def solve_many(
        self,
        boards: BoardsLike | str | os.PathLike[str],
        *,
        shape: ShapeLike | None = None,
        invalid: Literal["raise", "answer"] = "raise",
    ) -> AnswerStream:
        """Solves boards side by side; an iterator over their answers in the order of the boards.

        `boards` is an array of integers [n, cells] or [n, rows, cols], an iterable of boards, a path of a file
        with a board a line, or a word as the command line takes it: a set of boards such as "random:100:1", a
        file, or "-". Arrays and lists are checked before anything is searched; other iterables are read as
        boards are needed, on a thread of their own, so that they may be as long as they like.

        With `shape`, all boards have it; else those that do not show theirs have that of the tables. With
        `invalid="answer"`, what is no board is an answer whose status is "invalid".

        >>> solver = Solver(Tables.open("manhattan"))
        >>> [answer.length for answer in solver.solve_many(["1 2 3/4 5 6/0 7 8", "1 2 3/4 5 6/7 8 0"])]
        [2, 0]
        """
        if invalid not in ("raise", "answer"):
            raise ArgumentError(f"expected invalid='raise' or 'answer', found {invalid!r}")
        raises = invalid == "raise"
        handle = self._tables._handle
        only = None if shape is None else shape_of(shape)
        usual = handle.shape
        source: tuple[Any, Any]
        if not isinstance(boards, (str, os.PathLike)):
            boards = several(boards)
        if isinstance(boards, str):
            source = ("words", boards)
        elif isinstance(boards, os.PathLike):
            source = ("file", boards)
        elif isinstance(boards, np.ndarray) and raises:
            cells, found = cells_of(boards, None if boards.ndim == 3 and only is None else only or usual)
            source = (cells.tobytes(), found)
        elif isinstance(boards, (list, tuple)) and raises:
            # Boards of several shapes may be in one list.
            shapes = {board.shape for board in boards if isinstance(board, Board)}
            if only is None and (len(shapes) > 1 or usual is None):
                source = ("iterator", iter([_board(handle, row, board) for row, board in enumerate(boards)]))
            else:
                cells, found = cells_of(boards, only or usual)
                source = (cells.tobytes(), found)
        else:
            source = ("iterator", iter(boards))
        return AnswerStream(_tilebase.Stream(handle, source, only, self._searching, raises))

    def solve_all(
        self,
        boards: BoardsLike | str | os.PathLike[str],
        *,
        shape: ShapeLike | None = None,
        invalid: Literal["raise", "answer"] = "raise",
    ) -> list[Answer]:
        """As `solve_many`, but a list of all answers."""
        with self.solve_many(boards, shape=shape, invalid=invalid) as answers:
            return list(answers)

    def solve_arrays(
        self,
        boards: BoardsLike | str | os.PathLike[str],
        *,
        shape: ShapeLike | None = None,
        invalid: Literal["raise", "answer"] = "raise",
    ) -> AnswerArrays:
        """As `solve_many`, but the numbers of all answers as arrays, without an object for each board and
        without the moves.

        >>> solver = Solver(Tables.open("manhattan"))
        >>> solver.solve_arrays(["1 2 3/4 5 6/0 7 8", "2 1 3/4 5 6/7 8 0"]).lengths
        array([ 2, -1], dtype=int16)
        """
        with self.solve_many(boards, shape=shape, invalid=invalid) as answers:
            columns = answers._stream.columns()
        statuses, *numbers = (
            np.frombuffer(column, dtype)
            for column, dtype in zip(columns, ("u1", "<i2", "<i2", "<i8", "<i8", "<f8"), strict=True)
        )
        native = (column.astype(column.dtype.newbyteorder("="), copy=False) for column in numbers)
        return AnswerArrays(np.array(_tilebase.STATUSES)[statuses], *native)

    def moves(self, board: BoardLike) -> Moves:
        """The distance after each legal move of a board; the limits are for all of it together.

        >>> Solver(Tables.open("manhattan")).moves("1 2 3/4 0 8/7 6 5").best
        'UL'
        """
        fields, text = self._tables._handle.moves(board, self._searching)
        record = json.loads(text)
        return Moves(
            answer=Answer(**fields),
            moves=tuple(
                Move(of["move"], of["tile"], of["distance"], of["optimal"]) for of in record["moves"]
            ),
            generated=record["generated"],
            seconds=record["seconds"],
            limit=record.get("limit"),
        )

    def solutions(
        self, board: BoardLike, *, slack: int | None = 0, list_max: int = 0, count: bool = True
    ) -> Solutions:
        """The solutions of a board with up to `slack` moves more than the shortest: their number, and up to
        `list_max` of them. Without `count`, those that are not listed are not counted; with `slack=None` too,
        longer ones are listed until there are `list_max`.

        A solution ends at the goal, was not there before, and takes no move back with the next one.

        >>> solver = Solver(Tables.open("manhattan"))
        >>> solver.solutions("1 2 3/4 0 8/7 6 5", list_max=9).listed
        ('ULDRUL', 'LURDLU')
        """
        if slack is None and count:
            raise ArgumentError("without a slack there is no end of solutions to count: count=False")
        slack, list_max = integer("slack", slack, 0, MOVES_MAX), integer("list_max", list_max)
        fields, text, listed = self._tables._handle.solutions(
            board, self._searching, slack, list_max, count
        )
        record = json.loads(text)
        return Solutions(
            answer=Answer(**fields),
            lengths=tuple(
                SolutionCount(of["length"], int(of["count"]), of["complete"])
                for of in record["lengths"]
            ),
            listed=tuple(listed),
            complete=record["complete"],
            generated=record["generated"],
            seconds=record["seconds"],
            limit=record.get("limit"),
        )

    def check(self, board: BoardLike, moves: str) -> Check:
        """What is to be said of somebody's moves: letters for directions of tiles, or numbers of tiles.

        >>> check = Solver(Tables.open("manhattan")).check("1 2 3/4 5 6/0 7 8", "7 7 7 8")
        >>> check.solves, check.optimum, check.leaves_optimum_at
        (True, 2, 2)
        """
        fields, text = self._tables._handle.check(board, moves, self._searching)
        record = json.loads(text)
        names = ("moves", "legal", "solves", "optimum", "optimal", "leaves_optimum_at")
        return Check(
            answer=Answer(**fields),
            end=Board(record["end"]),
            illegal=record.get("illegal"),
            limit=record.get("limit"),
            **{name: record[name] for name in names},
        )

    def __repr__(self) -> str:
        said = [f", {name}={value!r}" for name, value in self._arguments.items() if value is not None]
        return f"Solver({self._tables!r}{''.join(said)})"

    def __reduce__(self) -> tuple[Any, ...]:
        return (_solver, (self._tables, self._arguments))


def _solver(tables: Tables, arguments: dict[str, Any]) -> Solver:
    return Solver(tables, **arguments)


def _board(handle: _tilebase.Handle, row: int, board: BoardLike) -> Board:
    from ._errors import BoardError

    try:
        return handle.board(board)
    except BoardError as error:
        raise BoardError(f"row {row}: {error}", row) from None


class AnswerStream(Iterator[Answer]):
    """Answers in the order of the boards, as they come.

    It is an iterator and a context manager; `close`, or letting go of it, ends the searches. Several threads
    may take answers from one stream: each answer goes to one of them.
    """

    def __init__(self, stream: _tilebase.Stream) -> None:
        self._stream = stream

    def __iter__(self) -> AnswerStream:
        return self

    def __next__(self) -> Answer:
        fields = self._stream.next()
        if fields is None:
            raise StopIteration
        return Answer(**fields)

    @property
    def totals(self) -> Totals:
        """What the searches took together so far; all of it after the last answer."""
        return Totals(*self._stream.totals())

    def close(self) -> None:
        """Ends the searches; no answer comes any more, nor to threads that wait for one."""
        self._stream.close()

    def __enter__(self) -> AnswerStream:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
