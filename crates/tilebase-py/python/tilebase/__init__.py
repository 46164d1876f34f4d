"""Shortest solutions of sliding-tile puzzles by pattern databases, on numpy arrays.

>>> tables = Tables.ensure("8/whole", folder=folder)
>>> solver = Solver(tables)
>>> solver.solve("8 6 7/2 5 4/3 0 1").length
31
>>> [answer.length for answer in solver.solve_many(scramble(3, (3, 3), seed=1))]
[25, 24, 15]

Boards are texts, numbers row by row or arrays of `uint8`; 0 is the blank. Moves are letters of "URDL", the
directions that tiles move in. Lengths and estimates are in moves, times in seconds, sizes in bytes.

- Boards: `Board`, `Goal`, `Shape`; `scramble`, `draw_seed`, `board_set`
- Arrays of boards: `boards_array`, `neighbours`, `is_goal`, `is_solvable`, `rank`, `unrank`, `distances`
- Tables: `Tables`, `Spec`, `partition`, `verify`, `inspect`, `specs`, `tqdm_progress`
- Answers: `Solver`, `searches`, `Cancel`, `Answer`, `AnswerArrays`, `AnswerStream`, `Improvements`, `to_frame`
- Heuristics: `estimate`, `heuristics`, `Heuristic`
- Integer programs: `integer_program`
- Exceptions: `TilebaseError` and its subclasses; `TypeError` for arguments of a wrong type
"""

from __future__ import annotations

from ._answers import (
    Answer,
    AnswerArrays,
    BuildReport,
    Check,
    Explanation,
    Move,
    Moves,
    SolutionCount,
    Solutions,
    TableReport,
    Totals,
    VerifyReport,
    to_frame,
)
from ._arrays import (
    MOVES,
    NO_DISTANCE,
    Neighbours,
    boards_array,
    distances,
    is_goal,
    is_solvable,
    neighbours,
    rank,
    unrank,
)
from ._errors import (
    ArgumentError,
    BoardError,
    CancelledError,
    DamagedTableError,
    FileError,
    LimitError,
    MissingTableError,
    ModelError,
    MovesError,
    SpecError,
    TableError,
    TilebaseError,
    UnsolvableError,
)
from ._heuristic import Heuristic
from ._program import IntegerProgram, MilpArguments, integer_program
from ._progress import Progress, tqdm_progress
from ._sets import BoardSet, board_set, draw_seed, scramble
from ._solver import AnswerStream, Improvements, Solver, searches
from ._tables import (
    Tables,
    estimate,
    heuristics,
    inspect,
    partition,
    spec_listing,
    specs,
    usual_folder,
    verify,
)
from ._tilebase import VERSION as __version__
from ._tilebase import Board, Cancel, Goal, Shape, Spec

del annotations

__all__ = [
    "MOVES",
    "NO_DISTANCE",
    "Answer",
    "AnswerArrays",
    "AnswerStream",
    "ArgumentError",
    "Board",
    "BoardError",
    "BoardSet",
    "BuildReport",
    "Cancel",
    "CancelledError",
    "Check",
    "DamagedTableError",
    "Explanation",
    "FileError",
    "Goal",
    "Heuristic",
    "Improvements",
    "IntegerProgram",
    "LimitError",
    "MilpArguments",
    "MissingTableError",
    "ModelError",
    "Move",
    "Moves",
    "MovesError",
    "Neighbours",
    "Progress",
    "Shape",
    "SolutionCount",
    "Solutions",
    "Solver",
    "Spec",
    "SpecError",
    "TableError",
    "TableReport",
    "Tables",
    "TilebaseError",
    "Totals",
    "UnsolvableError",
    "VerifyReport",
    "__version__",
    "board_set",
    "boards_array",
    "distances",
    "draw_seed",
    "estimate",
    "heuristics",
    "inspect",
    "integer_program",
    "is_goal",
    "is_solvable",
    "neighbours",
    "partition",
    "rank",
    "scramble",
    "searches",
    "spec_listing",
    "specs",
    "to_frame",
    "tqdm_progress",
    "unrank",
    "usual_folder",
    "verify",
]
