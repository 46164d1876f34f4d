from __future__ import annotations

import os
import pathlib
import subprocess
import sys

import tilebase as tb

EXAMPLE = pathlib.Path(__file__).parents[2] / "crates" / "tilebase-py" / "examples" / "ray_batch.py"


def test_two_workers_of_a_cluster_solve_a_file(folder, tmp_path):
    boards = tb.scramble(350, (3, 3), seed=3)
    file = tmp_path / "boards.txt"
    file.write_text("".join(f"{tb.Board(board)}\n" for board in boards))
    done = subprocess.run(
        [sys.executable, str(EXAMPLE), str(file), "8/whole", folder],
        capture_output=True, text=True, timeout=150, cwd=tmp_path,
        env={**os.environ, "RAY_USAGE_STATS_ENABLED": "0", "RAY_OVERRIDE_RESOURCES": '{"CPU": 2}'},
    )  # fmt: skip
    lines = [line.split(": ") for line in done.stdout.splitlines() if ": " in line]
    assert len(lines) == 350, done.stderr[-3000:]
    known = tb.distances((3, 3))[tb.rank(boards)]
    for board, distance, (text, answer) in zip(boards, known.tolist(), lines, strict=True):
        length, moves = (*answer.split(" "), "")[:2]
        assert (text, int(length), len(moves)) == (str(tb.Board(board)), distance, distance)
