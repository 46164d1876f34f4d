"""Uses of all public names, which `mypy --strict` checks. No test runs this file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

import tilebase as tb


def boards() -> Iterator[tb.Board]:
    yield tb.Board("1 2 3/4 5 6/0 7 8")


def blanks(boards: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]:
    return np.asarray((boards == 0).sum(1), np.int64)


def main(folder: Path) -> None:
    one: int = tb.estimate("8 6 7/2 5 4/3 0 1")
    several: npt.NDArray[np.int16] = tb.estimate(["8 6 7/2 5 4/3 0 1"], "pairwise")
    ours: npt.NDArray[np.int16] = tb.estimate(["1 2 3/4 5 6/7 8 0"], tb.Heuristic(blanks, "blanks"))
    ranks: npt.NDArray[np.int64] = tb.rank(tb.scramble(3, (3, 3)))
    walked: npt.NDArray[np.uint8] = tb.scramble(3, steps=9)
    walks: tuple[npt.NDArray[np.uint8], list[str]] = tb.scramble(3, steps=9, moves=True)
    known: npt.NDArray[np.uint8] = tb.distances("3x3")[ranks]
    near: tb.Neighbours = tb.neighbours(tb.unrank(ranks, (3, 3)))
    after, legal = near
    goals: npt.NDArray[np.bool_] = tb.is_goal(after[legal], tb.Goal("snail", (3, 3)))
    with tb.Tables.ensure("8/whole", folder=folder, progress=tb.tqdm_progress()) as tables:
        solver = tb.Solver(tables, time=3.0, search="astar")
        answer: tb.Answer = solver.solve("8 6 7/2 5 4/3 0 1")
        length: int | None = answer.length
        best: tb.Answer = solver.solve("8 6 7/2 5 4/3 0 1", within="500ms")
        improvements: tb.Improvements = tb.Solver(tables, within=0.5).improve("8 6 7/2 5 4/3 0 1")
        shorter: list[int | None] = [each.length for each in improvements]
        with solver.solve_many(boards()) as answers:
            lengths: list[int | None] = [each.length for each in answers]
            totals: tb.Totals = answers.totals
        arrays: tb.AnswerArrays = solver.solve_arrays(folder / "boards.txt")
        long: npt.NDArray[np.int16] = arrays.lengths[arrays.statuses == "optimal"]
        everything: list[tb.Answer] = solver.solve_all(folder / "boards.txt", invalid="answer")
        moves: tb.Moves = solver.moves(answer.board or "")
        count: int = solver.solutions("8 6 7/2 5 4/3 0 1", slack=2).count
        optimal: bool | None = solver.check("8 6 7/2 5 4/3 0 1", moves.best).optimal
        reports: list[tb.VerifyReport] = tables.verify("entries")
        headers: list[tb.TableReport] = tables.inspect()
        estimates: dict[str, int] = tables.explain("8 6 7/2 5 4/3 0 1").estimates
        frame = tb.to_frame(everything)
    try:
        program: tb.IntegerProgram = tb.integer_program("1 2 3/4 5 6/0 7 8", "neos", 3)
        pieces: tb.MilpArguments = program.to_scipy()
    except tb.BoardError as error:
        row: int | None = error.row
        print(row)
    built: list[tb.BuildReport] = tb.Tables.build(tb.partition("A A B/A B B/B B ."), folder=folder)
    board = tb.Board("1 2 3/4 5 6/0 7 8")
    rows, cols = board.shape
    tiles: list[int] = [board[0], board[1, 2], *board, *board[:rows]]
    path: list[tb.Board] = answer.boards()
    flat: int = tb.estimate([1, 2, 3, 4, 5, 6, 7, 8, 0])
    fresh: npt.NDArray[np.uint8] = tb.scramble(3, seed=None)
    print(
        cols, tiles, path, flat, fresh, f"{board:>20}", board.grid(), tb.to_frame(arrays),
        one, several, ours, known, goals, length, lengths, totals, count, optimal, reports, headers, estimates,
        frame, pieces, built, long, walked, walks, best, shorter,
    )  # fmt: skip
