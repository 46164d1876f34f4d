"""Boards in arrays: conversions, ranks, neighbours and goal tests."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from . import _tilebase
from ._errors import BoardError
from ._tilebase import CELLS_MAX, Board, Goal, Shape, shape_of

#: A shape: Shape(3, 4), (3, 4) or "3x4".
ShapeLike: TypeAlias = Shape | tuple[int, int] | str
#: A goal: Goal, Board, "blank-last", "blank-first", "snail", a drawn one, or an array of its cells.
GoalLike: TypeAlias = Goal | Board | str | npt.NDArray[Any]
#: One board: Board, a text, or an array of a board's cells.
BoardLike: TypeAlias = Board | str | npt.ArrayLike
#: Boards: an array of integers [n, cells] or [n, rows, cols], a pandas DataFrame of cells, or an array or any other
#: iterable of boards.
BoardsLike: TypeAlias = npt.NDArray[Any] | Iterable[BoardLike]

#: The directions of the four moves in the order of `neighbours`.
MOVES = "URDL"
#: Number of boards that are handed to the compiled half at once. Signals are checked between two parts.
PART = 1 << 16
#: The distance of boards without a solution in the array of `distances`.
NO_DISTANCE = 255


def goal_of(goal: GoalLike, shape: Shape) -> Goal:
    """Converts an argument to a goal of boards of a shape."""
    made = Goal(goal, shape)
    if made.shape != shape:
        raise BoardError(f"expected a goal of {shape}, as the boards have, found {made.shape}")
    return made


def is_one(boards: Any, shape: Shape | None = None) -> bool:
    """Returns whether an argument is one board instead of several.

    One board is a Board, a text, numbers, or rows of numbers. Several boards may come as rows of numbers, too, a row
    for each. Such rows are one board if they are as long and as many as those of the shape, or hold each tile once.
    """
    if isinstance(boards, (Board, Goal, str)):
        return True
    is_sequence = isinstance(boards, Sequence)
    if is_sequence and len(boards) and isinstance(boards[0], (int, np.integer)):
        return True
    if not (hasattr(boards, "__array__") or is_sequence and len(boards) <= CELLS_MAX):
        return False
    try:
        numbers = np.asarray(boards)
    except ValueError:
        # Boards of several shapes.
        return False
    if not np.issubdtype(numbers.dtype, np.integer):
        return False
    if numbers.ndim != 2:
        return numbers.ndim == 1 and numbers.size > 0
    if shape is not None and numbers.shape == (shape.rows, shape.cols):
        return True
    is_small = numbers.size <= CELLS_MAX and min(numbers.shape) >= 2
    return is_small and np.array_equal(np.sort(numbers, None), np.arange(numbers.size))


def several(boards: Any, shape: Shape | None = None) -> Any:
    """Refuses an argument that is one board instead of several; converts a table of pandas to an array."""
    if is_one(boards, shape):
        raise BoardError(f"expected several boards, found one: write [{boards!r}]")
    if getattr(boards, "ndim", None) == 2 and hasattr(boards, "to_numpy"):
        # Iterating over a table gives the names of its columns.
        return boards.to_numpy()
    if not isinstance(boards, np.ndarray):
        try:
            iter(boards)
        except TypeError:
            raise TypeError(f"expected an array or another iterable of boards, found {boards!r}") from None
    return boards


def refuse_masked(numbers: Any) -> None:
    """Refuses an array with masked numbers; an empty mask is allowed."""
    if np.ma.is_masked(numbers):
        rows = np.ma.getmaskarray(numbers).reshape(len(numbers) if numbers.ndim else 1, -1).any(1)
        row = int(rows.argmax())
        raise BoardError(f"row {row}: expected numbers, found masked ones: fill them, as by .filled()", row)


def cells_of(
    boards: BoardsLike, shape: ShapeLike | None = None
) -> tuple[npt.NDArray[np.uint8], Shape]:
    """Converts boards to a contiguous array `uint8 [n, cells]`; returns it and the shape of the boards.

    The rows are not checked to be boards.
    """
    expected = None if shape is None else shape_of(shape)
    boards = several(boards, expected)
    refuse_masked(boards)
    if not isinstance(boards, np.ndarray) or boards.ndim == 1 and boards.dtype.kind in "OTU":
        # An array of texts or boards, such as a column of a table, is a list of them.
        return _cells_of_list(list(boards), expected)
    if not np.issubdtype(boards.dtype, np.integer):
        raise BoardError(
            f"expected an array of integers, found {boards.dtype}: convert it, as by .astype(np.uint8)"
        )
    if boards.ndim == 3:
        found = Shape(boards.shape[1], boards.shape[2])
        if expected not in (None, found):
            raise BoardError(f"expected boards of {expected}, found boards of {found}")
    elif boards.ndim == 2:
        found = expected or _tilebase.shape_of_cells(boards.shape[1])
        if found.cells != boards.shape[1]:
            raise BoardError(
                f"expected rows of {found.cells} cells, as {found} boards have, found {boards.shape[1]}"
            )
    else:
        raise BoardError(
            f"expected an array [n, cells] or [n, rows, cols], found {boards.ndim} dimensions"
        )
    rows = boards.reshape(len(boards), found.cells)
    if rows.dtype == np.uint8:
        return np.ascontiguousarray(rows), found
    cells = np.empty(rows.shape, np.uint8)
    for first in _firsts(rows):
        part = rows[first : first + PART]
        # A number that a byte cannot hold is no tile of any board.
        wrong = (part < 0) | (part >= found.cells)
        if wrong.any():
            row, cell = (int(place) for place in np.argwhere(wrong)[0])
            row, tile = first + row, part[row, cell]
            raise BoardError(
                f"row {row}: expected tiles from 0 to {found.cells - 1}, found {tile}", row
            )
        cells[first : first + PART] = part
    return cells, found


def _firsts(rows: npt.NDArray[Any]) -> Iterator[int]:
    """The first row of each part; if there are no rows, there is one empty part."""
    return iter(range(0, max(len(rows), 1), PART))


def by_parts(
    rows: npt.NDArray[Any],
    shape: tuple[int, ...],
    dtype: npt.DTypeLike,
    make: Callable[[bytes, int], bytearray],
) -> npt.NDArray[Any]:
    """Makes an array with an item of a shape and type for each row of another array.

    `make` takes the bytes of some rows and the index of the first of them among all rows. It returns the
    bytes of their items, in little-endian order.
    """
    made = np.empty((len(rows), *shape), dtype)
    little = np.dtype(dtype).newbyteorder("<")
    for first in _firsts(rows):
        part = made[first : first + PART]
        part[...] = np.frombuffer(
            make(rows[first : first + PART].tobytes(), first), little
        ).reshape(part.shape)
    return made


def board_at(row: int, board: BoardLike, read: Callable[[BoardLike], Board]) -> Board:
    """Reads a board of several. What is no board is a wrong value of the list, whatever its type."""
    if isinstance(board, Board):
        return board
    try:
        return read(board)
    except (BoardError, TypeError) as error:
        raise BoardError(f"row {row}: {error}", row) from None


def _cells_of_list(
    boards: list[BoardLike], expected: Shape | None
) -> tuple[npt.NDArray[np.uint8], Shape]:
    made: list[Board] = []
    for row, board in enumerate(boards):
        read = board_at(row, board, lambda board: Board(board, expected))
        shape = expected or read.shape
        if read.shape != shape or made and read.shape != made[0].shape:
            other = expected or made[0].shape
            raise BoardError(f"row {row}: expected a {other} board, found a {read.shape} one", row)
        made.append(read)
    if not made:
        found = expected or Shape(4, 4)
        return np.empty((0, found.cells), np.uint8), found
    cells = b"".join(bytes(board.tiles) for board in made)
    return np.frombuffer(cells, np.uint8).reshape(len(made), -1), made[0].shape


def boards_array(boards: BoardsLike, shape: ShapeLike | None = None) -> npt.NDArray[np.uint8]:
    """Converts boards to a new array `uint8 [n, cells]`, with every row checked.

    `boards` is an array of integers [n, cells] or [n, rows, cols], or an iterable of boards. An array of boards
    that are not square needs `shape`.

    Raises `BoardError`, which names the first row that is not a board.

    >>> boards_array(["1 2 3/4 5 6/7 8 0", Board("8 6 7/2 5 4/3 0 1")])
    array([[1, 2, 3, 4, 5, 6, 7, 8, 0],
           [8, 6, 7, 2, 5, 4, 3, 0, 1]], dtype=uint8)
    """
    cells, found = cells_of(boards, shape)
    for first in _firsts(cells):
        _tilebase.check_boards(cells[first : first + PART].tobytes(), found, first)
    return cells.copy()


def neighbours(boards: BoardsLike, shape: ShapeLike | None = None) -> Neighbours:
    """Makes each of the four moves on each board: `Neighbours(boards, legal)`.

    - `boards`: `uint8 [n, 4, cells]`: the board after each move, in the order of `MOVES`, "URDL", the directions
      of tiles; the board itself if the move is impossible.
    - `legal`: `bool [n, 4]`: whether the move is possible.

    `boards` and `shape` are as for `boards_array`.

    >>> near = neighbours(["1 2 3/4 5 6/7 8 0"])
    >>> near.legal
    array([[False,  True,  True, False]])
    >>> near.boards[near.legal]
    array([[1, 2, 3, 4, 5, 6, 7, 0, 8],
           [1, 2, 3, 4, 5, 0, 7, 8, 6]], dtype=uint8)
    """
    cells, found = cells_of(boards, shape)
    made = np.empty((len(cells), len(MOVES), found.cells), np.uint8)
    legal = np.empty((len(cells), len(MOVES)), np.bool_)
    for first in _firsts(cells):
        these = slice(first, first + PART)
        after, may = _tilebase.neighbours(cells[these].tobytes(), found, first)
        made[these] = np.frombuffer(after, np.uint8).reshape(made[these].shape)
        legal[these] = np.frombuffer(may, np.bool_).reshape(legal[these].shape)
    return Neighbours(made, legal)


class Neighbours(NamedTuple):
    """The result of `neighbours`; the moves are in the order of `MOVES`, "URDL", the directions of tiles.

    - `boards`: `uint8 [n, 4, cells]`: the board after each move; the board itself if the move is
      impossible.
    - `legal`: `bool [n, 4]`: whether the move is possible.
    """

    boards: npt.NDArray[np.uint8]
    legal: npt.NDArray[np.bool_]


def is_goal(
    boards: BoardsLike, goal: GoalLike = "blank-last", shape: ShapeLike | None = None
) -> npt.NDArray[np.bool_]:
    """Returns whether each board is the goal: `bool [n]`.

    >>> is_goal(["1 2 3/4 5 6/7 8 0", "1 2 3/4 5 6/7 0 8"])
    array([ True, False])
    """
    cells, found = cells_of(boards, shape)
    of = goal_of(goal, found)
    return by_parts(cells, (), np.bool_, lambda part, first: _tilebase.is_goal(part, of, first))


def is_solvable(
    boards: BoardsLike, goal: GoalLike = "blank-last", shape: ShapeLike | None = None
) -> npt.NDArray[np.bool_]:
    """Returns whether each board can be solved: `bool [n]`.

    >>> is_solvable(["1 2 3/4 5 6/7 0 8", "2 1 3/4 5 6/7 8 0"])
    array([ True, False])
    """
    cells, found = cells_of(boards, shape)
    of = goal_of(goal, found)
    return by_parts(cells, (), np.bool_, lambda part, first: _tilebase.is_solvable(part, of, first))


def rank(boards: BoardsLike, shape: ShapeLike | None = None) -> npt.NDArray[np.int64]:
    """Returns the rank of each board: `int64 [n]`.

    The rank is the board's place in the lexicographic order of all arrangements of its tiles, the order of
    `itertools.permutations(range(cells))`. Raises `LimitError` for boards of more than 20 cells.

    >>> rank(["0 1 2/3 4 5", "0 1 2/3 5 4", "5 4 3/2 1 0"])
    array([  0,   1, 719])
    """
    cells, found = cells_of(boards, shape)
    return by_parts(cells, (), np.int64, lambda part, first: _tilebase.rank(part, found, first))


def unrank(ranks: npt.ArrayLike, shape: ShapeLike) -> npt.NDArray[np.uint8]:
    """Returns the board of each rank: `uint8 [n, cells]`.

    >>> unrank([0, 1, 719], (2, 3))
    array([[0, 1, 2, 3, 4, 5],
           [0, 1, 2, 3, 5, 4],
           [5, 4, 3, 2, 1, 0]], dtype=uint8)
    """
    found = shape_of(shape)
    refuse_masked(ranks)
    numbers = np.asarray(ranks)
    if numbers.ndim == 0:
        raise TypeError(f"expected an array of ranks, found {ranks!r}")
    if numbers.ndim != 1 or not (np.issubdtype(numbers.dtype, np.integer) or numbers.size == 0):
        raise BoardError(
            f"expected ranks as integers [n], found {numbers.dtype} of {numbers.ndim} dimensions"
        )
    if numbers.dtype == np.uint64 and numbers.size and numbers.max() > np.iinfo(np.int64).max:
        row = int(numbers.argmax())
        raise BoardError(f"row {row}: expected a rank, found {numbers[row]}", row)
    numbers = numbers.astype("<i8", copy=False)
    return by_parts(
        numbers, (found.cells,), np.uint8, lambda part, first: _tilebase.unrank(part, found, first)
    )


def distances(
    shape: ShapeLike, goal: GoalLike = "blank-last", *, metric: Literal["stm", "mtm"] = "stm"
) -> npt.NDArray[np.uint8]:
    """Returns the distance of every board of a small shape from the goal, in moves: `uint8 [cells!]`.

    With `metric="mtm"`, a slide of several tiles of a line is one move.

    The array is in the order of `rank`. Half of the boards cannot be solved; they have `NO_DISTANCE`, 255.
    Raises `LimitError` for shapes of more than 12 cells. The array of 3x3 takes some milliseconds; that of 3x4
    about a minute and half a gigabyte, and 0.7 GB while it is made.

    >>> far = distances((3, 3))
    >>> far.shape, far[far != NO_DISTANCE].max()
    ((362880,), np.uint8(31))
    >>> far[rank(["8 6 7/2 5 4/3 0 1"])]
    array([31], dtype=uint8)
    """
    found = shape_of(shape)
    made = _tilebase.Distances(goal_of(goal, found), metric)
    far = np.empty(len(made), np.uint8)
    while left := len(made):
        part = np.frombuffer(made.take_last(), np.uint8)
        far[left - len(part) : left] = part
    return far
