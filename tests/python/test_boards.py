from __future__ import annotations

import copy
import itertools
import math
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


def test_shapes_are_tuples_of_two_numbers():
    shape = tb.Shape(3, 4)
    rows, cols = shape
    assert (rows, cols) == (3, 4) == shape == tb.Shape(3, 4) and shape != (4, 3) and shape != [3, 4] and shape != "3x4"
    assert not shape != (3, 4) and hash(shape) == hash((3, 4)) and {(3, 4): 1}[shape] == 1 and shape in {(3, 4)}
    assert (len(shape), list(shape), shape[0], shape[-1], shape[:1], 4 in shape) == (2, [3, 4], 3, 4, (3,), True)
    with pytest.raises(IndexError):
        shape[2]
    assert np.zeros(12).reshape(shape).shape == shape and np.zeros(shape).shape == (3, 4)
    assert tb.Board(EIGHT).shape == (3, 3) == np.asarray(tb.Board(EIGHT)).shape


def test_boards_are_sequences_of_their_tiles():
    board = tb.Board("1 2 3 4/5 6 0 8/9 10 11 7")
    cells = np.asarray(board)
    assert len(board) == 12 and tuple(board) == board.tiles and 11 in board and 12 not in board
    assert [board[cell] for cell in range(-12, 12)] == [board.tiles[cell] for cell in range(-12, 12)]
    assert board[:4] == (1, 2, 3, 4) and board[::-1] == board.tiles[::-1]
    for row in range(-3, 3):
        for col in range(-4, 4):
            assert board[row, col] == cells[row, col] and isinstance(board[row, col], int)
    for wrong in (12, -13, (3, 0), (0, 4), (-4, 0), (0, -5)):
        with pytest.raises(IndexError):
            board[wrong]
    for wrong in ("1", 1.0, None, (1, 1.0)):
        with pytest.raises(TypeError):
            board[wrong]
    with pytest.raises(ValueError):
        board[1, 1, 1]


def test_boards_and_shapes_are_formatted_as_texts():
    board, goal = tb.Board(EIGHT), tb.Goal("snail", (3, 3))
    for value in (board, goal, board.shape):
        for spec in ("", ">20", "<20", "*^30", ".3", "s"):
            assert format(value, spec) == format(str(value), spec)
        with pytest.raises(ValueError):
            format(value, "d")
    assert board.grid() == "8 6 7\n2 5 4\n3 . 1"
    large = tb.scramble(1, (4, 5), seed=3)[0].reshape(4, 5)
    lines = tb.Board(large).grid().splitlines()
    assert [line.replace(".", "0").split() for line in lines] == large.astype(str).tolist()
    assert {len(line) for line in lines} == {14} and tb.Board("\n".join(lines)) == tb.Board(large)


def test_arrays_and_their_code_are_boards_and_goals():
    numbers = np.array([1, 2, 3, 4, 0, 5])
    board = tb.Board("1 2 3/4 0 5")
    assert tb.Board(numbers.reshape(2, 3)) == board
    assert tb.Board("np.array([1, 2, 3, 4, 0, 5]).reshape(2, 3)") == board
    assert tb.Goal(numbers.reshape(2, 3)).board == board
    with tb.Tables.open("manhattan", goal=numbers.reshape(2, 3)) as tables:
        assert tables.estimate(numbers.reshape(2, 3)) == 0
    with pytest.raises(tb.BoardError):
        tb.Goal(np.array([1, 2, 3, 4, 5, 5, 6, 7, 0]))


def test_moves_equal_those_of_the_oracle():
    for tiles in list(oracle.distances(2, 3, oracle.blank_last(2, 3)))[:200]:
        board = tb.Board(tiles, shape=(2, 3))
        legal = [letter for letter in "URDL" if oracle.moved(2, 3, tiles, letter)]
        assert board.legal == "".join(legal)
        for letter in legal:
            assert board.after(letter).tiles == oracle.moved(2, 3, tiles, letter)
        assert board.tiles[board.blank] == 0
    with pytest.raises(tb.MovesError, match="move"):
        tb.Board(EIGHT).after("UUUU")


@pytest.mark.parametrize(
    "wrong",
    [
        "", "x", "1 2 3", "1 1 2/3 4 5/6 7 0", "1 2 3/4 5 6/7 8 10", [1, 2, 3], [1.5] * 9, [[1, 2], [3]],
        [-1, 1, 2, 3], [0, 1, 2, 300], [2**70, 0, 1, 2], b"123456780", [], [[]], [None] * 9,
        ["1"] * 9, range(10**9), np.zeros((2, 2, 2), int), {"a": 1}, "\0" * 9, "9" * 10**6,
    ],
    ids=lambda wrong: repr(wrong)[:30],
)  # fmt: skip
def test_invalid_boards_are_refused(wrong):
    with pytest.raises(tb.BoardError):
        tb.Board(wrong)


@pytest.mark.parametrize("wrong", [300, -1, 256, 2**70, -(10**400)], ids=lambda wrong: repr(wrong)[:9])
@pytest.mark.parametrize("cell", [0, 5, 8])
def test_numbers_that_are_no_tiles_are_named_with_their_cell(wrong, cell):
    flat = list(tb.Board(EIGHT).tiles)
    flat[cell] = wrong
    place = f"row {cell // 3 + 1}, column {cell % 3 + 1} holds {str(wrong)[:200]}"
    for board in (flat, tuple(flat), iter(flat), [flat[:3], flat[3:6], flat[6:]]):
        with pytest.raises(tb.BoardError, match=f"{place}: a 3x3 board has tiles 1 to 8"):
            tb.Board(board)


def test_boards_that_are_too_large_have_their_size_in_the_error():
    for rows, cols in ((9, 9), (2, 33), (33, 2), (65, 1), (9, 100)):
        for board in (np.zeros((rows, cols), int), [[0] * cols for _ in range(rows)]):
            with pytest.raises(tb.BoardError, match=f"a board of {rows}x{cols} is not supported"):
                tb.Board(board)
    for count in (3, 5, 12, 35, 37, 48, 65, 999):
        with pytest.raises(tb.BoardError, match=f"found {count}; .*as rows of numbers"):
            tb.Board([0] * count)
    for endless in (itertools.count(), [itertools.count()], itertools.repeat([1, 2]), [0] * 10**6):
        with pytest.raises(tb.BoardError, match="expected up to 64 numbers, found over 1000"):
            tb.Board(endless)


def test_largest_board_is_that_of_the_compiled_half():
    from tilebase import _arrays, _tilebase

    assert _arrays.CELLS_MAX is _tilebase.CELLS_MAX
    side = math.isqrt(_tilebase.CELLS_MAX)
    assert _arrays.is_one(np.arange(side * side).reshape(side, side))
    with pytest.raises(tb.BoardError, match=f"expected up to {_tilebase.CELLS_MAX} numbers"):
        tb.Board(itertools.count())


def test_blank_may_have_another_sign():
    board = tb.Board("8 2 0/4 6 1/3 7 5")
    from_zero = np.array([[7, 1, 8], [3, 5, 0], [2, 6, 4]])
    assert tb.Board("7 1 8/3 5 0/2 6 4", blank=8) == board
    assert tb.Board(from_zero, blank=8) == tb.Board(from_zero.tolist(), blank="8") == board
    assert tb.Board(from_zero.ravel(), blank=8) == tb.Board(iter(from_zero.ravel()), (3, 3), blank=8) == board
    assert tb.Board(np.where(from_zero == 8, -1, from_zero), blank=-1) == board
    assert tb.Board("82~/461/375", blank="~") == board
    assert tb.Board([0, 1, 2, 3, 4, -1], (2, 3), blank=-1) == tb.Board("1 2 3/4 5 0")
    with pytest.raises(tb.BoardError, match="no cell is 9, which was named as the blank"):
        tb.Board(EIGHT, blank=9)
    with pytest.raises(tb.BoardError, match="expected a 2x3 board"):
        tb.Board(from_zero, (2, 3), blank=8)
    with pytest.raises(tb.BoardError, match="is no sign of a blank"):
        tb.Board(EIGHT, blank="xy")
    with pytest.raises(TypeError, match="expected a board as a text"):
        tb.Board(3, blank=8)
    with pytest.raises(tb.BoardError, match=r"or name the blank: Board\(.., blank=-1\)"):
        tb.Board("0 1 2/3 -1 4")


def test_errors_about_a_board_name_no_argument_that_the_function_has_not(manhattan):
    solver = tb.Solver(manhattan)
    for use in (solver.solve, solver.moves, solver.solutions, manhattan.explain, manhattan.board, tb.integer_program):
        with pytest.raises(tb.BoardError) as caught:
            use([1, 2, 3, 4, 5, 0])
        assert "shape=" not in str(caught.value) and "say" not in str(caught.value)
        use([[1, 2, 3], [4, 5, 0]])


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
    # Wrong values.
    answer = tb.Solver(whole).solve("1 2 3/4 5 6/0 7 8")
    for use in (
        lambda: tb.Solver(whole, mode="fast"), lambda: answer.film(colours="x"), lambda: answer.film(moves_a_second=0),
        lambda: tb.Solver(whole).solve_many([EIGHT], invalid="x"), lambda: tb.verify("8/whole", "deeply"),
        lambda: tb.Tables.open("8/whole", residence="x"), lambda: tb.integer_program(EIGHT, "x"),
        lambda: tb.integer_program("1 2 3/4 5 6/0 7 8").text("pdf"),
    ):  # fmt: skip
        with pytest.raises(tb.ArgumentError, match="expected"):
            use()
    # Arguments of a wrong type, and names with lone surrogates.
    for nothing in (None, 7, 2.5, object()):
        solver = tb.Solver(whole)
        for use in (
            tb.Board, solver.solve, solver.improve, solver.moves, solver.solutions, whole.explain, whole.board,
            tb.integer_program, tb.Goal(shape=(3, 3)).is_goal, lambda nothing: solver.check(nothing, "U"),
        ):  # fmt: skip
            with pytest.raises(TypeError, match="expected a board as a text, as numbers .*, found "):
                use(nothing)
        # In a list, it is a wrong value of the list.
        for use in (tb.rank, whole.estimate, solver.solve_all, lambda boards: solver.solve_all(iter(boards))):
            with pytest.raises(tb.BoardError, match="row 1: expected a board") as caught:
                use([EIGHT, nothing])
            assert caught.value.row == 1
        with pytest.raises(TypeError, match="expected an array of ranks"):
            tb.unrank(nothing, (3, 3))
        for use in (tb.distances, lambda shape: tb.unrank([1], shape)):
            with pytest.raises(TypeError, match="expected a shape"):
                use(nothing)
        with pytest.raises(TypeError):
            tb.partition(nothing)
        for name, use in (
            ("count", tb.scramble), ("count", lambda count: tb.scramble(count, (3, 3), steps=1)),
            ("list_max", lambda count: solver.solutions(EIGHT, list_max=count)),
        ):  # fmt: skip
            if nothing != 7:
                with pytest.raises(TypeError, match=f"expected an integer as {name}"):
                    use(nothing)
        for use in (
            lambda word: tb.Solver(whole, mode=word), lambda word: answer.film(colours=word),
            lambda word: solver.solve_many([EIGHT], invalid=word), lambda word: tb.verify("8/whole", word),
            lambda word: tb.integer_program(EIGHT, word),
        ):  # fmt: skip
            with pytest.raises(TypeError):
                use(nothing)
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
