"""Tables: opened, built, verified and inspected."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import Any, Literal, TypeAlias, overload

import numpy as np
import numpy.typing as npt

from . import _tilebase
from ._answers import BuildReport, Explanation, TableReport, VerifyReport
from ._arguments import limit, threads_of
from ._arrays import BoardLike, BoardsLike, GoalLike, ShapeLike, by_parts, cells_of, is_one
from ._errors import TableError
from ._heuristic import Heuristic
from ._progress import ProgressCallback, adapted
from ._tilebase import Board, Cancel, Goal, Shape, Spec, shape_of

#: A path.
PathLike: TypeAlias = str | os.PathLike[str]


class Tables:
    """The open tables of a spec, or a heuristic that needs none.

    `Tables.open` opens existing tables, `Tables.ensure` builds missing ones. Any number of threads may use the
    object. Pickling stores the arguments of the call that opened it, so that a worker process opens the same
    files, which are in memory only once. It is a context manager; `close` releases the tables.

    >>> with Tables.ensure("8/whole", folder=folder) as tables:
    ...     tables.estimate("8 6 7/2 5 4/3 0 1")
    31
    """

    _handle: _tilebase.Handle
    _arguments: dict[str, Any]

    def __init__(self) -> None:
        raise TypeError("use Tables.open(..) or Tables.ensure(..)")

    @classmethod
    def _make(
        cls, *, may_build: bool, progress: ProgressCallback | None, cancel: Cancel | None = None, **arguments: Any
    ) -> Tables:
        arguments["memory_bytes"] = limit("memory", arguments["memory_bytes"])
        arguments["threads"] = threads_of(arguments["threads"])
        spec = arguments["spec"]
        if isinstance(spec, os.PathLike):
            arguments["spec"] = os.fspath(spec)
        elif not isinstance(spec, (str, Spec, Heuristic, type(None))):
            raise TypeError(f"expected a name, a path, a Spec or a Heuristic, found {spec!r}")
        tables = object.__new__(cls)
        tables._arguments = {**arguments, "may_build": may_build}
        tables._handle = _tilebase.Handle(
            **arguments, may_build=may_build, progress=adapted(progress), stop=cancel
        )
        return tables

    @classmethod
    def open(
        cls,
        spec: PathLike | Spec | Heuristic | None = None,
        *,
        folder: PathLike | None = None,
        goal: GoalLike | None = None,
        metric: Literal["stm", "mtm"] = "stm",
        shape: ShapeLike | None = None,
        memory: int | None = None,
        threads: int | None = None,
        residence: Literal["mapped", "prefaulted", "locked", "copied"] = "mapped",
        trust: bool = False,
    ) -> Tables:
        """Opens existing tables; none are built.

        - `spec`: a shipped spec ("15/7-8"), a `.toml` file, a `Spec`, a heuristic ("manhattan",
          "max(pairwise, 8/4-4)"), your own `Heuristic`, or None for the best tables in the folder.
        - `folder`: the folder of the tables; the default is TILEBASE_DB, or the folder that all programs share.
        - `goal`: the goal of the boards; the default has the blank last.
        - `metric`: what counts as one move: "stm", each tile that moves; or "mtm", a slide of one or more tiles of a
          line at once, in estimates, lengths and bounds.
        - `shape`: the shape of boards without a visible shape.
        - `memory`: the limit on the bytes of the tables.
        - `threads`: the number of threads that search, up to 1024; by default one for each core.
        - `residence`: the way tables are held in memory: mapped and read on first access (the default), mapped
          and read at once, locked, or copied. All processes share the memory of mapped tables.
        - `trust`: True skips the check of the tables against their digests.

        Raises `SpecError`, `MissingTableError` or `DamagedTableError`.
        """
        return cls._make(
            may_build=False, progress=None, spec=spec, goal=goal, metric=metric, shape=shape,
            folder=folder, memory_bytes=memory, threads=threads, residence=residence, trust=trust,
        )  # fmt: skip

    @classmethod
    def ensure(
        cls,
        spec: PathLike | Spec | Heuristic | None = None,
        *,
        folder: PathLike | None = None,
        goal: GoalLike | None = None,
        metric: Literal["stm", "mtm"] = "stm",
        shape: ShapeLike | None = None,
        memory: int | None = None,
        threads: int | None = None,
        residence: Literal["mapped", "prefaulted", "locked", "copied"] = "mapped",
        trust: bool = False,
        progress: ProgressCallback | None = None,
        cancel: Cancel | None = None,
    ) -> Tables:
        """As `open`, but builds missing tables.

        `progress`, such as `tqdm_progress()`, is called with each `Progress`. Ctrl-C or `cancel` ends the build and
        leaves no half-written file. If neither spec nor goal nor shape give the shape of the boards, tables are
        built when the first board needs them.

        Also raises `LimitError` if there is no room to build.
        """
        return cls._make(
            may_build=True, progress=progress, cancel=cancel, spec=spec, goal=goal, metric=metric, shape=shape,
            folder=folder, memory_bytes=memory, threads=threads, residence=residence, trust=trust,
        )  # fmt: skip

    @staticmethod
    def build(
        spec: PathLike | Spec,
        *,
        folder: PathLike | None = None,
        replace: bool = False,
        memory: int | None = None,
        threads: int | None = None,
        progress: ProgressCallback | None = None,
        cancel: Cancel | None = None,
    ) -> list[BuildReport]:
        """Builds the missing tables of a spec, or all with `replace`; returns a report of each.

        Tables that do not fit `memory` bytes are streamed from disk. Ctrl-C or `cancel` ends a build; a streamed
        build continues from its checkpoint the next time.
        """
        memory, threads = limit("memory", memory), threads_of(threads)
        read = spec if isinstance(spec, Spec) else Spec(os.fspath(spec))
        reports = _tilebase.build(read, folder, replace, memory, threads, adapted(progress), cancel)
        return [BuildReport(**report) for report in reports]

    def close(self) -> None:
        """Releases the tables; later calls raise `TableError`. The calls of other threads end: the answer of a single
        board has the best known solution and the `limit` "interrupt", and other calls and streams of answers raise
        `CancelledError`.
        """
        self._handle.close()

    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
        return self._handle.closed

    def __enter__(self) -> Tables:
        if self.closed:
            raise TableError("the tables are closed: open them again")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def shape(self) -> Shape | None:
        """The shape of boards without a visible shape, if spec, goal or `shape` give it."""
        return self._handle.shape

    @property
    def folder(self) -> str:
        """The folder of the tables."""
        return os.fspath(self._handle.folder)

    def goal(self, shape: ShapeLike | None = None) -> Goal:
        """The goal of boards of a shape; by default of the tables' own shape."""
        return self._handle.goal(self._shape(shape))

    def name(self, shape: ShapeLike | None = None) -> str:
        """The spec or heuristic of searches for boards of a shape; by default of the tables' own shape."""
        return self._handle.engine(self._shape(shape))[0]

    def files(self, shape: ShapeLike | None = None) -> list[str]:
        """The files of the tables for boards of a shape; by default of the tables' own shape."""
        return [os.fspath(path) for path in self._handle.engine(self._shape(shape))[1]]

    def board(self, board: BoardLike) -> Board:
        """Reads a board; a board without rows has the tables' shape."""
        return self._handle.board(board)

    @overload
    # A text is an iterable of texts, too, but it is one board.
    def estimate(  # type: ignore[overload-overlap]
        self, boards: Board | str | Sequence[int], shape: ShapeLike | None = None
    ) -> int: ...
    @overload
    # An array may be one board or several.
    def estimate(self, boards: npt.NDArray[Any], shape: ShapeLike | None = None) -> Any: ...
    @overload
    def estimate(
        self, boards: BoardsLike, shape: ShapeLike | None = None
    ) -> npt.NDArray[np.int16]: ...
    def estimate(
        self, boards: Any, shape: ShapeLike | None = None
    ) -> int | npt.NDArray[np.int16]:
        """Lower bounds of the moves to the goal: a number for one board, `int16 [n]` for several.

        Rows of numbers are one board if they hold each tile once, or have the shape of the boards.

        Raises `UnsolvableError`, which names the row, for a board without a solution; `is_solvable` finds such
        boards beforehand.

        >>> tables = Tables.open("manhattan")
        >>> tables.estimate(["8 6 7/2 5 4/3 0 1", "1 2 3/4 5 6/7 8 0"])
        array([21,  0], dtype=int16)
        """
        if isinstance(boards, (Board, str)) or is_one(boards, self._known(shape)):
            return self._handle.estimate(boards, shape)
        own = shape if shape is not None else self._own_shape(boards)
        return self._estimates(*cells_of(boards, own))

    def _estimates(self, cells: npt.NDArray[np.uint8], shape: Shape) -> npt.NDArray[np.int16]:
        estimates = self._handle.estimates
        return by_parts(cells, (), np.int16, lambda part, first: estimates(part, shape, first))

    def explain(self, board: BoardLike) -> Explanation:
        """Explains a board without a search: its parity, and each heuristic part by part.

        >>> Tables.open("manhattan").explain("1 2 3/4 5 6/0 7 8").estimates["manhattan"]
        2
        """
        record = self._handle.explain(board)
        return Explanation(
            board=Board(record["board"]),
            goal=Board(record["goal"]),
            metric=record.get("metric", "stm"),
            lower_bound=record["lower_bound"],
            estimates={of["name"]: of["estimate"] for of in record["heuristics"]},
            record=record,
        )

    def verify(
        self,
        level: Literal["header", "digest", "entries", "rebuild"] = "digest",
        *,
        shape: ShapeLike | None = None,
        threads: int | None = None,
        progress: ProgressCallback | None = None,
    ) -> list[VerifyReport]:
        """Verifies the tables' files; see the function `verify`."""
        return verify(self.files(shape), level, threads=threads, progress=progress)

    def inspect(self, shape: ShapeLike | None = None) -> list[TableReport]:
        """Reads the headers of the tables."""
        return inspect(self.files(shape))

    def _known(self, shape: ShapeLike | None) -> Shape | None:
        return self._handle.shape if shape is None else shape_of(shape)

    def _shape(self, shape: ShapeLike | None) -> Shape:
        known = self._known(shape)
        if known is None:
            raise TableError("these tables are for boards of any shape: say which, as by shape=(4, 4)")
        return known

    def _own_shape(self, boards: object) -> Shape | None:
        """The tables' shape, for boards without a visible shape."""
        shows = isinstance(boards, np.ndarray) and boards.ndim == 3
        return None if shows else self._handle.shape

    def __repr__(self) -> str:
        spec = self._arguments["spec"]
        name = spec.name if isinstance(spec, (Spec, Heuristic)) else spec
        state = ", closed" if self.closed else ""
        return f"Tables({name!r}{state})"

    def __reduce__(self) -> tuple[Any, ...]:
        return (_reopened, (self._arguments,))


def _reopened(arguments: dict[str, Any]) -> Tables:
    return Tables._make(progress=None, **arguments)


def _names(names: PathLike | Iterable[PathLike]) -> list[str]:
    return [os.fspath(names)] if isinstance(names, (str, os.PathLike)) else [os.fspath(n) for n in names]


def verify(
    names: PathLike | Iterable[PathLike],
    level: Literal["header", "digest", "entries", "rebuild"] = "digest",
    *,
    folder: PathLike | None = None,
    threads: int | None = None,
    progress: ProgressCallback | None = None,
    cancel: Cancel | None = None,
) -> list[VerifyReport]:
    """Verifies tables: files, or the tables of specs in `folder`.

    "header" checks the header and the file's length, "digest" all bytes against the digests, "entries" every
    entry against a fresh build and the rules of right entries, "rebuild" every byte against a fresh build. A
    damaged table is a report with `findings`, not an exception.
    """
    paths = _names(names)
    reports = _tilebase.verify(paths, folder, level, threads_of(threads), adapted(progress), cancel)
    return [
        VerifyReport(report["path"], report["level"], tuple(report["findings"]))
        for report in reports
    ]


def inspect(
    names: PathLike | Iterable[PathLike], *, folder: PathLike | None = None
) -> list[TableReport]:
    """Reads the headers of tables: of files, or of the tables of specs in `folder`."""
    reports = _tilebase.inspect(_names(names), folder)
    return [
        TableReport(**{**of, "homes": tuple(of["homes"]), "histogram": tuple(of["histogram"])})
        for of in reports
    ]


@overload
def estimate(  # type: ignore[overload-overlap]
    boards: Board | str | Sequence[int],
    heuristic: PathLike | Spec | Heuristic = "manhattan",
    *,
    shape: ShapeLike | None = None,
    goal: GoalLike | None = None,
    metric: Literal["stm", "mtm"] = "stm",
    folder: PathLike | None = None,
) -> int: ...
@overload
def estimate(
    boards: npt.NDArray[Any],
    heuristic: PathLike | Spec | Heuristic = "manhattan",
    *,
    shape: ShapeLike | None = None,
    goal: GoalLike | None = None,
    metric: Literal["stm", "mtm"] = "stm",
    folder: PathLike | None = None,
) -> Any: ...
@overload
def estimate(
    boards: BoardsLike,
    heuristic: PathLike | Spec | Heuristic = "manhattan",
    *,
    shape: ShapeLike | None = None,
    goal: GoalLike | None = None,
    metric: Literal["stm", "mtm"] = "stm",
    folder: PathLike | None = None,
) -> npt.NDArray[np.int16]: ...
def estimate(
    boards: Any,
    heuristic: PathLike | Spec | Heuristic = "manhattan",
    *,
    shape: ShapeLike | None = None,
    goal: GoalLike | None = None,
    metric: Literal["stm", "mtm"] = "stm",
    folder: PathLike | None = None,
) -> Any:
    """Returns lower bounds of the moves to the goal by a heuristic: a number for one board, `int16 [n]` for several.

    Rows of numbers are one board if they hold each tile once, or have the shape of the boards.

    `heuristic` is a name of `heuristics()`, a spec whose tables are in `folder`, a maximum of several, or your
    own `Heuristic`. For many calls, open `Tables` once. With `metric="mtm"`, it bounds slides of several
    tiles of a line.

    >>> estimate(["8 6 7/2 5 4/3 0 1"], "max(linear-conflict, inversion)")
    array([23], dtype=int16)
    """
    with Tables.open(heuristic, shape=shape, goal=goal, metric=metric, folder=folder) as tables:
        return tables.estimate(boards, shape)


def heuristics() -> list[str]:
    """The names of the heuristics that need no spec.

    >>> "manhattan" in heuristics()
    True
    """
    return _tilebase.heuristic_names()


def specs() -> list[str]:
    """The names of the specs that are shipped.

    >>> "15/7-8" in specs()
    True
    """
    return _tilebase.spec_names()


def usual_folder() -> str:
    """The default folder of tables, which all programs share."""
    return os.fspath(_tilebase.usual_folder())


def partition(
    letters: str, *, title: str = "", name: str = "drawn", goal: GoalLike = "blank-last"
) -> Spec:
    """Makes a spec from a drawing: on each tile's home cell, the letter of its pattern, and `.` for the blank.
    Line ends or `/` separate rows.

    >>> partition("A A B/A B B/B B .").name
    'drawn'
    """
    if not isinstance(letters, str):
        raise TypeError(f"expected a drawing as a text, found {letters!r}")
    rows = [row.split() for row in letters.replace("/", "\n").splitlines() if row.strip()]
    shape = Shape(len(rows), len(rows[0]) if rows else 0)
    board = Goal(goal, shape).board
    cols = shape.cols
    drawn = [
        " ".join(f"{tile or '.':>2}" for tile in board.tiles[at : at + cols])
        for at in range(0, shape.cells, cols)
    ]
    text = (
        f"title = {json.dumps(title or 'A partition')}\n"
        f'goal = """\n{chr(10).join(drawn)}\n"""\n'
        f'partition = """\n{chr(10).join(" ".join(row) for row in rows)}\n"""\n'
    )
    return Spec.parse(name, text)


def spec_listing(spec: PathLike | Spec, *, folder: PathLike | None = None) -> dict[str, Any]:
    """Returns the kind of a spec, the bytes of its tables and which of them are in the folder: the object of
    `tilebase specs --format json`.

    >>> spec_listing("8/whole")["kind"]
    'additive'
    """
    read = spec if isinstance(spec, Spec) else Spec(os.fspath(spec))
    return _tilebase.spec_listing(read, folder)
