"""Boards as integer programs."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Literal, TypedDict

import numpy as np
import numpy.typing as npt

from . import _tilebase
from ._arguments import MOVES_MAX, limit
from ._arrays import BoardLike, GoalLike, ShapeLike, goal_of
from ._errors import ModelError
from ._tilebase import Board, Goal, shape_of

if TYPE_CHECKING:
    from scipy.optimize import Bounds, LinearConstraint


class MilpArguments(TypedDict):
    """The arguments of `scipy.optimize.milp`."""

    #: The factors of the objective, which is minimised: `float64 [variables]`.
    c: npt.NDArray[np.float64]
    #: 1 for each variable: all are integers. `int64 [variables]`.
    integrality: npt.NDArray[np.int64]
    #: The least and the greatest value of each variable.
    bounds: Bounds
    #: All rows, as one sparse matrix.
    constraints: LinearConstraint


class IntegerProgram:
    """A board as an integer linear program: minimise `c @ x` where `low <= A @ x <= high`.

    `integer_program` makes it. With the form "flow", it has a solution exactly if its horizon is the length of a
    solution of the board; with "neos", also for all larger horizons.
    """

    def __init__(self, program: _tilebase.Program, board: Board, goal: Goal) -> None:
        self._program = program
        self._board = board
        self._goal = goal

    @property
    def board(self) -> Board:
        """The board."""
        return self._board

    @property
    def goal(self) -> Goal:
        """The goal."""
        return self._goal

    @property
    def horizon(self) -> int:
        """The largest number of moves of its solutions."""
        return self._program.horizon

    @property
    def form(self) -> str:
        """The form."""
        return self._program.form

    @property
    def variables(self) -> list[str]:
        """The names of the variables, in the order of columns."""
        return self._program.names()[0]

    @property
    def rows(self) -> list[str]:
        """The names of the rows."""
        return self._program.names()[1]

    def to_scipy(self) -> MilpArguments:
        """The arguments of `scipy.optimize.milp`: `milp(**program.to_scipy())`."""
        from scipy.optimize import Bounds, LinearConstraint
        from scipy.sparse import csr_array

        low, high, factors = (np.frombuffer(of, "<f8") for of in self._program.variables())
        ends, columns, terms, least, most = self._program.rows()
        lefts = np.frombuffer(least, "<f8")
        # Solvers take 32-bit places, and there are never more.
        matrix = csr_array(
            (
                np.frombuffer(terms, "<f8"),
                np.frombuffer(columns, "<i8").astype(np.int32),
                np.frombuffer(ends, "<i8").astype(np.int32),
            ),
            shape=(len(lefts), len(low)),
        )
        return {
            "c": factors,
            "integrality": np.ones(len(low), np.int64),
            "bounds": Bounds(low, high),
            "constraints": LinearConstraint(matrix, lefts, np.frombuffer(most, "<f8")),
        }

    def moves_of(self, x: npt.ArrayLike) -> str:
        """Returns the moves of a solution, as letters of tiles' directions.

        Rounds values within 1e-4 of an integer, checks all rows and replays the moves, so the returned moves
        always lead to the goal.

        Raises `ModelError` if `x` is not a solution of the program.
        """
        given = np.asarray(x)
        if given.ndim != 1 or given.size and given.dtype.kind not in "biuf":
            raise ModelError(
                "expected an array of numbers [variables], found "
                f"{given.dtype} of {given.ndim} dimensions"
            )
        values = given.astype(np.float64)
        whole = np.rint(values)
        # Values that are not finite are not whole.
        with np.errstate(invalid="ignore"):
            wrong = ~(np.abs(values - whole) <= 1e-4) | ~(np.abs(whole) < 2.0**53)
        if wrong.any():
            at = int(np.flatnonzero(wrong)[0])
            name = self.variables[at] if at < len(self.variables) else f"value {at}"
            raise ModelError(f"{name} is {values[at]}, but expected a whole number")
        return self._program.moves_of([int(value) for value in whole])

    def values_of(self, moves: str) -> npt.NDArray[np.int64]:
        """Returns the values that encode moves: `int64 [variables]`."""
        return np.array(self._program.values_of(moves), np.int64)

    def text(self, format: Literal["lp", "mps", "gams", "json"] = "lp") -> str:
        """Returns the program as the text of a file for solvers."""
        return self._program.text(format)

    def write(self, path: str | os.PathLike[str], format: Literal["lp", "mps", "gams", "json"] = "lp") -> None:
        """Writes the program to a file. An existing file is replaced as a whole, or stays as it is.

        Raises `FileError` if the file cannot be written.
        """
        self._program.write(os.fsdecode(path), format)

    def __repr__(self) -> str:
        return f"IntegerProgram({self._board!r}, form={self.form!r}, horizon={self.horizon})"


def integer_program(
    board: BoardLike,
    form: Literal["flow", "neos"] = "flow",
    horizon: int | None = None,
    *,
    goal: GoalLike = "blank-last",
    shape: ShapeLike | None = None,
) -> IntegerProgram:
    """Writes a board as an integer program in one of the two forms of docs/integer-program.md, with up to
    `horizon` moves; the default is the smallest number that may suffice.

    Raises `UnsolvableError`, `LimitError` for too many variables, or `ArgumentError` for an unknown form.

    >>> integer_program("1 2 3/4 5 6/0 7 8").horizon
    2
    """
    read = Board(board, None if shape is None else shape_of(shape))
    made: Any = goal_of(goal, read.shape)
    horizon = limit("horizon", horizon, 0, MOVES_MAX)
    return IntegerProgram(_tilebase.Program(read, made, form, horizon), read, made)
