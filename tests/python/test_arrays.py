from __future__ import annotations

import itertools
import re

import numpy as np
import pandas as pd
import pytest

import oracle
import tilebase as tb
from tilebase import _tilebase


def permutations(cells: int) -> np.ndarray:
    return np.array(list(itertools.permutations(range(cells))), np.uint8)


@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (3, 2), (3, 3)])
def test_ranks_are_the_order_of_permutations(shape):
    boards = permutations(shape[0] * shape[1])
    ranks = np.arange(len(boards))
    found = tb.rank(boards, shape)
    assert found.dtype == np.int64 and np.array_equal(found, ranks)
    assert np.array_equal(tb.unrank(ranks, shape), boards)
    picked = ranks[:: max(1, len(ranks) // 50)]
    assert np.array_equal(tb.rank(tb.unrank(picked[::-1], shape), shape), picked[::-1])


def test_ranks_reach_to_20_cells():
    boards = tb.scramble(1000, (4, 5), seed=3)
    ranks = tb.rank(boards, (4, 5))
    assert np.array_equal(tb.unrank(ranks, (4, 5)), boards)
    assert ranks.min() > 0
    with pytest.raises(tb.LimitError):
        tb.rank(tb.scramble(1, (5, 5)))
    with pytest.raises(tb.LimitError):
        tb.unrank([0], (5, 5))


@pytest.mark.parametrize("wrong", [[-1], [0, 720], [[0]], [0.5], ["x"], [None], [2**63], [True, False]])
def test_invalid_ranks_are_refused(wrong):
    with pytest.raises(tb.BoardError) as caught:
        tb.unrank(wrong, (2, 3))
    if wrong == [0, 720]:
        assert caught.value.row == 1 and "row 1" in str(caught.value)


@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (3, 2), (3, 3)])
@pytest.mark.parametrize("goal", ["blank-last", "blank-first", "snail"])
def test_distances_equal_those_of_the_oracle(shape, goal):
    rows, cols = shape
    expected = oracle.distances(rows, cols, tb.Goal(goal, shape).board.tiles)
    found = tb.distances(shape, goal)
    assert found.dtype == np.uint8
    boards = permutations(rows * cols)
    assert len(found) == len(boards)
    known = [expected.get(tuple(board), tb.NO_DISTANCE) for board in boards.tolist()]
    assert np.array_equal(found, known)
    assert np.array_equal(tb.is_solvable(boards, goal, shape), found != tb.NO_DISTANCE)
    assert np.array_equal(tb.is_goal(boards, goal, shape), found == 0)


def test_distances_come_in_parts_of_a_megabyte():
    made = _tilebase.Distances(tb.Goal(shape=(2, 5)), "stm")
    parts = []
    while count := len(made):
        parts.append(made.take_last())
        assert len(made) == count - len(parts[-1])
    assert max(map(len, parts)) <= 2**20 and len(parts) == 4 and made.take_last() == b""
    assert b"".join(reversed(parts)) == tb.distances((2, 5)).tobytes()


@pytest.mark.parametrize("place", [0, 65_535, 65_536, 150_000])
def test_errors_in_large_arrays_name_the_row(place, manhattan):
    boards = np.tile(tb.scramble(1), (200_000, 1))
    boards[place, 3] = 99
    for use in (
        tb.boards_array, tb.neighbours, tb.rank, tb.is_goal, tb.is_solvable, manhattan.estimate,
        tb.Solver(manhattan).solve_many,
        lambda boards: tb.rank(boards.astype(np.int64)),
    ):  # fmt: skip
        with pytest.raises(tb.BoardError, match=f"row {place}: ") as caught:
            use(boards)
        assert caught.value.row == place
    boards = np.tile(tb.scramble(1), (200_000, 1))
    boards[place] = [*range(1, 14), 15, 14, 0]
    with pytest.raises(tb.UnsolvableError, match=f"row {place}: ") as caught:
        manhattan.estimate(boards)
    assert caught.value.row == place
    ranks = np.zeros(200_000, np.int64)
    ranks[place] = -1
    with pytest.raises(tb.BoardError, match=f"row {place}: ") as caught:
        tb.unrank(ranks, (4, 4))
    assert caught.value.row == place


def test_large_arrays_have_the_results_of_their_parts():
    boards = tb.scramble(200_001, seed=3)
    assert (tb.unrank(tb.rank(boards), (4, 4)) == boards).all()
    with_goal = np.vstack([boards, [tb.Goal(shape=(4, 4)).board.tiles]])
    assert np.flatnonzero(tb.is_goal(with_goal)).tolist() == [200_001]
    assert tb.is_solvable(boards).all() and len(tb.is_solvable(boards)) == 200_001
    near = tb.neighbours(boards)
    for row in (0, 65_535, 65_536, 200_000):
        one = tb.neighbours(boards[row : row + 1])
        assert (near.boards[row] == one.boards[0]).all() and (near.legal[row] == one.legal[0]).all()
    assert tb.estimate(boards)[-3:].tolist() == tb.estimate(boards[-3:]).tolist()


def test_distances_of_too_many_boards_are_refused():
    for shape in [(4, 4), (6, 6), (2, 7)]:
        with pytest.raises(tb.LimitError):
            tb.distances(shape)


@pytest.mark.parametrize("shape", [(2, 3), (3, 2), (3, 3)])
def test_neighbours_equal_those_of_the_oracle(shape):
    rows, cols = shape
    boards = permutations(rows * cols)[::37]
    near = tb.neighbours(boards, shape)
    assert near.boards.shape == (len(boards), 4, rows * cols) and near.boards.dtype == np.uint8
    assert near.legal.shape == (len(boards), 4) and near.legal.dtype == np.bool_
    for row, board in enumerate(boards.tolist()):
        for number, letter in enumerate(tb.MOVES):
            expected = oracle.moved(rows, cols, tuple(board), letter)
            assert near.legal[row, number] == (expected is not None)
            assert tuple(near.boards[row, number]) == (expected or tuple(board))
    # The caller may change the result.
    near.boards[0, 0, 0] = 9


def test_estimates_equal_those_of_the_oracle(manhattan):
    boards = permutations(6)
    boards = boards[tb.is_solvable(boards, shape=(2, 3))]
    expected = [oracle.manhattan(3, tuple(board), oracle.blank_last(2, 3)) for board in boards.tolist()]
    found = manhattan.estimate(boards, shape=(2, 3))
    assert found.dtype == np.int16 and np.array_equal(found, expected)
    assert np.array_equal(tb.estimate(boards, "manhattan", shape=(2, 3)), expected)


def test_arrays_of_any_layout_and_type_are_read():
    boards = tb.scramble(100, (3, 3), seed=5)
    expected = tb.rank(boards)
    wide = np.zeros((200, 18), np.int64)
    wide[::2, ::2] = boards
    read_only = boards.copy()
    read_only.flags.writeable = False
    backwards = np.ascontiguousarray(boards[::-1])[::-1]
    cells_backwards = np.ascontiguousarray(boards[:, ::-1])[:, ::-1]
    for same in [
        wide[::2, ::2], read_only, backwards, cells_backwards, np.asfortranarray(boards),
        boards.astype(">u4"), boards.astype(np.int8), boards.astype(np.uint64),
        boards.reshape(100, 3, 3), boards.reshape(100, 3, 3).transpose(0, 2, 1).transpose(0, 2, 1),
        np.ma.masked_array(boards), boards.tolist(), list(boards), list(boards.reshape(100, 3, 3)),
        [tb.Board(board) for board in boards], (str(tb.Board(board)) for board in boards),
    ]:  # fmt: skip
        assert np.array_equal(tb.rank(same), expected)
    transposed = boards.reshape(100, 3, 3).transpose(0, 2, 1)
    assert np.array_equal(tb.rank(transposed), tb.rank(np.ascontiguousarray(transposed)))


def test_masked_numbers_are_refused(manhattan):
    boards = np.ma.masked_array(tb.scramble(5, (3, 3)), mask=np.zeros((5, 9), bool))
    assert len(tb.rank(boards)) == 5
    boards[3, 4] = np.ma.masked
    for use in (tb.rank, tb.neighbours, tb.boards_array, manhattan.estimate, tb.Solver(manhattan).solve_many):
        for masked in (boards, boards.reshape(5, 3, 3)):
            with pytest.raises(tb.BoardError, match="row 3: .*masked") as caught:
                use(masked)
            assert caught.value.row == 3
    with pytest.raises(tb.BoardError, match="row 1: .*masked"):
        tb.unrank(np.ma.masked_array([1, 2], mask=[False, True]), (3, 3))
    with pytest.raises(tb.BoardError):
        tb.Board(boards[3])
    answers = tb.Solver(manhattan).solve_all(boards, invalid="answer")
    assert [answer.status for answer in answers].index("invalid") == 3


def test_empty_arrays_have_empty_results():
    for nothing in [np.empty((0, 9), np.uint8), np.empty((0, 3, 3), int)]:
        assert tb.rank(nothing).shape == (0,)
        assert tb.neighbours(nothing).boards.shape == (0, 4, 9)
        assert tb.estimate(nothing).shape == (0,)
    assert tb.rank([], shape=(3, 3)).shape == (0,)
    assert tb.unrank([], (3, 3)).shape == (0, 9)
    assert tb.scramble(0, (3, 3)).shape == (0, 9)


GOOD = np.array([[1, 2, 3, 4, 5, 6, 7, 8, 0]] * 3)


def with_row(row: int, tiles: object, dtype: object = None) -> np.ndarray:
    boards = GOOD.astype(dtype or np.int64)
    boards[row] = tiles
    return boards


def test_distances_count_slides_in_the_other_metric():
    far = tb.distances((3, 3), metric="mtm")
    known = far != tb.NO_DISTANCE
    assert (known.sum(), far[known].max()) == (181_440, 24)
    assert (far[known] <= tb.distances((3, 3))[known]).all()
    with pytest.raises(tb.ArgumentError, match="expected a metric stm or mtm"):
        tb.distances((3, 3), metric="moves")


@pytest.mark.parametrize(
    ("boards", "row"),
    [
        (with_row(1, [1, 1, 3, 4, 5, 6, 7, 8, 0]), 1),
        (with_row(2, [1, 2, 3, 4, 5, 6, 7, 8, 9]), 2),
        (with_row(0, [1, 2, 3, 4, 5, 6, 7, 8, 256]), 0),
        (with_row(2, [1, 2, 3, 4, 5, 6, 7, 8, -1]), 2),
        (with_row(1, [1, 2, 3, 4, 5, 6, 7, 8, 2**63 + 1], np.uint64), 1),
        (with_row(1, 0), 1),
        (["123456780", "x"], 1),
        (["123456780", "1 2/3 0"], 1),
        ([[1, 2, 3, 4, 5, 6, 7, 8, 0], [1, 2, 3]], 1),
        (GOOD.astype(float), None),
        (GOOD.astype(bool), None),
        (GOOD.astype(object), None),
        (GOOD.astype(str), None),
        (GOOD.astype("datetime64[s]"), None),
        (GOOD.astype(complex), None),
        (GOOD[:, :8], None),
        (np.array(3), None),
        (GOOD.reshape(3, 3, 3, 1), None),
        (np.zeros((2, 0), int), None),
        (np.zeros((1, 10**6), np.uint8), None),
        (np.zeros((3, 9, 9), int), None),
    ],
    ids=str,
)
def test_invalid_arrays_are_refused_with_the_row(boards, row, manhattan, whole):
    solver = tb.Solver(whole)
    for use in (
        tb.rank, tb.neighbours, tb.is_goal, tb.is_solvable, tb.boards_array, tb.estimate,
        manhattan.estimate, solver.solve_all,
    ):  # fmt: skip
        with pytest.raises(tb.BoardError) as caught:
            use(boards)
        assert caught.value.row == row, use
        assert row is None or f"row {row}" in str(caught.value)


@pytest.mark.parametrize(
    "board",
    [tb.Board("1 2 3/4 5 6/7 8 0"), tb.Goal(shape=(3, 3)), "1 2 3/4 5 6/7 8 0", [1, 2, 3, 4, 5, 6, 7, 8, 0]],
    ids=["board", "goal", "text", "numbers"],
)
def test_one_board_where_several_are_expected_is_refused(board, whole):
    check_refusals(board, whole)


def check_refusals(board, whole):
    solver = tb.Solver(whole)
    uses = [tb.rank, tb.neighbours, tb.is_goal, tb.is_solvable, tb.boards_array]
    if not isinstance(board, str):
        uses += [solver.solve_many, solver.solve_all, lambda b: solver.solve_many(b, invalid="answer")]
    for use in uses:
        with pytest.raises(tb.BoardError, match="expected several boards, found one: write"):
            use(board)
        use([board])


TILES = (8, 6, 7, 2, 5, 4, 3, 0, 1)
#: All forms of one board of 3x3.
ONE_BOARD = [
    tb.Board(TILES), str(tb.Board(TILES)), list(TILES), TILES, np.array(TILES), np.array(TILES, np.uint8),
    np.array(TILES).reshape(3, 3), np.asfortranarray(np.array(TILES).reshape(3, 3)), pd.Series(TILES),
    pd.DataFrame(np.array(TILES).reshape(3, 3)).to_numpy(), [[8, 6, 7], [2, 5, 4], [3, 0, 1]],
    ((8, 6, 7), (2, 5, 4), (3, 0, 1)), list(np.array(TILES).reshape(3, 3)), np.ma.masked_array(TILES),
]  # fmt: skip


@pytest.mark.parametrize("form", range(len(ONE_BOARD)))
def test_functions_for_one_board_and_for_either_take_the_same_boards(form, whole):
    board, solver = ONE_BOARD[form], tb.Solver(whole)
    assert tb.Board(board) == whole.board(board) == solver.solve(board).board == whole.explain(board).board
    for use in (whole.estimate, lambda board: tb.estimate(board, "8/whole"), lambda board: whole.estimate(board, "3x3")):
        assert use(board) == 31 and isinstance(use(board), int)
        several = use([board, board])
        assert several.tolist() == [31, 31]
    check_refusals(board, whole)


def test_one_board_of_rows_is_told_from_several_of_smaller_shapes(manhattan):
    boards = tb.scramble(4, seed=2)
    expected = tb.estimate(boards).tolist()
    assert [tb.estimate(board) for board in boards] == expected
    assert [tb.estimate(board.reshape(4, 4)) for board in boards] == expected
    assert [tb.estimate(board.reshape(4, 4).tolist()) for board in boards] == expected
    assert tb.estimate(boards.reshape(4, 4, 4)).tolist() == expected
    # Four boards of 2x2, and a list and an array of one board.
    assert tb.estimate(tb.scramble(4, (2, 2))).shape == (4,)
    assert tb.estimate(tb.scramble(4, (2, 2)).tolist()).shape == (4,)
    assert tb.estimate(boards[:1]).shape == tb.estimate(boards[:1].tolist()).shape == (1,)
    # Rows of a known shape are one board, though a wrong one.
    wrong = boards[0].reshape(4, 4).copy()
    wrong[1, 2] = 99
    for estimate in (tb.Tables.open("manhattan", shape=(4, 4)).estimate, lambda wrong: manhattan.estimate(wrong, "4x4")):
        with pytest.raises(tb.BoardError, match="row 2, column 3 holds tile 99") as caught:
            estimate(wrong)
        assert caught.value.row is None


def test_array_of_texts_is_a_list_of_them(whole):
    texts = ["8 6 7/2 5 4/3 0 1", "1 2 3/4 5 6/7 8 0"]
    frame = pd.DataFrame({"board": texts})
    for boards in (texts, np.array(texts), np.array(texts, object), frame["board"], frame["board"].to_numpy()):
        assert tb.rank(boards).tolist() == tb.rank(texts).tolist()
        assert whole.estimate(boards).tolist() == [31, 0]
        for invalid in ("raise", "answer"):
            answers = tb.Solver(whole).solve_all(boards, invalid=invalid)
            assert [answer.length for answer in answers] == [31, 0]
    with pytest.raises(tb.BoardError, match="row 1: "):
        tb.rank(np.array(["1 2 3/4 5 6/7 8 0", "1 2"]))


@pytest.mark.parametrize("wrong", [1.0, None, "x"], ids=str)
def test_values_that_are_no_tiles_are_named(wrong, whole):
    for board in ([1, 2, 3, 4, 5, 6, 7, 8, wrong], [[1, 2, 3], [4, 5, 6], [7, 8, wrong]]):
        with pytest.raises(tb.BoardError, match=re.escape(f"expected tiles as integers, found {wrong!r}")):
            tb.Board(board)
        with pytest.raises(tb.BoardError, match=re.escape(f"row 1: expected tiles as integers, found {wrong!r}")):
            tb.rank([tb.Goal(shape=(3, 3)).board, board])


def test_frame_of_cells_is_read_without_its_column_names(whole):
    boards = tb.scramble(20, (3, 3), seed=8)
    frame = pd.DataFrame(boards, columns=list("123456780"))
    assert np.array_equal(tb.rank(frame), tb.rank(boards))
    assert np.array_equal(whole.estimate(frame), whole.estimate(boards))
    solver = tb.Solver(whole)
    lengths = whole.estimate(boards).tolist()
    for invalid in ("raise", "answer"):
        assert [answer.length for answer in solver.solve_many(frame, invalid=invalid)] == lengths
    # Column names that are boards are not read either.
    named = pd.DataFrame(boards[:, :2], columns=["123456780", "867254301"])
    with pytest.raises(tb.BoardError):
        solver.solve_many(named)
    with pytest.raises(tb.BoardError, match="integers"):
        tb.rank(frame.astype(float))


def test_million_boards_are_estimated(manhattan):
    boards = tb.scramble(1_000_000, seed=1)
    assert boards.shape == (1_000_000, 16)
    found = manhattan.estimate(boards)
    where = np.arange(16)
    far = abs(where[:, None] // 4 - where // 4) + abs(where[:, None] % 4 - where % 4)
    home = np.r_[15, :15]
    expected = (far[where, home[boards]] * (boards != 0)).sum(1)
    assert np.array_equal(found, expected)
    assert tb.is_solvable(boards).all()


def test_scrambles_have_their_seed_optimum_and_steps():
    assert np.array_equal(tb.scramble(5, seed=7), tb.scramble(5, seed=7))
    assert not np.array_equal(tb.scramble(5, seed=7), tb.scramble(5, seed=8))
    known = tb.distances((3, 3), "snail")
    boards = tb.scramble(200, (3, 3), optimum=(10, 12), goal="snail")
    assert set(known[tb.rank(boards)]) == {10, 11, 12}
    walks = tb.scramble(200, (3, 3), steps=7, goal="snail")
    assert known[tb.rank(walks)].max() <= 7
    korf = tb.board_set("korf50")
    assert korf.goal.name == "blank-first" and korf.boards.shape == (50, 25)
    hardest = tb.board_set("hardest", (3, 3))
    assert (tb.distances((3, 3))[tb.rank(hardest.boards)] == 31).all()
    for wrong in ["x", "random:1", "random:-1:1", "random:2000000:1", "optimum:90..99:1:1"]:
        with pytest.raises(tb.BoardError):
            tb.board_set(wrong, (3, 3))
    with pytest.raises(ValueError):
        tb.scramble(1, steps=3, optimum=(3, 4))
    assert np.array_equal(tb.scramble(9, (3, 3), optimum=20), tb.scramble(9, (3, 3), optimum=(20, 20)))
    assert set(known[tb.rank(tb.scramble(9, (3, 3), optimum=20, goal="snail"))]) == {20}


def test_scrambles_without_a_seed_differ():
    assert len({tb.scramble(2, seed=None).tobytes() for _ in range(5)}) == 5
    assert len({tb.scramble(2, (3, 3), optimum=20, seed=None).tobytes() for _ in range(5)}) > 1
    boards, moves = tb.scramble(3, (3, 3), steps=20, seed=None, moves=True)
    for board, walk in zip(boards, moves, strict=True):
        assert tb.Goal(shape=(3, 3)).board.after(walk) == tb.Board(board)
    assert len({tb.draw_seed() for _ in range(5)}) == 5
    # The default is the same seed every time.
    assert np.array_equal(tb.scramble(3), tb.scramble(3, seed=0))


def test_walks_have_their_moves():
    for goal in ("blank-last", "snail"):
        boards, moves = tb.scramble(50, (3, 4), steps=17, seed=3, goal=goal, moves=True)
        assert np.array_equal(boards, tb.scramble(50, (3, 4), steps=17, seed=3, goal=goal))
        begin = tb.Goal(goal, (3, 4)).board.tiles
        for board, walk in zip(boards.tolist(), moves, strict=True):
            assert len(walk) == 17 and oracle.replayed(3, 4, begin, walk) == tuple(board)
    boards, moves = tb.scramble(0, (3, 4), steps=17, moves=True)
    assert boards.shape == (0, 12) and moves == []
    for without in ({}, {"optimum": 3}):
        with pytest.raises(tb.ArgumentError, match="steps"):
            tb.scramble(1, (3, 3), moves=True, **without)


def test_set_with_a_goal_of_its_own_refuses_another_one():
    for name, side, other in [("korf100", 4, (3, 3)), ("korf50", 5, "4x4")]:
        for same in ({}, {"shape": (side, side)}, {"goal": "blank-first"}, {"goal": tb.Goal("blank-first", (side, side))}):
            assert tb.board_set(name, **same).boards.shape[1] == side**2
        for wrong, said in [
            ({"shape": other}, f"{name} has {side}x{side} boards, found the shape"),
            ({"goal": "blank-last"}, f"{name} has the goal blank-first, found the goal blank-last"),
            ({"goal": "snail", "shape": (side, side)}, f"{name} has the goal blank-first, found the goal snail"),
            ({"goal": tb.Goal("blank-first", (3, 3))}, f"{name} has the goal blank-first, found"),
        ]:
            with pytest.raises(tb.ArgumentError, match=said):
                tb.board_set(name, **wrong)


@pytest.mark.parametrize(
    ("wrong", "name"),
    [
        ({"count": -1}, "count"), ({"count": 1_000_001}, "count"), ({"seed": -1}, "seed"), ({"seed": 2**64}, "seed"),
        ({"steps": -3}, "steps"), ({"steps": 1_000_001}, "steps"), ({"optimum": -1}, "optimum"),
        ({"optimum": (3, 2)}, "optimum"), ({"optimum": (1, 2, 3)}, "optimum"), ({"count": 0, "seed": -1}, "seed"),
    ],
    ids=str,
)  # fmt: skip
def test_scrambles_out_of_range_are_refused_by_the_names_of_their_arguments(wrong, name):
    with pytest.raises(tb.ArgumentError, match=f"{name}.*found") as caught:
        tb.scramble(**{"count": 1, "shape": (3, 3), **wrong})
    assert isinstance(caught.value, ValueError) and "random:" not in str(caught.value)


@pytest.mark.parametrize("wrong", [{"count": 1.5}, {"seed": "1"}, {"steps": 2.0}, {"optimum": 2.5}], ids=str)
def test_scrambles_refuse_numbers_that_are_no_integers(wrong):
    with pytest.raises(TypeError, match="expected an integer"):
        tb.scramble(**{"count": 1, "shape": (3, 3), **wrong})
