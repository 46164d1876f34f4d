from __future__ import annotations

import asyncio
import dataclasses
import itertools
import threading
import time

import numpy as np
import pytest

import oracle
import tilebase as tb

GOAL = oracle.blank_last(3, 3)
EIGHT = "8 6 7/2 5 4/3 0 1"
HARD = "17 1 20 9 16/2 22 19 14 5/15 21 0 3 24/23 18 13 12 7/10 8 6 4 11"
SEARCHES = [None, *tb.searches()]


def test_boards_of_2x3_have_the_lengths_of_the_oracle(folder):
    known = oracle.distances(2, 3, oracle.blank_last(2, 3))
    boards = np.array(list(known))
    with tb.Tables.ensure(shape=(2, 3), folder=folder) as tables:
        answers = tb.Solver(tables).solve_all(boards)
    for answer, (tiles, distance) in zip(answers, known.items(), strict=True):
        assert answer.status == "optimal" and answer.board.tiles == tiles
        assert answer.length == distance == len(answer.moves) == answer.lower_bound
        assert oracle.replayed(2, 3, tiles, answer.moves) == oracle.blank_last(2, 3)


def test_boards_of_3x3_have_the_lengths_of_the_oracle(whole):
    known = oracle.distances(3, 3, GOAL)
    boards = np.array(list(known), np.uint8)[::7]
    lengths = [answer.length for answer in tb.Solver(whole).solve_many(boards)]
    assert lengths == [known[tuple(board)] for board in boards.tolist()]
    assert np.array_equal(whole.estimate(boards), lengths)


@pytest.mark.parametrize("search", SEARCHES)
def test_every_search_solves(search, manhattan):
    boards = tb.scramble(30, (3, 3), seed=2)
    known = oracle.distances(3, 3, GOAL)
    solver = tb.Solver(manhattan, search=search)
    many = solver.solve_all(boards)
    for board, answer in zip(boards.tolist(), many, strict=True):
        assert oracle.replayed(3, 3, tuple(board), answer.moves) == GOAL
        if search in ("greedy", "beam"):
            assert answer.status == "solved" and answer.length >= known[tuple(board)]
            assert answer.lower_bound <= known[tuple(board)]
        else:
            assert (answer.status, answer.length) == ("optimal", known[tuple(board)])
        assert solver.solve(board).moves is not None


def test_moves_solutions_checks_and_explanations_equal_those_of_the_oracle(whole, manhattan):
    known = oracle.distances(3, 3, GOAL)
    solver = tb.Solver(manhattan)
    for board in tb.scramble(20, (3, 3), seed=4).tolist():
        tiles = tuple(board)
        moves = solver.moves(board)
        assert moves.distance == known[tiles]
        for move in moves.moves:
            after = oracle.moved(3, 3, tiles, move.move)
            assert move.distance == known[after]
            assert move.optimal == (known[after] < known[tiles])
            assert after[tiles.index(0)] == move.tile
        solutions = solver.solutions(board, list_max=10_000)
        assert solutions.count == oracle.solution_count(3, 3, GOAL, tiles) == len(solutions.listed)
        assert solutions.complete and len(set(solutions.listed)) == solutions.count
        for listed in solutions.listed:
            assert oracle.replayed(3, 3, tiles, listed) == GOAL
            check = solver.check(board, listed)
            assert check.optimal and check.legal and check.leaves_optimum_at is None
        explanation = whole.explain(board)
        assert explanation.estimates["8/whole"] == known[tiles] == explanation.lower_bound
        assert explanation.estimates["manhattan"] == oracle.manhattan(3, tiles, GOAL)
    check = solver.check(EIGHT, "LLL")
    assert not check.legal and check.illegal and check.moves == "L" and not check.solves
    assert solver.solutions(EIGHT, slack=4).count == 1249
    assert len(solver.solutions(EIGHT, slack=None, list_max=50, count=False).listed) == 50
    with pytest.raises(ValueError):
        solver.solutions(EIGHT, slack=None)


def test_board_without_a_solution_is_an_answer(whole):
    answer = tb.Solver(whole).solve("2 1 3/4 5 6/7 8 0")
    assert answer.status == "unsolvable" and answer.moves is None and "parity" in answer.reason or "odd" in answer.reason
    assert tb.Solver(whole).moves("2 1 3/4 5 6/7 8 0").distance is None
    assert not whole.explain("2 1 3/4 5 6/7 8 0").is_solvable
    assert tb.Solver(whole).solutions("2 1 3/4 5 6/7 8 0").count == 0


def test_reason_of_an_unsolvable_board_names_its_goals():
    board = tb.board_set("korf100").boards[0]
    answer = tb.Solver(tb.Tables.open("manhattan", goal="blank-last")).solve(board)
    assert answer.status == "unsolvable"
    assert answer.reason is not None and answer.reason.endswith("; solvable with goal blank-first"), answer.reason


def test_limits_are_answers(manhattan):
    begun = time.monotonic()
    for limits, kind in [
        ({"nodes": 10_000}, "nodes"),
        ({"time": 0.05}, "time"),
        ({"search": "astar", "memory": 1 << 20}, "memory"),
    ]:
        answer = tb.Solver(manhattan, **limits).solve(HARD)
        # A time always suffices for a solution.
        assert (answer.status, answer.limit) == ("solved" if kind == "time" else "limit", kind)
        assert (answer.length is None) == (kind != "time") and answer.lower_bound >= 70
    assert time.monotonic() - begun < 20


def test_improvements_end_with_the_distance(whole, manhattan):
    known = oracle.distances(3, 3, GOAL)
    for tables in (whole, manhattan):
        solver = tb.Solver(tables)
        for board in tb.scramble(10, (3, 3), seed=6).tolist():
            *_, last = solver.improve(board)
            assert last.status == "optimal" and last.length == last.lower_bound == known[tuple(board)]
            assert solver.solve(board).length == last.length
    assert [answer.length for answer in solver.improve(tb.Goal(shape=(3, 3)).board)] == [0]
    assert [answer.status for answer in solver.improve("2 1 3/4 5 6/7 8 0")] == ["unsolvable"]
    with pytest.raises(tb.BoardError):
        solver.improve("1 2 3")
    with pytest.raises(tb.ArgumentError):
        solver.improve(EIGHT, within="soon")


@pytest.mark.parametrize("within", [1, "1s", "1000ms", np.float32(1)], ids=repr)
def test_a_board_has_its_best_solution_within_a_time(within, manhattan):
    begun = time.monotonic()
    answer = tb.Solver(manhattan).solve(HARD, within=within)
    assert time.monotonic() - begun < 5
    assert (answer.status, answer.limit) == ("solved", None)
    assert is_solution(answer) and 70 <= answer.lower_bound < answer.length
    assert str(answer.lower_bound) in repr(answer)


def test_random_boards_of_5x5_have_solutions_within_a_time(manhattan):
    solver = tb.Solver(manhattan, within=1)
    begun = time.monotonic()
    for board in tb.scramble(2, (5, 5), seed=1):
        answer = solver.solve(board)
        assert answer.status == "solved" and is_solution(answer) and answer.lower_bound < answer.length
    many = solver.solve_all(tb.scramble(2, (5, 5), seed=1))
    assert all(answer.status == "solved" and is_solution(answer) for answer in many)
    assert time.monotonic() - begun < 15
    assert solver.solve(EIGHT).status == "optimal"
    assert "within=1.0" in repr(solver)


def test_a_solution_within_a_time_does_not_wait_for_tables(tmp_path):
    board = "1 2 3 4 5/6 7 8 9 10/11 12 13 14 15/16 17 18 19 20/21 22 23 0 24"
    for memory in (None, 8 << 30):
        tables = tb.Tables.ensure(folder=tmp_path, memory=memory)
        begun = time.monotonic()
        answers = [tb.Solver(tables).solve(board, within=0.1)]
        answers += tb.Solver(tables, within=0.1).solve_many([board])
        answers += tb.Solver(tables).improve(board, within=0.1)
        assert all(answer.spec == "manhattan" or answer.spec.startswith("generated/") for answer in answers)
        assert time.monotonic() - begun < 5


def is_solution(answer: tb.Answer) -> bool:
    assert answer.board is not None and answer.goal is not None and answer.moves is not None
    return answer.board.after(answer.moves) == answer.goal.board and len(answer.moves) == answer.length


def test_improvements_become_shorter(manhattan):
    with tb.Solver(manhattan).improve(HARD, within="1.5s") as improvements:
        answers = list(improvements)
        assert next(improvements, None) is None
    assert len(answers) >= 2
    *better, last = answers
    for answer in answers:
        assert answer.status == "solved" and is_solution(answer)
        assert answer.spec == "manhattan" and answer.lower_bound >= 70
    lengths = [answer.length for answer in better]
    assert lengths == sorted(set(lengths), reverse=True)
    assert last.length == lengths[-1] and last.lower_bound >= max(answer.lower_bound for answer in better)
    assert last.limit is None and last.generated > 0
    assert [answer.seconds for answer in answers] == sorted(answer.seconds for answer in answers)


def test_a_limit_keeps_the_best_solution(manhattan):
    answer = tb.Solver(manhattan, time=1.5).solve(HARD)
    assert (answer.status, answer.limit) == ("solved", "time")
    assert is_solution(answer)


def test_leaving_the_loop_ends_the_search(manhattan):
    begun = time.monotonic()
    for answer in tb.Solver(manhattan).improve(HARD):
        assert answer.status == "solved"
        break
    del answer
    assert time.monotonic() - begun < 10
    busy = time.process_time()
    time.sleep(0.5)
    assert time.process_time() - busy < 0.25


def test_threads_improve_side_by_side(manhattan):
    solver = tb.Solver(manhattan, within=1)
    found: list[list[tb.Answer]] = []
    begun = time.monotonic()
    threads = [threading.Thread(target=lambda: found.append(list(solver.improve(HARD)))) for _ in range(3)]
    for thread in threads:
        thread.start()
    # The interpreter is free meanwhile.
    ticks = 0
    while any(thread.is_alive() for thread in threads):
        time.sleep(0.01)
        ticks += 1
    assert time.monotonic() - begun < 15 and ticks > 20
    assert len(found) == 3 and all(is_solution(answers[-1]) for answers in found)


def test_threads_share_improvements(manhattan):
    improvements = tb.Solver(manhattan).improve(HARD, within=1)
    found: list[tb.Answer] = []
    threads = [threading.Thread(target=lambda: found.extend(improvements)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert sum(answer.generated is not None for answer in found) == 1
    endless = tb.Solver(manhattan).improve(HARD)
    thread = threading.Thread(target=lambda: list(endless))
    thread.start()
    time.sleep(0.1)
    endless.close()
    thread.join(20)
    assert not thread.is_alive() and list(endless) == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"search": "nothing"}, {"search": "lanes:2"}, {"search": "weighted-astar:0.5"}, {"mode": "fast"},
        {"time": -1.0}, {"time": float("nan")}, {"time": 1e300}, {"nodes": -1}, {"nodes": 2**70},
        {"time": 0}, {"time": "0s"}, {"within": 0.0}, {"nodes": 0},
        {"memory": -1}, {"threads": -1}, {"threads": 0}, {"threads": 10**9}, {"time": "x"}, {"time": "2d"}, {"time": "-1s"}, {"within": "2d"}, {"within": -1}, {"time": "\udcff"},
        {"time": float("inf")}, {"mode": "bogus", "search": "astar"},
    ],
    ids=str,
)  # fmt: skip
def test_invalid_search_options_are_refused(wrong, manhattan):
    with pytest.raises((tb.ArgumentError, tb.SpecError) if wrong != {"time": "x"} else ValueError) as caught:
        tb.Solver(manhattan, **wrong)
    assert isinstance(caught.value, ValueError)


def test_arguments_of_other_types_are_refused_at_once(manhattan):
    for tables in ("8/whole", None, manhattan._handle):
        with pytest.raises(TypeError, match="expected Tables"):
            tb.Solver(tables)
    for name in ("nodes", "memory", "threads"):
        for value in (1.0, "1"):
            with pytest.raises(TypeError, match=f"expected an integer as {name}"):
                tb.Solver(manhattan, **{name: value})
        tb.Solver(manhattan, **{name: np.int64(7)})


@pytest.mark.parametrize("wrong", [{"slack": -1}, {"slack": 2**32}, {"list_max": -1}, {"list_max": 2**64}], ids=str)
def test_numbers_of_solutions_out_of_range_are_refused(wrong, manhattan):
    with pytest.raises(tb.ArgumentError, match=next(iter(wrong))):
        tb.Solver(manhattan).solutions(EIGHT, **wrong)


def test_answers_have_the_order_of_every_source_of_boards(whole, tmp_path):
    boards = tb.scramble(3000, (3, 3), seed=6)
    solver = tb.Solver(whole)
    expected = [answer.length for answer in solver.solve_many(boards)]
    texts = [str(tb.Board(board)) for board in boards]
    file = tmp_path / "boards.txt"
    file.write_text("# a remark\n" + "\n".join(texts) + "\n")
    for source in [
        boards.reshape(-1, 3, 3), list(boards), texts, tuple(texts), iter(texts), file, str(file),
        (tb.Board(text) for text in texts), map(list, boards), "random:3000:6",
    ]:  # fmt: skip
        assert [answer.length for answer in solver.solve_many(source)] == expected


def test_answers_come_as_arrays(whole, manhattan):
    boards = tb.scramble(3000, (3, 3), seed=6)
    boards[7] = [2, 1, 3, 4, 5, 6, 7, 8, 0]
    for solver in (tb.Solver(whole), tb.Solver(whole, threads=1, mode="latency")):
        found, answers = solver.solve_arrays(boards), solver.solve_all(boards)
        assert isinstance(found, tb.AnswerArrays)
        assert [column.dtype for column in found] == [
            np.dtype("U10"), np.int16, np.int16, np.int64, np.int64, np.float64,
        ]  # fmt: skip
        assert {column.shape for column in found} == {(3000,)}
        assert found.statuses.tolist() == [answer.status for answer in answers]
        assert found.lengths.tolist() == [-1 if a.length is None else a.length for a in answers]
        assert found.lower_bounds.tolist() == [-1 if a.lower_bound is None else a.lower_bound for a in answers]
        assert (found.generated >= found.expanded).all() and found.generated.sum() > 3000
        assert (found.seconds >= 0).all() and found.seconds.sum() > 0
    # With one thread per board, node counts are equal.
    plain = tb.Solver(manhattan, search="ida")
    found, answers = plain.solve_arrays(boards[:50]), plain.solve_all(boards[:50])
    assert found.generated.tolist() == [answer.generated for answer in answers]
    assert found.expanded.tolist() == [answer.expanded for answer in answers]
    limited = tb.Solver(manhattan, nodes=30).solve_arrays([EIGHT, "1 2 3/4 5 6/7 8 0"])
    assert limited.statuses.tolist() == ["limit", "optimal"]
    assert limited.lengths.tolist() == [-1, 0] and limited.lower_bounds[0] >= 21
    mixed = [EIGHT, "x", "1 2 3/4 5 6/0 7 8"]
    found = tb.Solver(whole).solve_arrays(mixed, invalid="answer")
    assert found.statuses.tolist() == ["optimal", "invalid", "optimal"] and found.lengths.tolist() == [31, -1, 2]
    with pytest.raises(tb.BoardError, match="row 1"):
        tb.Solver(whole).solve_arrays(iter(mixed))
    assert [len(column) for column in tb.Solver(whole).solve_arrays(np.empty((0, 9), np.uint8))] == [0] * 6


def test_later_calls_have_the_answers_of_the_first(folder):
    # The first call opens the tables. Later calls first run as short searches, and again as long ones if needed.
    with tb.Tables.open("manhattan", folder=folder) as tables:
        hard = "0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1"
        for search in SEARCHES:
            solver = tb.Solver(tables, threads=1, search=search, nodes=20_000)
            for board in (EIGHT, "1 2 3 4/5 6 7 8/9 10 11 12/13 0 14 15", hard):
                answers = [solver.solve(board) for _ in range(3)]
                assert answers[0] == answers[1] == answers[2]
                assert len({(answer.generated, answer.expanded) for answer in answers}) == 1
        assert tables.estimate(hard) == tables.estimate([hard])[0]
        for _ in range(3):
            for limits, kind in [({"nodes": 10_000}, "nodes"), ({"time": "20ms"}, "time"), ({"time": 1e-5}, "time")]:
                limited = tb.Solver(tables, **limits)
                assert (limited.solve(hard).limit, limited.moves(hard).limit, limited.check(hard, "L").limit) == (kind,) * 3
            with pytest.raises(tb.UnsolvableError, match="^[^r]"):
                tables.estimate("2 1 3/4 5 6/7 8 0")
            with pytest.raises(tb.BoardError, match="3x4"):
                tables.estimate(EIGHT, (3, 4))


def test_endless_boards_are_read_on_demand(whole):
    taken = 0

    def endless():
        nonlocal taken
        for board in itertools.cycle(["1 2 3/4 5 6/0 7 8", EIGHT]):
            taken += 1
            yield board

    with tb.Solver(whole).solve_many(endless()) as answers:
        first = [next(answers).length for _ in range(100)]
    assert first == [2, 31] * 50
    time.sleep(0.2)
    assert taken < 10_000
    after = taken
    time.sleep(0.2)
    assert taken == after, "boards are read after the stream was closed"
    assert list(answers) == []


def test_answer_does_not_wait_for_the_next_board(whole):
    asked = threading.Event()

    def slow():
        yield EIGHT
        assert asked.wait(30)
        yield "1 2 3/4 5 6/0 7 8"

    answers = tb.Solver(whole).solve_many(slow())
    assert next(answers).length == 31
    asked.set()
    assert next(answers).length == 2
    assert next(answers, None) is None
    assert next(answers, None) is None


def test_exceptions_of_an_iterator_are_raised(whole):
    def broken():
        yield EIGHT
        raise ZeroDivisionError("mine")

    answers = tb.Solver(whole).solve_many(broken())
    assert next(answers).length == 31
    with pytest.raises(ZeroDivisionError, match="mine"):
        next(answers)
    assert next(answers, None) is None
    for nothing in (3, None, 2.5):
        with pytest.raises(TypeError):
            tb.Solver(whole).solve_many(nothing)


def test_invalid_board_ends_the_stream_or_has_an_answer(whole, tmp_path):
    mixed = [EIGHT, "x", "1 2 3/4 5 6/0 7 8", "1 1 1/1 1 1/1 1 1", None, "1 2 3/4 5 6/7 8 0"]
    file = tmp_path / "boards.txt"
    file.write_text("\n".join(str(line) for line in mixed))
    solver = tb.Solver(whole)
    for source in (mixed, iter(mixed), file):
        answers = solver.solve_all(source, invalid="answer")
        assert [answer.status for answer in answers] == [
            "optimal", "invalid", "optimal", "invalid", "invalid", "optimal",
        ]  # fmt: skip
        assert answers[1].text == "x" and answers[1].board is None and answers[1].error
    for source in (iter(mixed), file):
        answers = solver.solve_many(source)
        assert next(answers).length == 31
        with pytest.raises(tb.BoardError) as caught:
            next(answers)
        assert caught.value.row == 1 and "row 1" in str(caught.value)
        assert next(answers, None) is None
    with pytest.raises(tb.BoardError, match="row 1"):
        solver.solve_many(mixed)
    with pytest.raises(ValueError):
        solver.solve_many([EIGHT], invalid="drop")


def test_boards_of_other_shapes_and_goals_are_refused(whole):
    solver = tb.Solver(whole)
    with pytest.raises(tb.BoardError, match="3x3"):
        solver.solve("1 2/3 0")
    with pytest.raises(tb.BoardError):
        solver.solve_many(tb.scramble(3, (4, 4)))
    with pytest.raises(tb.BoardError):
        solver.solve_all(tb.scramble(3, (2, 2)).reshape(3, 2, 2))
    with pytest.raises(tb.SpecError, match="blank-first"):
        solver.solve_many("korf100")
    with pytest.raises(tb.FileError) as caught:
        solver.solve_many("nowhere.txt")
    assert isinstance(caught.value, OSError)


def test_boards_of_several_shapes_are_solved_by_a_heuristic_for_all(manhattan):
    boards = [tb.Board("1 2/0 3"), tb.Board(EIGHT), "1 2 3/0 4 5"]
    answers = tb.Solver(manhattan).solve_all(boards)
    assert [answer.length for answer in answers] == [1, 31, 2]


@pytest.mark.parametrize("shape", [(2, 8), (8, 2), (3, 12), (4, 9)])
def test_numbers_without_rows_have_the_shape_of_the_tables_though_a_square_would_do(shape, folder):
    # One move from the goal. A square board with the same number of cells is another board.
    board = tb.Goal(shape=shape).board.after("R")
    flat = list(board.tiles)
    with tb.Tables.open("manhattan", shape=shape, folder=folder) as tables:
        solver = tb.Solver(tables)
        assert tables.board(flat) == board
        assert solver.solve(flat).board == board
        assert solver.solve(np.array(flat)).board == board
        assert solver.moves(flat).answer.board == board
        assert tables.explain(flat).board == board
        rows = np.array([flat, flat])
        for boards in (rows, list(rows), [flat, flat], (flat for _ in range(2)), iter(rows)):
            assert [answer.board for answer in solver.solve_many(boards)] == [board, board]
        for boards in (rows, [flat, flat], (flat for _ in range(2))):
            answers = solver.solve_all(boards, invalid="answer")
            assert [(answer.board, answer.length) for answer in answers] == [(board, 1)] * 2
        assert tables.estimate([flat]).tolist() == [1]
        # Boards with rows keep their shape.
        assert solver.solve([[1, 2, 3], [4, 0, 5]]).length == 1
        assert [a.length for a in solver.solve_many(iter([[[1, 2, 3], [4, 0, 5]]]))] == [1]


@pytest.mark.parametrize("shape", [(2, 8), (3, 12)])
def test_lists_of_numbers_have_the_given_shape(shape, manhattan):
    board = tb.Goal(shape=shape).board.after("R")
    flat = list(board.tiles)
    solver = tb.Solver(manhattan)
    assert tb.boards_array([flat], shape).tolist() == [flat]
    assert tb.is_goal([list(tb.Goal(shape=shape).board.tiles)], shape=shape).tolist() == [True]
    assert tb.is_solvable([flat], shape=shape).tolist() == [True]
    near = tb.neighbours([flat], shape)
    assert near.boards[near.legal].tolist() == tb.neighbours(np.array([flat]), shape).boards[near.legal].tolist()
    assert manhattan.estimate([flat], shape).tolist() == [1]
    for boards in ([flat], (flat,), np.array([flat]), iter([flat])):
        assert [answer.board for answer in solver.solve_many(boards, shape=shape)] == [board]
    assert [a.board for a in solver.solve_many([[1, 2, 3, 4, 0, 5]], shape=(2, 3))] == [tb.Board("1 2 3/4 0 5")]
    assert manhattan.estimate("1 2 3 4 0 5", (2, 3)) == 1


@pytest.mark.parametrize(
    "board",
    [EIGHT, tb.Board(EIGHT), [8, 6, 7, 2, 5, 4, 3, 0, 1], [[8, 6, 7], [2, 5, 4], [3, 0, 1]]],
    ids=["text", "board", "numbers", "rows"],
)
def test_boards_of_another_shape_than_the_given_one_are_refused(board, manhattan):
    solver = tb.Solver(manhattan)
    for source in (iter([board]), [board], (board,)):
        with pytest.raises(tb.BoardError, match="row 0") as caught:
            solver.solve_all(source, shape=(4, 4))
        assert caught.value.row == 0
    for source in (iter([board]), [board]):
        (answer,) = solver.solve_all(source, shape=(4, 4), invalid="answer")
        assert answer.status == "invalid"
    with pytest.raises(tb.BoardError, match="row 0"):
        tb.boards_array([board], (4, 4))


def test_threads_share_one_handle(whole):
    known = tb.distances((3, 3))
    problems: list[object] = []

    def work(seed: int) -> None:
        try:
            solver = tb.Solver(whole, threads=1 + seed % 2)
            boards = tb.scramble(200, (3, 3), seed=seed)
            expected = known[tb.rank(boards)]
            assert np.array_equal(whole.estimate(boards), expected)
            assert [a.length for a in solver.solve_many(boards)] == expected.tolist()
            assert [solver.solve(board).length for board in boards[:20]] == expected[:20].tolist()
        except BaseException as problem:
            problems.append(problem)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
        assert not thread.is_alive()
    assert not problems


def test_threads_share_one_stream(whole):
    boards = tb.scramble(2000, (3, 3), seed=9)
    answers = tb.Solver(whole).solve_many(boards)
    found: list[tb.Answer] = []

    def take() -> None:
        found.extend(answers)

    threads = [threading.Thread(target=take) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    assert sorted(str(answer.board) for answer in found) == sorted(str(tb.Board(b)) for b in boards)
    assert answers.totals.boards == 2000


def test_other_threads_run_while_rust_works(manhattan):
    count = 0
    done = threading.Event()

    def counting() -> None:
        nonlocal count
        while not done.is_set():
            count += 1
            time.sleep(0.001)

    thread = threading.Thread(target=counting)
    thread.start()
    tb.Solver(manhattan, time=0.5, threads=1).solve(HARD)
    done.set()
    thread.join()
    assert count > 50


def test_closing_ends_searches_under_way(manhattan):
    answers = tb.Solver(manhattan).solve_many([HARD, HARD])
    threading.Timer(0.2, answers.close).start()
    begun = time.monotonic()
    assert list(answers) == []
    assert time.monotonic() - begun < 10
    assert next(answers, None) is None


@pytest.mark.parametrize("call", [
    lambda solver: solver.solve(HARD), lambda solver: list(solver.improve(HARD))[-1],
    lambda solver: solver.moves(HARD).answer,
    lambda solver: solver.check(HARD, "U").answer, lambda solver: solver.solutions(HARD).answer,
])  # fmt: skip
@pytest.mark.parametrize("how", ["cancel", "close", "before"])
def test_other_thread_ends_a_search(how, call):
    tables, cancel = tb.Tables.open("manhattan"), tb.Cancel()
    if how == "before":
        cancel.cancel()
    else:
        threading.Timer(0.3, cancel.cancel if how == "cancel" else tables.close).start()
    begun = time.monotonic()
    answer = call(tb.Solver(tables, cancel=cancel))
    assert answer.limit == "interrupt" and answer.status in ("limit", "solved"), answer
    assert time.monotonic() - begun < 20
    if how != "close":
        # The object stays set until it is reset, and other solvers go on.
        assert tb.Solver(tables).solve("1 2 3/4 5 6/0 7 8").length == 2
        assert cancel.is_cancelled and "set" in repr(cancel)
        assert tb.Solver(tables, cancel=cancel).solve(EIGHT).limit == "interrupt"
        cancel.reset()
        assert tb.Solver(tables, cancel=cancel).solve(EIGHT).length == 31


@pytest.mark.parametrize("how", ["cancel", "close"])
def test_other_thread_ends_a_stream(how):
    tables, cancel = tb.Tables.open("manhattan"), tb.Cancel()
    solver = tb.Solver(tables, cancel=cancel)
    threading.Timer(0.3, cancel.cancel if how == "cancel" else tables.close).start()
    begun = time.monotonic()
    # Fewer answers than boards would look like all of them.
    with pytest.raises(tb.CancelledError):
        solver.solve_all(itertools.repeat(HARD))
    assert time.monotonic() - begun < 20


def test_a_solver_with_a_handle_can_be_used_again(whole):
    solver = tb.Solver(whole, cancel=tb.Cancel())
    for _ in range(2):
        assert [answer.length for answer in solver.solve_all([EIGHT])] == [31]
        with solver.solve_many([EIGHT, EIGHT]) as answers:
            assert next(answers).length == 31
        assert solver.solve(EIGHT).length == 31


def test_asyncio_ends_a_search(manhattan):
    async def solve(cancel):
        try:
            return await asyncio.to_thread(tb.Solver(manhattan, cancel=cancel).solve, HARD)
        finally:
            cancel.cancel()

    async def main():
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(solve(tb.Cancel()), 0.3)

    begun = time.monotonic()
    # At its end, it waits for the thread.
    asyncio.run(main())
    assert time.monotonic() - begun < 20


def test_builds_and_checks_are_cancelled(tmp_path):
    cancel = tb.Cancel()
    stop = lambda _: cancel.cancel()
    for work in (
        lambda: tb.Tables.build("15/7-8", folder=tmp_path, progress=stop, cancel=cancel),
        lambda: tb.Tables.ensure("15/7-8", folder=tmp_path, progress=stop, cancel=cancel),
    ):
        cancel.reset()
        with pytest.raises(tb.CancelledError):
            work()
    assert not list(tmp_path.glob("*.pdb"))
    tb.Tables.build("8/whole", folder=tmp_path)
    with pytest.raises(tb.CancelledError):
        tb.verify("8/whole", "rebuild", folder=tmp_path, cancel=cancel)


def test_search_for_single_tiles_is_refused_before_tables_are_built(tmp_path):
    tables = tb.Tables.ensure(metric="mtm", folder=tmp_path)
    for search in tb.searches():
        if search not in ("lanes", "ida", "ida-star"):
            with pytest.raises(tb.ArgumentError, match="single tiles"):
                tb.Solver(tables, search=search)
    assert not list(tmp_path.iterdir())


def test_wrong_moves_have_their_own_exception(whole):
    solver = tb.Solver(whole)
    for use in (
        lambda: tb.Board(EIGHT).after("Q"), lambda: tb.Board(EIGHT).after("UUUU"),
        lambda: solver.check(EIGHT, "what"),
        lambda: dataclasses.replace(solver.solve(EIGHT), moves="Q").film(),
    ):  # fmt: skip
        with pytest.raises(tb.MovesError) as raised:
            use()
        assert isinstance(raised.value, ValueError) and not isinstance(raised.value, tb.BoardError)


def test_second_call_raises_the_error_of_the_first(tmp_path):
    solver = tb.Solver(tb.Tables.open("max(manhattan, walking-distance)", folder=tmp_path))
    kinds = []
    for _ in range(2):
        with pytest.raises(tb.TilebaseError) as raised:
            solver.solve(EIGHT)
        kinds.append((type(raised.value), str(raised.value)))
    assert kinds[0] == kinds[1] and kinds[0][0] is tb.MissingTableError


class Interrupted:
    """A board whose reading raises KeyboardInterrupt."""

    def __iter__(self):
        raise KeyboardInterrupt


@pytest.mark.parametrize("board", [Interrupted(), [Interrupted()], [1, Interrupted()]], ids=["board", "row", "tile"])
def test_interrupts_while_a_board_is_read_are_raised(board, whole):
    solver = tb.Solver(whole)
    for use in (
        tb.Board, solver.solve, lambda b: tb.rank([b]), lambda b: solver.solve_all([b]),
        lambda b: solver.solve_all(iter([b])), lambda b: solver.solve_all([EIGHT, b], invalid="answer"),
    ):  # fmt: skip
        with pytest.raises(KeyboardInterrupt):
            use(board)


def test_slides_of_several_tiles_count_as_one_move(folder):
    with tb.Tables.ensure(shape=(3, 3), metric="mtm", folder=folder) as tables:
        solver = tb.Solver(tables)
        answer = solver.solve(EIGHT)
        assert (answer.metric, answer.status, answer.length) == ("mtm", "optimal", 20)
        slides = answer.moves.split()
        assert len(slides) == 20 and answer.boards()[-1] == tb.Board("1 2 3/4 5 6/7 8 0")
        assert "2" in answer.moves and len(answer.boards()) == 21 and "<svg" in answer.film()
        assert list(solver.improve(EIGHT))[-1].moves.split() == slides
        assert solver.check(EIGHT, answer.moves).moves == answer.moves
        assert tables.estimate(EIGHT) == 20
        moves = solver.moves(EIGHT)
        assert [(move.move, move.tile, move.distance) for move in moves.moves] == [
            ("D", 5, 19), ("D2", 6, 19), ("L", 1, 20), ("R", 3, 21)
        ]  # fmt: skip
        assert (moves.best, moves.distance) == ("D D2", 20)
        check = solver.check(EIGHT, "R D L2")
        assert (check.optimum, check.leaves_optimum_at, check.optimal) == (20, 1, False)
        found = solver.solutions("1 2 3/4 5 6/0 7 8", list_max=2)
        assert (found.count, found.listed) == (1, ("L2",))
        one = solver.solve("1 2 3/4 5 6/0 7 8")
        assert (one.moves, one.length) == ("L2", 1) and repr(one).startswith("<Answer: 1 slide: ")
        assert one.boards() == [tb.Board("1 2 3/4 5 6/0 7 8"), tb.Board("1 2 3/4 5 6/7 8 0")]
        check = solver.check("1 2 3/4 5 6/0 7 8", "L2 R L")
        assert (check.moves, check.length, check.optimum, check.excess) == ("L2 R L", 3, 1, 2)
    with pytest.raises(tb.ArgumentError, match="metric"):
        tb.Tables.open("manhattan", metric="htm")
