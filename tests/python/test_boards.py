from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import oracle
import tilebase as tb

EIGHT = "8 6 7/2 5 4/3 0 1"


def test_boards_are_read_from_every_notation():
    expected = tb.Board(EIGHT)
    rows = [[8, 6, 7], [2, 5, 4], [3, 0, 1]]
    flat = [8, 6, 7, 2, 5, 4, 3, 0, 1]
    for written in [
        EIGHT, "867254301", rows, flat, tuple(flat), np.array(rows), np.array(flat, np.uint8),
        np.array(flat, ">i8"), np.array(rows)[::-1][::-1], np.asfortranarray(rows), expected,
    ]:  # fmt: skip
        assert tb.Board(written) == expected
    assert np.array_equal(np.asarray(expected), rows)
    assert np.asarray(expected).dtype == np.uint8
    assert np.array(expected, dtype=np.int64).dtype == np.int64
    assert np.array([expected, expected]).shape == (2, 3, 3)
    with pytest.raises(ValueError):
        np.asarray(expected, copy=False)


def test_boards_are_values():
    board, goal, shape = tb.Board(EIGHT), tb.Goal("snail", (3, 3)), tb.Shape(3, 4)
    for value in (board, goal, shape):
        for same in (copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
            assert same == value and hash(same) == hash(value) and repr(same) == repr(value)
        assert eval(repr(value), vars(tb)) == value
        assert value != 3 and value not in [None, "x"]
        assert type(value).__module__ == "tilebase"
        with pytest.raises(AttributeError):
            value.rows = 3
    assert len({board, tb.Board(EIGHT)}) == 1
    for spec in (tb.Spec("8/4-4"), tb.partition("A A B/A B B/B B .", name="mine")):
        same = pickle.loads(pickle.dumps(spec))
        assert same == spec and hash(same) == hash(spec) and same.to_toml() == spec.to_toml()


def test_moves_equal_those_of_the_oracle():
    for tiles in list(oracle.distances(2, 3, oracle.blank_last(2, 3)))[:200]:
        board = tb.Board(tiles, shape=(2, 3))
        legal = [letter for letter in "URDL" if oracle.moved(2, 3, tiles, letter)]
        assert board.legal == "".join(legal)
        for letter in legal:
            assert board.after(letter).tiles == oracle.moved(2, 3, tiles, letter)
        assert board.tiles[board.blank] == 0
    with pytest.raises(tb.BoardError, match="move"):
        tb.Board(EIGHT).after("UUUU")


@pytest.mark.parametrize(
    "wrong",
    [
        "", "x", "1 2 3", "1 1 2/3 4 5/6 7 0", "1 2 3/4 5 6/7 8 10", [1, 2, 3], [1.5] * 9, [[1, 2], [3]],
        [-1, 1, 2, 3], [0, 1, 2, 300], [2**70, 0, 1, 2], None, 7, object(), b"123456780", [], [[]], [None] * 9,
        ["1"] * 9, range(10**9), np.zeros((2, 2, 2), int), {"a": 1}, "\0" * 9, "9" * 10**6,
    ],
    ids=lambda wrong: repr(wrong)[:30],
)  # fmt: skip
def test_invalid_boards_are_refused(wrong):
    with pytest.raises(tb.BoardError):
        tb.Board(wrong)


def test_boards_of_other_shapes_are_refused():
    with pytest.raises(tb.BoardError, match="3x3"):
        tb.Board(EIGHT, shape=(2, 3))
    for wrong in [(1, 2, 3), "3", "3x", "x", (0, 3), (-1, 3), (7, 7), (2**70, 2), None, 3.0, [2], "99x99"]:
        with pytest.raises((tb.BoardError, TypeError)):
            tb.rank(np.zeros((1, 9), int), shape=wrong) if wrong is not None else tb.Goal("snail")
    for rows in (2**70, -1, 0, 99):
        with pytest.raises(tb.BoardError):
            tb.Shape(rows, 2)


def test_goals_have_names():
    for name in ("blank-last", "blank-first", "snail"):
        goal = tb.Goal(name, shape="4x5")
        assert goal.name == name and tb.Goal(goal.board) == goal and tb.Goal(goal) == goal
        assert goal.is_goal(goal.board) and goal.is_solvable(goal.board)
    assert tb.Goal(shape=(2, 2)).board.tiles == (1, 2, 3, 0)
    goal = tb.Goal("1 2/0 3")
    assert not goal.is_solvable("2 1/0 3") and goal.is_solvable("0 2/1 3")
    for wrong in ("1 2 3", "unknown", 7):
        with pytest.raises((tb.SpecError, tb.BoardError, TypeError)):
            tb.Goal(wrong, shape=(3, 3))


LONE = "\udcff"


def test_exceptions_have_the_documented_classes(whole, tmp_path):
    for use in (
        lambda: tb.Shape(2**70, 2), lambda: tb.Board(LONE), lambda: tb.rank([LONE]), lambda: tb.rank([EIGHT], LONE),
        lambda: tb.Goal(LONE, (3, 3)), lambda: whole.estimate(LONE), lambda: whole.estimate(EIGHT, (2**70, 3)),
        lambda: tb.Solver(whole).solve(LONE), lambda: tb.Solver(whole).solve_all([LONE]),
        lambda: tb.Solver(whole, time="x"), lambda: tb.Solver(whole, time=10**400),
        lambda: tb.unrank([2**70], (3, 3)), lambda: tb.scramble(1, seed=2**70), lambda: tb.integer_program(LONE),
        lambda: tb.Solver(whole).solve("2 1 3/4 5 6/7 8 0").film(),
    ):  # fmt: skip
        with pytest.raises(tb.TilebaseError):
            use()
    with pytest.raises(tb.BoardError, match="row 1: ") as caught:
        tb.rank([EIGHT, LONE])
    assert caught.value.row == 1
    # Arguments of a wrong type, and names with lone surrogates.
    for nothing in (None, 3, 2.5):
        for use in (tb.rank, tb.neighbours, tb.boards_array, whole.estimate, tb.Solver(whole).solve_many):
            with pytest.raises(TypeError, match="expected an array or another iterable of boards, found"):
                use(nothing)
    for use in (
        lambda: tb.Shape("2", 2), lambda: tb.Goal(7, (3, 3)), lambda: tb.Spec(7), lambda: tb.Tables.open(7),
        lambda: tb.Solver(None), lambda: tb.Board(EIGHT).after(7), lambda: tb.Solver(whole).check(EIGHT, 7),
        lambda: tb.scramble("1"), lambda: tb.verify(7), lambda: tb.board_set(7),
    ):  # fmt: skip
        with pytest.raises(TypeError):
            use()
    for use in (
        lambda: tb.Spec(LONE), lambda: tb.Tables.open(LONE), lambda: tb.board_set(LONE),
        lambda: tb.Board(EIGHT).after(LONE), lambda: tb.Solver(whole, search=LONE),
        lambda: tb.Solver(whole).check(EIGHT, LONE), lambda: tb.Solver(whole).solve_many(LONE),
    ):  # fmt: skip
        with pytest.raises(UnicodeEncodeError):
            use()
