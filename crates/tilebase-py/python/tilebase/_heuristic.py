"""Heuristics of your own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ._errors import ArgumentError

#: Largest estimate, in moves: the largest number of the arrays of estimates.
ESTIMATE_MAX = 2**15 - 1


@dataclass(frozen=True)
class Heuristic:
    """Your own heuristic, for `Tables.open` and `estimate`: a function that estimates many boards at once.

    - `function`: The function takes boards, `uint8 [n, cells]`, and returns their estimates in moves, integers
      `[n]` from 0. It must return the same estimate for the same board. The search "batch-astar" passes the most
      boards at once; a slow function gets as many as take about 50 ms. Any thread may call it. If it raises an
      exception, `solve` or another method that uses it ends and raises the same exception.
    - `name`: The name in answers and explanations.
    - `admissible`: True promises that no estimate is larger than the distance. Then searches prove shortest
      solutions. Without it, answers are "solved", never "optimal".

    >>> import numpy as np
    >>> def misplaced(boards):
    ...     goal = np.append(np.arange(1, boards.shape[1]), 0)
    ...     return ((boards != goal) & (boards != 0)).sum(1)
    >>> tables = Tables.open(Heuristic(misplaced, "misplaced tiles", admissible=True), shape=(3, 3))
    >>> tables.estimate(["1 2 3/4 5 6/0 7 8"])
    array([2], dtype=int16)
    >>> answer = Solver(tables, search="batch-astar").solve("1 2 3/4 0 8/7 6 5")
    >>> answer.status, answer.length, answer.spec
    ('optimal', 6, 'misplaced tiles')
    """

    function: Callable[[npt.NDArray[np.uint8]], npt.ArrayLike]
    name: str = "own"
    admissible: bool = False

    def _estimates(self, cells: bytes, count: int) -> bytes:
        """Calls the function for the compiled half; four bytes for each estimate, in little-endian order."""
        if count == 0:
            return b""
        boards = np.frombuffer(cells, np.uint8).reshape(count, -1)
        estimates = np.asarray(self.function(boards))
        if estimates.shape != (count,) or not np.issubdtype(estimates.dtype, np.integer):
            raise ArgumentError(
                f"expected {count} estimates as integers [{count}], found {estimates.dtype} "
                f"{list(estimates.shape)} from the heuristic {self.name!r}"
            )
        if not 0 <= estimates.min() <= estimates.max() <= ESTIMATE_MAX:
            raise ArgumentError(
                f"expected estimates from 0 to {ESTIMATE_MAX}, found {estimates.min()} to "
                f"{estimates.max()} from the heuristic {self.name!r}"
            )
        return estimates.astype("<u4").tobytes()
