from __future__ import annotations

import os
import pathlib
import pickle
import shutil
import subprocess
import sys
import threading

import numpy as np
import pytest

import tilebase as tb

EIGHT = "8 6 7/2 5 4/3 0 1"


def test_only_ensure_builds_missing_tables(tmp_path):
    with pytest.raises(tb.MissingTableError) as caught:
        tb.Tables.open("8/whole", folder=tmp_path)
    assert isinstance(caught.value, FileNotFoundError)
    steps: list[tb.Progress] = []
    with tb.Tables.ensure("8/whole", folder=tmp_path, progress=steps.append) as tables:
        assert tables.name() == "8/whole" and tables.shape == tb.Shape(3, 3)
        assert tables.folder == str(tmp_path)
        assert {os.path.basename(file) for file in tables.files()} <= set(os.listdir(tmp_path))
    stages = [step.stage for step in steps]
    assert stages[:2] == ["missing", "begin"] and stages[-2:] == ["end", "built"]
    levels = [step for step in steps if step.stage == "level"]
    assert levels[-1].done == levels[-1].total == 181_440
    again: list[tb.Progress] = []
    tb.Tables.ensure("8/whole", folder=tmp_path, progress=again.append).close()
    assert again == []
    # The built table can be opened without building.
    assert tb.Tables.open("8/whole", folder=tmp_path).estimate(EIGHT) == 31


def test_builds_report_each_table(tmp_path):
    first = tb.Tables.build("8/4-4", folder=tmp_path)
    again = tb.Tables.build("8/4-4", folder=tmp_path)
    anew = tb.Tables.build("8/4-4", folder=tmp_path, replace=True, threads=1)
    assert [report.already_there for report in first + again + anew] == [False] * 2 + [True] * 2 + [False] * 2
    assert all(os.path.getsize(report.path) == report.file_bytes for report in first)
    # Streamed tables are the same.
    streamed = tb.Tables.build("8/whole", folder=tmp_path / "streamed", memory=2**30)
    assert tb.inspect(streamed[0].path)[0].entry_count == 362_880
    with pytest.raises((tb.LimitError, tb.TableError)):
        tb.Tables.build("15/7-8", folder=tmp_path, memory=1000)


def test_exceptions_of_a_callback_end_the_build(tmp_path):
    def stop(step: tb.Progress) -> None:
        if step.stage == "level" and step.level == 5:
            raise RuntimeError("enough")

    # These tables take long enough for several levels to be reported.
    for build in (tb.Tables.ensure, tb.Tables.build):
        with pytest.raises(RuntimeError, match="enough"):
            build("15/7-8", folder=tmp_path, threads=1, progress=stop)
        assert not [name for name in os.listdir(tmp_path) if name.endswith(".pdb")]
    tables = tb.Tables.ensure("8/whole", folder=tmp_path, progress=tb.tqdm_progress(disable=True))
    assert tables.estimate(EIGHT) == 31


def test_bar_shows_the_progress_of_a_build(tmp_path):
    made: list[dict[str, object]] = []

    class Bar:
        def __init__(self, **options: object) -> None:
            self.total = self.n = None
            made.append(options)

        def refresh(self) -> None:
            assert self.n is not None and self.n <= self.total

        def set_description(self, desc: str | None = None) -> None:
            assert desc

        def close(self) -> None:
            made.append({"closed": True})

    show = tb.tqdm_progress(Bar, leave=False)
    tb.Tables.build("8/4-4", folder=tmp_path, progress=show)
    assert len(made) == 4 and made[0]["leave"] is False and made[1] == {"closed": True}


def test_closed_tables_refuse_calls(folder):
    with tb.Tables.open("8/whole", folder=folder) as tables:
        solver = tb.Solver(tables)
    assert tables.closed and "closed" in repr(tables)
    for use in (
        lambda: tables.estimate(EIGHT), lambda: solver.solve(EIGHT), lambda: tables.name(),
        lambda: solver.solve_many([EIGHT]), lambda: tables.explain(EIGHT), lambda: tables.verify(),
        lambda: tables.goal(), lambda: tables.__enter__(), lambda: tables.shape,
        lambda: tables.board("1 2/3 0"),
    ):  # fmt: skip
        with pytest.raises(tb.TableError, match="closed"):
            use()
    tables.close()
    with pytest.raises(TypeError):
        tb.Tables()


def damaged(folder: str, path: str, damage) -> str:
    os.makedirs(path)
    for name in os.listdir(folder):
        if name.endswith(".pdb"):
            shutil.copy(os.path.join(folder, name), path)
    name = os.path.join(path, "3x3-0ff-r8-aware.pdb")
    with open(name, "rb") as file:
        content = bytearray(file.read())
    content = damage(content)
    with open(name, "wb") as file:
        file.write(content)
    return name


def flipped(at: int):
    def damage(content: bytearray) -> bytearray:
        content[at] ^= 0x10
        return content

    return damage


DAMAGES = {
    "the magic": flipped(0),
    "the header": flipped(100),
    "an entry in the middle": flipped(30_000),
    "the last byte": flipped(-1),
    "cut short": lambda content: content[:-1],
    "half of it": lambda content: content[: len(content) // 2],
    "nothing": lambda content: bytearray(),
    "zeros": lambda content: bytearray(len(content)),
    "more": lambda content: content + b"x",
    "text": lambda content: bytearray(b"hello\n"),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_damaged_tables_are_refused(folder, tmp_path, damage):
    path = str(tmp_path / "damaged")
    name = damaged(folder, path, damage)
    boards = tb.scramble(50, (3, 3))
    for use in (
        lambda tables: tables.estimate(boards),
        lambda tables: tb.Solver(tables).solve(EIGHT),
        lambda tables: tb.Solver(tables).solve_all(boards),
        lambda tables: tb.Solver(tables).moves(EIGHT),
        lambda tables: tb.Solver(tables).solutions(EIGHT),
    ):
        with pytest.raises(tb.DamagedTableError):
            use(tb.Tables.open("8/whole", folder=path))
    reports = tb.verify(name)
    assert len(reports) == 1 and not reports[0].is_good and reports[0].findings


CUT = """
import os, sys
import tilebase as tb

tables = tb.Tables.open("8/whole", folder=sys.argv[1])
assert tables.estimate(sys.argv[2]) == 31
os.truncate(os.path.join(sys.argv[1], "3x3-0ff-r8-aware.pdb"), 4096)
for use in (tables.estimate, tb.Solver(tables).solve, tb.Solver(tables).solutions):
    try:
        use(sys.argv[2])
    except tb.DamagedTableError:
        continue
    sys.exit("expected a DamagedTableError")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the system ends the process")
def test_table_that_is_truncated_while_it_is_mapped_is_refused(folder, tmp_path):
    path = str(tmp_path / "cut")
    damaged(folder, path, lambda content: content)
    run = subprocess.run([sys.executable, "-c", CUT, path, EIGHT], capture_output=True, text=True)
    assert (run.returncode, run.stderr) == (0, "")


def test_table_that_is_written_to_after_the_first_answer_is_refused(folder, tmp_path):
    for number, use in enumerate([lambda: tables.estimate(EIGHT), lambda: tb.Solver(tables).solve(EIGHT)]):
        path = str(tmp_path / str(number))
        name = damaged(folder, path, lambda content: content)
        with tb.Tables.open("8/whole", folder=path) as tables:
            for _ in range(3):
                use()
            with open(name, "r+b") as file:
                file.seek(-1, os.SEEK_END)
                file.write(b"x")
            os.utime(name, (1, 1))
            for _ in range(2):
                with pytest.raises(tb.DamagedTableError):
                    use()


def test_messages_name_the_functions_of_python(folder, tmp_path):
    with pytest.raises(tb.SpecError, match=r"specs\(\) lists these, and heuristics\(\) the names that need no spec$"):
        tb.Tables.open("manhatan", folder=folder)
    with pytest.raises(tb.SpecError, match=r"specs\(\) lists these"):
        tb.verify("8/hole", folder=folder)
    with pytest.raises(tb.MissingTableError, match=r"; Tables.ensure\(..\) builds it$"):
        tb.Tables.open("8/whole", folder=tmp_path)
    name = "3x3-0ff-r8-aware.pdb"
    whole = (pathlib.Path(folder) / name).read_bytes()
    (tmp_path / name).write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    with pytest.raises(tb.DamagedTableError, match=r"; Tables.build\(.., replace=True\) builds it again$"):
        tb.Tables.ensure("8/whole", folder=tmp_path).estimate(EIGHT)
    tb.Tables.build("8/whole", folder=tmp_path, replace=True)
    assert tb.Tables.open("8/whole", folder=tmp_path).estimate(EIGHT) == 31


def test_files_that_are_no_tables_are_refused(tmp_path):
    wrong = tmp_path / "3x3-0ff-r8-aware.pdb"
    for use in (tb.inspect, tb.verify):
        with pytest.raises(tb.FileError, match="nowhere"):
            use(tmp_path / "nowhere.pdb")
        with pytest.raises(tb.TilebaseError):
            use("no-such-spec")
        with pytest.raises(tb.MissingTableError):
            use("8/whole", folder=tmp_path)
    wrong.mkdir()
    with pytest.raises(tb.TilebaseError):
        tb.Tables.open("8/whole", folder=tmp_path)
    with pytest.raises(tb.TilebaseError):
        tb.inspect(wrong)
    with pytest.raises(tb.ArgumentError, match="deeply"):
        tb.verify(wrong, "deeply")
    with pytest.raises(tb.ArgumentError):
        tb.verify(wrong, threads=0)


def test_errors_of_too_little_room_name_the_arguments(tmp_path):
    with pytest.raises(tb.LimitError, match="; give more with the argument memory$") as caught:
        tb.Tables.build("15/7-8", folder=tmp_path, memory=1000)
    assert "--" not in str(caught.value)
    # /proc has no free space, and the message quotes the folder's name unchanged.
    folder = "/proc/a: choose another folder with --db/with --memory"
    with pytest.raises(tb.LimitError) as caught:
        tb.Tables.build("15/7-8", folder=folder)
    assert f"{folder} has 0 B free;" in str(caught.value)
    assert str(caught.value).endswith("; choose another folder with the argument folder")


def test_tables_that_do_not_fit_the_memory_are_not_opened(folder):
    bytes_of_whole = tb.inspect("8/whole", folder=folder)[0].file_bytes
    for spec in ("8/whole", "whole", "max(manhattan, 8/whole)"):
        for make in (tb.Tables.open, tb.Tables.ensure):
            for use in (
                lambda tables: tables.estimate(EIGHT), lambda tables: tables.estimate([EIGHT]),
                lambda tables: tb.Solver(tables).solve(EIGHT), lambda tables: tb.Solver(tables).solve_all([EIGHT]),
                lambda tables: tb.Solver(tables).solve_all(iter([EIGHT])), lambda tables: tables.name((3, 3)),
            ):  # fmt: skip
                with pytest.raises(tb.LimitError, match="but may use 1.00 kB; .*give more with the argument memory$"):
                    use(make(spec, folder=folder, memory=1000))
            with make(spec, folder=folder, memory=bytes_of_whole) as tables:
                assert tables.estimate(EIGHT) == 31
    # Heuristics without tables need no memory. Without a spec, tables that fit are chosen.
    assert tb.Tables.open("manhattan", memory=1000).estimate(EIGHT) == 21
    assert tb.Tables.open(folder=folder, memory=1000).name((3, 3)) == "manhattan"


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ({"spec": "nothing"}, tb.SpecError),
        ({"spec": ""}, tb.SpecError),
        ({"spec": "max(manhattan)"}, tb.SpecError),
        ({"spec": "max(" * 1000}, tb.SpecError),
        ({"spec": "nowhere.toml"}, tb.FileError),
        ({"spec": "8/whole", "goal": "1 2/3 0"}, (tb.SpecError, tb.BoardError)),
        ({"spec": "manhattan", "goal": "unknown"}, (tb.SpecError, tb.FileError)),
        ({"spec": "8/whole", "residence": "flying"}, tb.ArgumentError),
        ({"spec": 7}, TypeError),
        ({"spec": "manhattan", "shape": (9, 9)}, tb.BoardError),
        ({"spec": "manhattan", "memory": -1}, tb.ArgumentError),
        ({"spec": "manhattan", "threads": 0}, tb.ArgumentError),
        ({"spec": "manhattan", "threads": 10**9}, tb.ArgumentError),
        ({"spec": "manhattan", "threads": 1.5}, TypeError),
        ({"spec": "8/whole", "folder": "\0"}, (ValueError, tb.TilebaseError)),
    ],
    ids=str,
)
def test_invalid_arguments_of_open_are_refused(wrong, error, folder):
    with pytest.raises(error):
        tb.Tables.open(**{"folder": folder, **wrong})


def test_spec_may_be_the_path_of_a_file(folder, tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(tb.Spec("8/whole").to_toml())
    with tb.Tables.open(path, folder=folder) as tables:
        assert tables.estimate("8 6 7/2 5 4/3 0 1") == 31
        assert repr(tables) == f"Tables({str(path)!r})"
    assert [report.is_good for report in tb.verify(path, folder=folder)] == [True]
    assert tb.spec_listing(path)["kind"] == "additive"
    assert tb.Tables.build(path, folder=folder)[0].already_there


def test_headers_and_files_agree(folder, whole):
    (report,) = whole.inspect()
    assert report.table == "3x3-0ff-r8-aware.pdb" and (report.rows, report.cols) == (3, 3)
    assert report.file_bytes == os.path.getsize(whole.files()[0])
    assert sum(report.histogram) + report.unreached_count == report.entry_count == 362_880
    counted = np.bincount(tb.distances((3, 3)))
    assert list(report.histogram[:32]) == list(counted[:32])
    assert sorted(report.homes) == list(range(8))
    assert tb.inspect(["8/whole", whole.files()[0]], folder=folder)[0] == report
    steps: list[tb.Progress] = []
    for level in ("header", "digest", "entries", "rebuild"):
        (checked,) = whole.verify(level, progress=steps.append)
        assert checked.is_good and checked.level == level
    assert {step.stage for step in steps} >= {"check", "level"}


def test_drawn_partitions_are_specs(tmp_path):
    drawn = tb.partition("A A B/A B B/B B .", title="Three and five", name="mine")
    assert drawn.name == "mine" and drawn.title == "Three and five"
    assert tb.Spec.parse("mine", drawn.to_toml()) == drawn
    file = tmp_path / "mine.toml"
    file.write_text(drawn.to_toml())
    assert tb.Spec(str(file)).goal == drawn.goal
    for spec in (drawn, str(file)):
        with tb.Tables.ensure(spec, folder=tmp_path) as tables:
            boards = tb.scramble(500, (3, 3))
            found = tables.estimate(boards)
            known = tb.distances((3, 3))[tb.rank(boards)]
            assert (found <= known).all() and (found >= tb.estimate(boards)).all()
            assert (known - found).sum() < (known - tb.estimate(boards)).sum()
    first = tb.partition(". A A/B B A/B B A", goal="blank-first")
    assert first.goal.name == "blank-first"
    listing = tb.spec_listing(drawn, folder=tmp_path)
    assert listing["name"] == "mine" and len(listing["tables"]) == 2
    for wrong in ["", "A", "A A/A", "A A B/A B B/B B B", "1 2 3/4 5 6/7 8 .", "A .", "A A . /" * 9]:
        with pytest.raises((tb.SpecError, tb.BoardError)):
            tb.partition(wrong)


def test_pickled_tables_open_the_same_tables(folder, whole):
    for tables in (whole, tb.Tables.open(tb.partition("A A B/A B B/B B .").name and "8/4-4", folder=folder)):
        same = pickle.loads(pickle.dumps(tables))
        assert same.estimate(EIGHT) == tables.estimate(EIGHT)
        assert pickle.loads(pickle.dumps(tb.Solver(tables, nodes=10**6))).solve(EIGHT).length == 31


def test_open_without_a_spec_takes_the_best_tables(folder, tmp_path):
    with tb.Tables.open(folder=folder) as tables:
        assert tables.shape is None
        assert tables.name((3, 3)) == "8/whole"
        with pytest.raises(tb.TableError, match="shape"):
            tables.name()
    with tb.Tables.open(folder=tmp_path, shape=(4, 4)) as tables:
        assert tables.name() in ("manhattan", "walking-distance")


def test_many_threads_open_and_close(folder):
    problems: list[object] = []

    def work() -> None:
        try:
            for _ in range(20):
                with tb.Tables.open("8/whole", folder=folder) as tables:
                    assert tables.estimate(EIGHT) == 31
        except BaseException as problem:
            problems.append(problem)

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not problems
