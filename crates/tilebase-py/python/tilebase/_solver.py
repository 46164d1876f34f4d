"""Searches."""

from __future__ import annotations

import os
from collections.abc import Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal

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
    answer_of,
    made,
)
from ._arguments import MOVES_MAX, integer, limit, seconds_of, threads_of, word
from ._arrays import BoardLike, BoardsLike, ShapeLike, board_at, cells_of, several
from ._errors import ArgumentError, SpecError
from ._heuristic import Heuristic
from ._tables import Tables
from ._tilebase import Board, Cancel, shape_of

if TYPE_CHECKING:
    from typing_extensions import Self


class Solver:
    """Solves boards with tables.

    - `search`: a name of `searches()`, such as "ida" (Korf's, with the node counts of the literature), "astar" or,
      with a weight, "weighted-astar:1.5"; one board per thread. The default is IDA* on all threads.
    - `mode`: the way in which threads share the work: "latency" answers each board as soon as possible,
      "throughput" answers the most boards per second, and "auto" chooses one of them.
    - `time` (seconds, or a text such as "500ms", "10s" or "2m"), `nodes`, `memory` (bytes, for searches that keep
      boards): limits of each board's search.
      If a board reaches a limit, its answer has the lower bound proved so far, and the best known solution, if there
      is one; no exception is raised.
    - `within` (like `time`): the time after which the best known solution is the answer, even if it is not proved to be
      a shortest one.
    - `threads`: the number of threads; the default is that of the tables.
    - `cancel`: a `Cancel`, by which another thread ends all work of the solver. The answer of a single board then has
      the best known solution, and the `limit` "interrupt"; a stream of answers raises `CancelledError`.

    Any number of threads may use one solver. Ctrl-C ends its work.

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
        time: float | str | None = None,
        within: float | str | None = None,
        nodes: int | None = None,
        memory: int | None = None,
        threads: int | None = None,
        cancel: Cancel | None = None,
    ) -> None:
        if not isinstance(tables, Tables):
            raise TypeError(f"expected Tables, as of Tables.open({tables!r}), found {tables!r}")
        if search == "bidirectional" and isinstance(tables._arguments["spec"], Heuristic):
            raise SpecError("bidirectional search needs estimates for two goals: a Heuristic has those of one")
        time, within, threads = seconds_of(time), seconds_of(within), threads_of(threads)
        nodes, memory = limit("nodes", nodes, 1), limit("memory", memory)
        self._tables = tables
        self._arguments = {
            "search": search, "mode": mode, "time": time, "within": within, "nodes": nodes, "memory": memory,
            "threads": threads,
        }  # fmt: skip
        self._search_options = _tilebase.SearchOptions(mode, search, time, within, nodes, memory, threads, cancel)
        tables._handle.check_search(self._search_options)

    @property
    def tables(self) -> Tables:
        """The tables of its look-ups."""
        return self._tables

    def solve(self, board: BoardLike, *, within: float | str | None = None) -> Answer:
        """Solves one board. A board without a solution has an answer, too.

        After the time `within` (seconds, or a text such as "500ms"), the best known solution is the answer, and its
        `lower_bound` says how far it may be from a shortest one. The default is that of the solver.

        Raises `BoardError` for an object that is not a board, or a board of another shape than the tables.
        """
        return answer_of(self._tables._handle.solve(board, self._options(within)))

    def improve(self, board: BoardLike, *, within: float | str | None = None) -> Improvements:
        """Solves one board; returns an iterator over better and better solutions, as soon as each one is found.

        The last answer is the one that `solve` returns, "optimal" if it is proved. To end the search, leave the loop.

        >>> for answer in Solver(Tables.open("manhattan")).improve("8 6 7/2 5 4/3 0 1"):
        ...     last = answer
        >>> last.status, last.length, last.lower_bound
        ('optimal', 31, 31)
        """
        return Improvements(_tilebase.Improvements(self._tables._handle, board, self._options(within)))

    def _options(self, within: float | str | None) -> _tilebase.SearchOptions:
        seconds = seconds_of(within)
        return self._search_options if seconds is None else self._search_options.with_within(seconds)

    def solve_many(
        self,
        boards: BoardsLike | str | os.PathLike[str],
        *,
        shape: ShapeLike | None = None,
        invalid: Literal["raise", "answer"] = "raise",
    ) -> AnswerStream:
        """Solves boards in parallel; returns an iterator over the answers in the order of the boards.

        `boards` is an array of integers [n, cells] or [n, rows, cols], an iterable of boards, the path of a
        file with one board per line, or a word of the command line: a set of boards such as "random:100:1", a file, or
        "-". Arrays and lists are checked before the first search. Other iterables are read on demand, on a
        separate thread, so they may be endless.

        `shape` is the shape of all boards; by default, boards without a visible shape have that of the tables.
        With `invalid="answer"`, an object that is not a board has an answer with the status "invalid".

        >>> solver = Solver(Tables.open("manhattan"))
        >>> [answer.length for answer in solver.solve_many(["1 2 3/4 5 6/0 7 8", "1 2 3/4 5 6/7 8 0"])]
        [2, 0]
        """
        raises = word("invalid", invalid, ("raise", "answer")) == "raise"
        handle = self._tables._handle
        only = None if shape is None else shape_of(shape)
        usual = handle.shape
        source: tuple[Any, Any]
        if not isinstance(boards, (str, os.PathLike)):
            boards = several(boards, only or usual)
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
                source = ("iterator", iter([board_at(row, board, handle.board) for row, board in enumerate(boards)]))
            else:
                cells, found = cells_of(boards, only or usual)
                source = (cells.tobytes(), found)
        else:
            source = ("iterator", iter(boards))
        return AnswerStream(_tilebase.Stream(handle, source, only, self._search_options, raises))

    def solve_all(
        self,
        boards: BoardsLike | str | os.PathLike[str],
        *,
        shape: ShapeLike | None = None,
        invalid: Literal["raise", "answer"] = "raise",
    ) -> list[Answer]:
        """As `solve_many`, but returns a list of all answers."""
        with self.solve_many(boards, shape=shape, invalid=invalid) as answers:
            return list(answers)

    def solve_arrays(
        self,
        boards: BoardsLike | str | os.PathLike[str],
        *,
        shape: ShapeLike | None = None,
        invalid: Literal["raise", "answer"] = "raise",
    ) -> AnswerArrays:
        """As `solve_many`, but returns the numbers of all answers as arrays, without an object for each board
        and without the moves.

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
        """Finds the distance after each legal move of a board; the limits apply to all searches together.

        >>> Solver(Tables.open("manhattan")).moves("1 2 3/4 0 8/7 6 5").best
        'UL'
        """
        answer, record = self._tables._handle.moves(board, self._search_options)
        moves = tuple(Move(**of) for of in record["moves"])
        return made(Moves, record, answer=answer_of(answer), moves=moves)

    def solutions(
        self, board: BoardLike, *, slack: int | None = 0, list_max: int = 0, count: bool = True
    ) -> Solutions:
        """Counts the solutions of a board with up to `slack` moves more than the shortest, and lists up to
        `list_max` of them. With `count=False`, solutions that are not listed are not counted. With
        `count=False` and `slack=None`, longer solutions are listed until there are `list_max`.

        A solution reaches the goal only at its end, and no move undoes the previous one.

        >>> solver = Solver(Tables.open("manhattan"))
        >>> solver.solutions("1 2 3/4 0 8/7 6 5", list_max=9).listed
        ('ULDRUL', 'LURDLU')
        """
        if slack is None and count:
            raise ArgumentError("without a slack there is no end of solutions to count: count=False")
        slack, list_max = limit("slack", slack, 0, MOVES_MAX), integer("list_max", list_max)
        answer, record, listed = self._tables._handle.solutions(
            board, self._search_options, slack, list_max, count
        )
        lengths = tuple(made(SolutionCount, of, count=int(of["count"])) for of in record["lengths"])
        return made(Solutions, record, answer=answer_of(answer), lengths=lengths, listed=tuple(listed))

    def check(self, board: BoardLike, moves: str) -> Check:
        """Checks moves, given as letters for directions of tiles or as numbers of tiles.

        >>> check = Solver(Tables.open("manhattan")).check("1 2 3/4 5 6/0 7 8", "7 7 7 8")
        >>> check.solves, check.optimum, check.leaves_optimum_at
        (True, 2, 2)
        """
        answer, record = self._tables._handle.check(board, moves, self._search_options)
        return made(Check, record, answer=answer_of(answer), end=Board(record["end"]))

    def __repr__(self) -> str:
        given = [f", {name}={value!r}" for name, value in self._arguments.items() if value is not None]
        return f"Solver({self._tables!r}{''.join(given)})"

    def __reduce__(self) -> tuple[Any, ...]:
        return (_solver, (self._tables, self._arguments))


def searches() -> list[str]:
    """The names of the searches.

    >>> "astar" in searches()
    True
    """
    return _tilebase.search_names()


def _solver(tables: Tables, arguments: dict[str, Any]) -> Solver:
    return Solver(tables, **arguments)


class _Answers(Iterator[Answer]):
    """An iterator over answers that searches in the background."""

    _source: _tilebase.Stream | _tilebase.Improvements

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Answer:
        fields = self._source.next()
        if fields is None:
            raise StopIteration
        return answer_of(fields)

    def close(self) -> None:
        """Ends the searches. No more answers are given, also not to threads that wait for one."""
        self._source.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class AnswerStream(_Answers):
    """An iterator over answers in the order of the boards.

    It is also a context manager. `close`, or dropping the last reference, ends the searches. Several threads
    may take answers from one stream: each answer goes to one of them.
    """

    def __init__(self, stream: _tilebase.Stream) -> None:
        self._source = self._stream = stream

    @property
    def totals(self) -> Totals:
        """The cost of all searches so far; it is complete after the last answer."""
        return Totals(*self._stream.totals())


class Improvements(_Answers):
    """An iterator over better and better solutions of one board, and the final answer.

    A better solution is an `Answer` with the status "solved"; it does not count nodes. The search goes on while
    your code uses an answer. `close`, or dropping the last reference, ends it; this object is also a context
    manager. Several threads may take answers: each answer goes to one of them.
    """

    def __init__(self, improvements: _tilebase.Improvements) -> None:
        self._source = improvements
