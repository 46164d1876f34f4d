"""Signals and forks, each in a new process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time

import pytest

HARD = "17 1 20 9 16/2 22 19 14 5/15 21 0 3 24/23 18 13 12 7/10 8 6 4 11"
BEGIN = f"""
import os, sys, time
import numpy as np
import tilebase as tb
folder = sys.argv[1]
HARD = {HARD!r}
EIGHT = "8 6 7/2 5 4/3 0 1"
"""
#: Calls that take minutes, and a condition that holds after an interrupt.
LONG = {
    "solve": ("tb.Solver(tb.Tables.open('manhattan')).solve(HARD)", "True"),
    "solve by A*": ("tb.Solver(tb.Tables.open('manhattan'), search='astar', memory=2**28).solve(HARD)", "True"),
    "solve many": ("list(tb.Solver(tb.Tables.open('manhattan')).solve_many([HARD] * 9))", "True"),
    "improve": ("list(tb.Solver(tb.Tables.open('manhattan')).improve(HARD))", "True"),
    "improve after a solution": (
        "[time.sleep(3600) for _ in tb.Solver(tb.Tables.open('manhattan')).improve(HARD)]", "True"
    ),
    "moves": ("tb.Solver(tb.Tables.open('manhattan')).moves(HARD)", "True"),
    "solve after a short answer": ("after_short(solver.solve)", "True"),
    "moves after a short answer": ("after_short(solver.moves)", "True"),
    "check after a short answer": ("after_short(lambda board: solver.check(board, 'U'))", "True"),
    "wait for an iterator": (
        "list(tb.Solver(tb.Tables.open('manhattan')).solve_many(slow()))", "True"
    ),
    "build": (
        "tb.Tables.build('15/7-8', folder=folder, threads=1)",
        "not [name for name in os.listdir(folder) if name.endswith('.pdb')]",
    ),
    "ensure": (
        "tb.Tables.ensure('15/7-8', folder=folder, threads=1)",
        "not [name for name in os.listdir(folder) if name.endswith('.pdb')]",
    ),
    "build when a board needs it": (
        "lazily()", "not [file for file in os.scandir(folder) if file.stat().st_size > 10**7]"
    ),
    "distances": ("[tb.distances((2, 5)) for _ in range(99)]", "True"),
    "scramble": ("[tb.scramble(10**6) for _ in range(99)]", "True"),
    "estimate": (
        "[tb.estimate(np.tile(tb.scramble(1000), (2000, 1)), 'pairwise') for _ in range(99)]", "True"
    ),
}  # fmt: skip


#: Processes of the current test, which end with it.
PROCESSES: list[subprocess.Popen[str]] = []


@pytest.fixture(autouse=True)
def end_processes():
    yield
    while PROCESSES:
        process = PROCESSES.pop()
        process.kill()
        process.wait()


def run(script: str, folder: str, **options) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", BEGIN + textwrap.dedent(script), folder],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        # Background processes of a shell ignore Ctrl-C by default.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL), **options,
    )  # fmt: skip
    PROCESSES.append(process)
    return process


def expect(output: str, process: subprocess.Popen[str]) -> None:
    """Waits for the end of a process, and checks its output."""
    out, err = process.communicate(timeout=120)
    assert out == output, (out, err)


@pytest.mark.parametrize("name", LONG)
def test_ctrl_c_ends(name, tmp_path):
    work, holds = LONG[name]
    process = run(
        f"""
        def slow():
            yield EIGHT
            time.sleep(3600)

        solver = tb.Solver(tb.Tables.open("manhattan"))

        def after_short(use):
            easy = tb.Goal(shape=(5, 5)).board.after("R")
            assert solver.solve(easy).length == 1 == solver.solve(easy).length
            use(HARD)

        def lazily():
            tables = tb.Tables.ensure(folder=folder, threads=1)
            globals()["tables"] = tables
            tb.Solver(tables).solve("0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1")

        print("ready", flush=True)
        try:
            {work}
            print("it ended by itself")
        except KeyboardInterrupt:
            print("interrupted", {holds})
        # Later calls work.
        print(tb.Solver(tb.Tables.open("manhattan")).solve(EIGHT).length)
        if "tables" in globals():
            print(tb.Solver(tables).solve("1 2 3/4 0 5").length)
        """,
        str(tmp_path),
    )
    assert process.stdout is not None and process.stdout.readline() == "ready\n"
    time.sleep(0.4)
    begun = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert out.startswith("interrupted True\n31\n"), (out, err)
    assert process.returncode == 0
    assert time.monotonic() - begun < 15


def test_uncaught_ctrl_c_ends_the_process(tmp_path):
    process = run("print('ready', flush=True); tb.Solver(tb.Tables.open('manhattan')).solve(HARD)", str(tmp_path))
    assert process.stdout is not None and process.stdout.readline() == "ready\n"
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert "KeyboardInterrupt" in err and process.returncode != 0


def test_handler_of_signals_runs_while_rust_works(tmp_path):
    process = run(
        """
        import signal
        heard = []
        signal.signal(signal.SIGALRM, lambda *_: heard.append(time.monotonic()))
        signal.setitimer(signal.ITIMER_REAL, 0.1, 0.1)
        answer = tb.Solver(tb.Tables.open("manhattan"), time=1.0).solve(HARD)
        print(answer.limit, len(heard) > 3)
        """,
        str(tmp_path),
    )
    expect("time True\n", process)


def test_totals_are_read_while_another_thread_waits_for_answers(tmp_path):
    process = run(
        """
        import faulthandler, threading
        faulthandler.dump_traceback_later(30, exit=True)
        answers = tb.Solver(tb.Tables.open("manhattan"), time=0.5).solve_many([HARD] * 3)
        found = []
        thread = threading.Thread(target=lambda: found.extend(answers))
        thread.start()
        boards = [answers.totals.boards]
        while thread.is_alive():
            time.sleep(0.01)
            boards.append(answers.totals.boards)
        print(len(found), boards == sorted(boards), set(boards) <= {0, 1, 2, 3}, answers.totals.boards)
        """,
        str(tmp_path),
    )
    expect("3 True True 3\n", process)


def test_handler_of_signals_reads_totals_while_answers_are_awaited(tmp_path):
    process = run(
        """
        import faulthandler, signal
        faulthandler.dump_traceback_later(30, exit=True)
        heard = []
        answers = tb.Solver(tb.Tables.open("manhattan"), time=0.5).solve_many([HARD] * 2)
        signal.signal(signal.SIGALRM, lambda *_: heard.append(answers.totals.boards))
        signal.setitimer(signal.ITIMER_REAL, 0.1, 0.1)
        print([answer.limit for answer in answers], len(heard) > 3, heard[0])
        """,
        str(tmp_path),
    )
    expect("['time', 'time'] True 0\n", process)


@pytest.mark.parametrize(
    "work",
    [
        "neighbours(boards)", "rank(boards)", "is_goal(boards)", "is_solvable(boards)",
        "unrank(np.arange(len(boards)), (4, 4))",
        "estimate(boards, 'manhattan')",
        # Arrays are read before the first search, unlike iterators.
        "Solver(tables).solve_many(boards).close()",
    ],
)  # fmt: skip
def test_one_call_with_millions_of_boards_listens_to_signals(work, tmp_path):
    process = run(
        f"""
        import signal

        class Heard(Exception):
            pass

        def heard(*_):
            raise Heard

        tables = tb.Tables.open("manhattan")
        boards = np.tile(tb.scramble(1000), (250, 1))
        signal.signal(signal.SIGALRM, heard)
        whole = 0
        while whole < 0.6:
            boards = np.tile(boards, (2, 1))
            begun = time.monotonic()
            tb.{work}
            whole = time.monotonic() - begun
        # A signal in the middle of a call ends it at once, not at the end of a stage. On a busy machine, one of three
        # tries may be late.
        delays = []
        for share in (0.2, 0.5):
            delays.append([])
            for _ in range(3):
                begun = time.monotonic()
                signal.setitimer(signal.ITIMER_REAL, share * whole)
                try:
                    tb.{work}
                except Heard:
                    pass
                signal.setitimer(signal.ITIMER_REAL, 0)
                delays[-1].append((time.monotonic() - begun) / whole - share)
        print(max(map(min, delays)) < 0.3, len(boards), whole, delays)
        """,
        str(tmp_path),
    )
    out, err = process.communicate(timeout=120)
    assert out.startswith("True"), (out, err)


def test_tables_stay_open_after_a_signal(tmp_path):
    process = run(
        """
        import signal

        class Heard(Exception):
            pass

        def heard(*_):
            raise Heard

        tables = tb.Tables.ensure("8/whole", folder=folder)
        solver = tb.Solver(tables)
        print(solver.solve(EIGHT).length)
        for name in os.listdir(folder):
            os.remove(os.path.join(folder, name))
        signal.signal(signal.SIGALRM, heard)
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        try:
            solver.solutions(EIGHT, slack=None, list_max=10**9, count=False)
        except Heard:
            print("heard")
        # Nothing is built again.
        print(solver.solve(EIGHT).length, os.listdir(folder))
        """,
        str(tmp_path),
    )
    expect("31\nheard\n31 []\n", process)


def test_ctrl_c_ends_a_build_that_many_boards_wait_for(tmp_path):
    process = run(
        """
        tables = tb.Tables.ensure(folder=folder, threads=1)
        print("ready", flush=True)
        try:
            tb.Solver(tables).solve_all(["0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1"] * 3)
        except KeyboardInterrupt:
            pass
        # The build does not continue in the background.
        time.sleep(1)
        busy = time.process_time()
        time.sleep(0.5)
        print(time.process_time() - busy < 0.2, [name for name in os.listdir(folder) if name.endswith(".pdb")])
        """,
        str(tmp_path),
    )
    assert process.stdout is not None and process.stdout.readline() == "ready\n"
    time.sleep(0.4)
    process.send_signal(signal.SIGINT)
    expect("True []\n", process)


def test_handler_of_signals_takes_an_answer_of_the_stream_that_is_awaited(tmp_path):
    process = run(
        """
        import faulthandler, signal
        faulthandler.dump_traceback_later(20, exit=True)
        answers = tb.Solver(tb.Tables.open("manhattan"), time=0.5).solve_many([HARD] * 2)
        heard = []
        signal.signal(signal.SIGALRM, lambda *_: heard.append(next(answers).limit))
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        print([answer.limit for answer in answers], heard)
        """,
        str(tmp_path),
    )
    expect("['time'] ['time']\n", process)


def threads_script(prints: str) -> str:
    return f"""
        import resource

        def switches():
            return resource.getrusage(resource.RUSAGE_THREAD).ru_nvcsw

        def workers():
            names = {{}}
            for task in os.listdir("/proc/self/task"):
                with open(f"/proc/self/task/{{task}}/comm") as file:
                    names[task] = file.read().strip()
            return {{task for task, name in names.items() if name == "tilebase"}}

        tables = tb.Tables.open("8/whole", folder=folder)
        solver = tb.Solver(tables)
        {prints}
    """


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="it counts switches as Linux does")
@pytest.mark.parametrize(
    "work",
    ["tables.estimate(EIGHT)", "tables.estimate([EIGHT])", "solver.solve(easy)", "solver.moves(easy)", "solver.check(easy, 'LL')"],
)
def test_short_call_waits_for_no_other_thread(work, folder):
    process = run(
        threads_script(
            f"""
        easy = "1 2 3/4 5 6/0 7 8"
        for _ in range(3):
            {work}
        before = switches()
        for _ in range(400):
            {work}
        print(switches() - before)
        """
        ),
        folder,
    )
    out, err = process.communicate(timeout=60)
    # A call that waits for another thread switches to it at least once. On a busy machine, some short calls take too
    # long and run again on another thread.
    assert int(out) < 200, (out, err)


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="threads are listed there")
def test_long_calls_share_one_thread(folder):
    process = run(
        threads_script(
            """
        # The threads of a search have the name of the thread that starts them.
        quick = tb.Solver(tb.Tables.open("manhattan"), time=0.02, threads=1)
        seen = []
        for _ in range(5):
            assert quick.solve(HARD).limit == "time"
            seen.append(workers())
        print(len(seen[0]), all(same == seen[0] for same in seen))
        """
        ),
        folder,
    )
    expect("1 True\n", process)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_fork_during_long_work_leaves_the_child_its_own_threads(tmp_path):
    process = run(
        """
        import signal, threading
        solver = tb.Solver(tb.Tables.open("manhattan"), time=1.5)
        quick = tb.Solver(solver.tables, time=0.05)
        quick.solve(HARD)
        for beside in (False, True):
            # The worker is idle, or works for another thread.
            thread = threading.Thread(target=solver.solve, args=(HARD,))
            if beside:
                thread.start()
                time.sleep(0.2)
            child = os.fork()
            if child == 0:
                status = 1
                try:
                    assert solver.solve(EIGHT).length == 31 and solver.tables.estimate(EIGHT) == 21
                    assert quick.solve(HARD).limit == "time"
                    signal.signal(signal.SIGALRM, signal.default_int_handler)
                    signal.setitimer(signal.ITIMER_REAL, 0.2)
                    try:
                        tb.Solver(solver.tables).solve(HARD)
                    except KeyboardInterrupt:
                        status = 0
                finally:
                    os._exit(status)
            print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
            if beside:
                thread.join()
            print(quick.solve(HARD).limit, solver.solve(EIGHT).length)
        """,
        str(tmp_path),
    )
    expect("0\ntime 31\n" * 2, process)


FORKS = """
    tables = tb.Tables.open("8/whole", folder=folder)
    solver = tb.Solver(tables)
    known = tb.distances((3, 3))
    boards = tb.scramble(3000, (3, 3))
    expected = known[tb.rank(boards)].tolist()
    answers = solver.solve_many(boards)
    assert next(answers).length == expected[0]
    children = []
    for _ in range(3):
        child = os.fork()
        if child == 0:
            status = 1
            try:
                try:
                    next(answers)
                except tb.TableError as error:
                    assert "process" in str(error)
                assert solver.solve(EIGHT).length == 31
                assert tables.estimate(boards).tolist() == expected
                assert [answer.length for answer in solver.solve_many(boards)] == expected
                del answers
                tables.close()
                status = 0
            except BaseException as error:
                print(repr(error), flush=True)
            os._exit(status)
        children.append(child)
    print([os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children])
    print([answer.length for answer in answers] == expected[1:])
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_child_of_a_fork_solves(folder):
    process = run(FORKS, folder)
    expect("[0, 0, 0]\nTrue\n", process)


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_pools_of_processes_share_the_files(method, folder, tmp_path):
    script = tmp_path / "pool.py"
    script.write_text(
        textwrap.dedent(
            """
            import multiprocessing
            import sys

            import tilebase as tb

            if __name__ == "__main__":
                solver = tb.Solver(tb.Tables.open("8/whole", folder=sys.argv[1]), threads=1)
                boards = tb.scramble(200, (3, 3))
                solver.solve(boards[0])
                with multiprocessing.get_context(sys.argv[2]).Pool(2) as pool:
                    answers = pool.map(solver.solve, list(boards), chunksize=50)
                expected = tb.distances((3, 3))[tb.rank(boards)]
                print([answer.length for answer in answers] == expected.tolist())
            """
        )
    )
    done = subprocess.run(
        [sys.executable, str(script), folder, method], capture_output=True, text=True, timeout=120
    )
    assert done.stdout == "True\n", done.stderr


@pytest.mark.parametrize(
    "end",
    [
        "pass", "sys.exit(3)", "os._exit(3)", "raise SystemExit(3)", "del answers", "answers.close()",
        "del tables",
    ],
)  # fmt: skip
def test_interpreter_ends_while_searches_run(end, tmp_path):
    process = run(
        f"""
        def endless():
            while True:
                yield HARD

        tables = tb.Tables.open("manhattan")
        answers = tb.Solver(tables).solve_many(endless())
        time.sleep(0.2)
        {end}
        """,
        str(tmp_path),
    )
    _, err = process.communicate(timeout=60)
    assert process.returncode in (0, 3), err
    assert "panic" not in err and "Fatal" not in err, err
