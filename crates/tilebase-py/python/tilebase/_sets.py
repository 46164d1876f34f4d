"""Sets of boards."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Literal, overload

import numpy as np
import numpy.typing as npt

from . import _tilebase
from ._arguments import integer, limit
from ._arrays import GoalLike, ShapeLike
from ._errors import ArgumentError
from ._tables import Tables
from ._tilebase import Goal, shape_of


#: Largest number of boards, and of steps of a walk.
_MAX = 1_000_000


@dataclass(frozen=True, eq=False)
class BoardSet:
    """The boards of a named set.

    - `name`: The name of the set.
    - `goal`: The goal of its boards.
    - `boards`: The boards: `uint8 [n, cells]`.
    - `optima`: Optimal lengths in moves, `int16 [n]`, or None for a set that does not know them. Slides count as
      one move if they do for the `tables` that made the set.
    """

    name: str
    goal: Goal
    boards: npt.NDArray[np.uint8]
    optima: npt.NDArray[np.int16] | None


def board_set(
    name: str,
    shape: ShapeLike | None = None,
    *,
    goal: GoalLike | None = None,
    tables: Tables | None = None,
) -> BoardSet:
    """Makes the boards of a set; the same name gives the same boards everywhere.

    Names are "korf100" and "korf50" (R. E. Korf's boards of the 15- and 24-puzzle, whose goal has
    the blank first), "hardest", "random:N:SEED", "walk:STEPS:N:SEED" and "optimum:LO..HI:N:SEED".
    `tables` solve the boards if the set depends on their optimum, which is in their metric; the default is the best
    in the folder. The default of `shape` is 4x4.

    Raises `ArgumentError` for another shape or goal than that of Korf's boards.

    >>> korf = board_set("korf100")
    >>> korf.boards.shape, korf.goal.name, korf.optima.max()
    ((100, 16), 'blank-first', np.int16(66))
    """
    handle = None if tables is None else tables._handle
    made_goal, cells, optima = _tilebase.make_boards(name, goal, shape, handle)
    boards = np.frombuffer(cells, np.uint8).reshape(-1, made_goal.shape.cells)
    lengths = None
    if optima is not None:
        lengths = np.frombuffer(optima, "<i2").astype(np.int16, copy=False)
    return BoardSet(name, made_goal, boards, lengths)


def draw_seed() -> int:
    """Draws a seed for `scramble`, as `scramble(.., seed=None)` does.

    >>> seed = draw_seed()
    >>> (scramble(3, seed=seed) == scramble(3, seed=seed)).all()
    np.True_
    """
    return secrets.randbits(32)


@overload
def scramble(
    count: int,
    shape: ShapeLike = (4, 4),
    *,
    steps: int | None = None,
    optimum: int | tuple[int, int] | None = None,
    goal: GoalLike = "blank-last",
    seed: int | None = 0,
    tables: Tables | None = None,
    moves: Literal[False] = False,
) -> npt.NDArray[np.uint8]: ...
@overload
def scramble(
    count: int,
    shape: ShapeLike = (4, 4),
    *,
    steps: int,
    goal: GoalLike = "blank-last",
    seed: int | None = 0,
    moves: Literal[True],
) -> tuple[npt.NDArray[np.uint8], list[str]]: ...
def scramble(
    count: int,
    shape: ShapeLike = (4, 4),
    *,
    steps: int | None = None,
    optimum: int | tuple[int, int] | None = None,
    goal: GoalLike = "blank-last",
    seed: int | None = 0,
    tables: Tables | None = None,
    moves: bool = False,
) -> npt.NDArray[np.uint8] | tuple[npt.NDArray[np.uint8], list[str]]:
    """Makes up to a million boards that can be solved: `uint8 [count, cells]`.

    By default, they are drawn uniformly from all boards. With `steps`, they are the ends of random walks of this
    number of moves from the goal. `optimum` is the optimum of all boards, or a pair of the smallest and the
    largest optimum, in the metric of `tables`. The same seed gives the same boards everywhere. With the seed None,
    the boards differ from call to call; to make them again, draw the seed yourself: `seed = draw_seed()`.

    With `steps` and `moves=True`, it returns the boards and the moves of each walk from the goal to the board:
    a text of "URDL", the directions of tiles.

    Raises `ArgumentError` for numbers out of their ranges, and `BoardError` if no board has the optimum.

    >>> scramble(2, (3, 3), seed=1).shape
    (2, 9)
    >>> hard = scramble(100, (3, 3), optimum=31)
    >>> boards, moves = scramble(2, (3, 3), steps=5, moves=True)
    >>> (Goal("blank-last", (3, 3)).board.after(moves[0]).tiles == boards[0]).all()
    np.True_
    """
    if steps is not None and optimum is not None:
        raise ArgumentError("steps or optimum: give one of them")
    if moves and steps is None:
        raise ArgumentError("moves=True: only walks have moves, so give steps")
    count, seed = integer("count", count, 0, _MAX), integer("seed", draw_seed() if seed is None else seed)
    steps = limit("steps", steps, 0, _MAX)
    if optimum is not None:
        ends = optimum if isinstance(optimum, (tuple, list)) else (optimum, optimum)
        if len(ends) != 2:
            raise ArgumentError(f"expected optimum as a length or two, found {optimum!r}")
        first, last = (integer("optimum", end) for end in ends)
        if first > last:
            raise ArgumentError(f"expected the shorter optimum first, found {optimum!r}")
    if count == 0:
        none = np.empty((0, shape_of(shape).cells), np.uint8)
        return (none, []) if moves else none
    if steps is not None:
        name = f"walk:{steps}:{count}:{seed}"
    elif optimum is not None:
        name = f"optimum:{first}..{last}:{count}:{seed}"
    else:
        name = f"random:{count}:{seed}"
    made = board_set(name, shape, goal=goal, tables=tables)
    if moves and steps is not None:
        return made.boards, _tilebase.walk_moves(made.goal, steps, count, seed)
    return made.boards
