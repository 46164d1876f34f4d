"""Slow, simple reference answers that do not use tilebase."""

from __future__ import annotations

import functools
from collections import deque

Tiles = tuple[int, ...]
STEPS = {"U": (1, 0), "R": (0, -1), "D": (-1, 0), "L": (0, 1)}


def blank_last(rows: int, cols: int) -> Tiles:
    return (*range(1, rows * cols), 0)


def moved(rows: int, cols: int, board: Tiles, letter: str) -> Tiles | None:
    """Returns the board after a move of a tile in a direction; None if the move is impossible."""
    row, col = divmod(board.index(0), cols)
    row_from, col_from = row + STEPS[letter][0], col + STEPS[letter][1]
    if not (0 <= row_from < rows and 0 <= col_from < cols):
        return None
    tiles = list(board)
    tiles[row * cols + col] = tiles[row_from * cols + col_from]
    tiles[row_from * cols + col_from] = 0
    return tuple(tiles)


@functools.cache
def distances(rows: int, cols: int, goal: Tiles) -> dict[Tiles, int]:
    """Returns the distance of each solvable board from the goal."""
    found = {goal: 0}
    queue = deque([goal])
    while queue:
        board = queue.popleft()
        for letter in "URDL":
            after = moved(rows, cols, board, letter)
            if after is not None and after not in found:
                found[after] = found[board] + 1
                queue.append(after)
    return found


def replayed(rows: int, cols: int, board: Tiles, moves: str) -> Tiles | None:
    """Returns the board after moves; None if one of them is impossible."""
    for letter in moves:
        after = moved(rows, cols, board, letter)
        if after is None:
            return None
        board = after
    return board


def solution_count(rows: int, cols: int, goal: Tiles, board: Tiles) -> int:
    """Returns the number of shortest solutions."""
    known = distances(rows, cols, goal)
    if board == goal:
        return 1
    nearer = (moved(rows, cols, board, letter) for letter in "URDL")
    return sum(
        solution_count(rows, cols, goal, after)
        for after in nearer
        if after is not None and known[after] == known[board] - 1
    )


def manhattan(cols: int, board: Tiles, goal: Tiles) -> int:
    return sum(
        abs(cell // cols - goal.index(tile) // cols) + abs(cell % cols - goal.index(tile) % cols)
        for cell, tile in enumerate(board)
        if tile
    )
