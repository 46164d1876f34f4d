"""Heuristics that are functions of the caller."""

from __future__ import annotations

import pickle
import signal
import threading
import time

import numpy as np
import pytest

import tilebase as tb


def manhattan(boards):
    """Returns the Manhattan distances of 3x3 boards to the goal with the blank last."""
    cells = np.arange(9)
    homes = np.append(8, np.arange(8))[boards]
    moves = abs(homes // 3 - cells // 3) + abs(homes % 3 - cells % 3)
    return (moves * (boards != 0)).sum(1)


def own(function=manhattan, admissible=True, name="mine"):
    return tb.Tables.open(tb.Heuristic(function, name, admissible), shape=(3, 3))


BOARDS = tb.scramble(60, (3, 3), seed=4)
HARD = "8 6 7/2 5 4/3 0 1"


@pytest.mark.parametrize("search", [None, "ida", "astar", "weighted-astar:1.5", "greedy"])
def test_own_heuristic_finds_the_lengths_of_the_built_in_one(search, folder):
    ours = tb.Solver(own(), search=search)
    theirs = tb.Solver(tb.Tables.open("manhattan", shape=(3, 3)), search=search)
    for mine, answer in zip(ours.solve_many(BOARDS[:9]), theirs.solve_many(BOARDS[:9]), strict=True):
        assert (mine.status, mine.length) == (answer.status, answer.length)
        assert mine.spec == "mine" and tb.Board(mine.board).after(mine.moves) == mine.goal.board
    assert ours.solve(HARD).length == theirs.solve(HARD).length


def test_estimates_come_from_the_function_in_batches():
    sizes = []

    def counted(boards):
        assert boards.dtype == np.uint8 and boards.shape[1] == 9
        sizes.append(len(boards))
        return manhattan(boards)

    tables = own(counted)
    assert (tables.estimate(BOARDS) == tb.estimate(BOARDS, "manhattan")).all()
    assert max(sizes) > 1
    assert tables.estimate(HARD) == 21
    assert tb.estimate(HARD, tb.Heuristic(manhattan), shape=(3, 3)) == 21
    assert tables.explain(HARD).estimates["mine"] == 21
    sizes.clear()
    tb.Solver(tables, search="astar").solve(HARD)
    assert max(sizes) > 1


def sleeping(boards):
    """Returns estimates of 4x4 boards after 2 ms a board."""
    time.sleep(0.002 * len(boards))
    return tb.estimate(boards, "manhattan").astype(int)


def counting(boards):
    """As `sleeping`, but in Python, which other threads wait for."""
    end = time.perf_counter() + 0.002 * len(boards)
    while time.perf_counter() < end:
        pass
    return tb.estimate(boards, "manhattan").astype(int)


#: Searches that take a heuristic of one's own.
SEARCHES = [None, *(search for search in tb.searches() if search not in ("bidirectional", "breadth-first"))]
#: A board whose searches take minutes at 2 ms a board.
LONG = "10 13 11 0/5 12 9 15/14 4 7 3/2 8 1 6"
#: Seconds that a search may take to end. The page promises a tenth; the rest is for machines that do other work, too.
LATE = 1.0


@pytest.mark.parametrize("function", [sleeping, counting])
@pytest.mark.parametrize("search", SEARCHES)
def test_time_limit_ends_a_search_with_a_slow_heuristic(search, function):
    tables = tb.Tables.open(tb.Heuristic(function, admissible=True), shape=(4, 4))
    solver = tb.Solver(tables, search=search, time=0.3)
    begun = time.monotonic()
    answer = solver.solve(LONG)
    taken = time.monotonic() - begun
    assert taken < 0.3 + LATE
    # A beam or a greedy search may be done by then.
    assert answer.limit == "time" or answer.is_solved and search in ("greedy", "beam")


class Heard(Exception):
    pass


@pytest.mark.parametrize("function", [sleeping, counting])
@pytest.mark.parametrize(
    "work",
    [
        *(lambda tables, search=search: tb.Solver(tables, search=search).solve(LONG) for search in SEARCHES),
        lambda tables: tb.Solver(tables).solve_all([LONG] * 9), lambda tables: list(tb.Solver(tables).improve(LONG)),
        lambda tables: tb.Solver(tables).moves(LONG), lambda tables: tables.estimate(tb.scramble(10_000)),
    ],
    ids=[*map(str, SEARCHES), "many", "improve", "moves", "estimate"],
)  # fmt: skip
def test_signal_ends_work_with_a_slow_heuristic(work, function):
    tables = tb.Tables.open(tb.Heuristic(function, admissible=True), shape=(4, 4))
    heard = []

    def hear(*_):
        heard.append(time.monotonic())
        raise Heard

    before = signal.signal(signal.SIGALRM, hear)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with pytest.raises(Heard):
            work(tables)
            # Greedy searches may be done before.
            time.sleep(60)
        assert time.monotonic() - heard[0] < LATE
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_slow_functions_get_few_boards_at_once_and_fast_ones_many():
    for seconds, least, most in ((0.01, 8, 20), (0.0, 256, 10**6)):
        sizes = []

        def estimate(boards, sizes=sizes, seconds=seconds):
            sizes.append(len(boards))
            time.sleep(seconds * len(boards))
            return boards[:, 0].astype(int)

        boards = tb.scramble(64 if seconds else 20_000, (3, 3))
        assert (own(estimate).estimate(boards) == boards[:, 0]).all()
        assert least <= max(sizes) <= most and sum(sizes) == len(boards)


def test_answers_of_an_own_heuristic_are_optimal_only_if_it_is_admissible():
    solver = tb.Solver(own(lambda boards: 2 * manhattan(boards), admissible=False))
    answer = solver.solve(HARD)
    assert (answer.status, answer.length >= 31) == ("solved", True)


class Odd(Exception):
    pass


def failing_after(count):
    """Returns a function that raises after some calls, and its list of calls, which the test may clear."""
    calls = []

    def function(boards):
        calls.append(len(boards))
        if len(calls) > count:
            raise Odd("no estimate")
        return manhattan(boards)

    return function, calls


@pytest.mark.parametrize("count", [0, 5])
@pytest.mark.parametrize(
    "work",
    [
        lambda solver: solver.solve(HARD),
        lambda solver: solver.solve_all([HARD] * 5),
        lambda solver: solver.solve_arrays(BOARDS),
        lambda solver: [solver.tables.estimate(HARD) for _ in range(9)],
        lambda solver: [solver.tables.estimate(BOARDS) for _ in range(9)],
        lambda solver: [solver.tables.explain(HARD) for _ in range(9)],
    ],
)
def test_exceptions_of_the_function_are_raised(work, count):
    function, calls = failing_after(count)
    solver = tb.Solver(own(function), search="astar")
    with pytest.raises(Odd, match="no estimate"):
        work(solver)
    # The tables stay usable.
    calls.clear()
    assert count == 0 or solver.tables.estimate(HARD) == 21


@pytest.mark.parametrize(
    "wrong",
    [
        lambda boards: 1, lambda boards: manhattan(boards)[:-1], lambda boards: manhattan(boards) / 2,
        lambda boards: manhattan(boards) - 100, lambda boards: manhattan(boards) + 2**16, lambda boards: None,
    ],
)  # fmt: skip
def test_estimates_of_a_wrong_shape_or_type_are_refused(wrong):
    with pytest.raises(tb.ArgumentError, match="mine"):
        tb.Solver(own(wrong)).solve(HARD)


def test_bidirectional_search_refuses_an_own_heuristic():
    with pytest.raises(tb.SpecError, match="two goals"):
        tb.Solver(own(), search="bidirectional")
    with pytest.raises(TypeError):
        tb.Tables.open(manhattan)


def test_threads_share_an_own_heuristic_and_it_pickles():
    solver = pickle.loads(pickle.dumps(tb.Solver(own(), search="astar")))
    expected = tb.distances((3, 3))[tb.rank(BOARDS)].tolist()
    found = {}
    threads = [
        threading.Thread(target=lambda n=n: found.update({n: solver.solve(BOARDS[n]).length})) for n in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[n] for n in range(8)] == expected[:8]
