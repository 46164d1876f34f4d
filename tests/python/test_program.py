from __future__ import annotations

import json

import numpy as np
import pytest

import oracle
import tilebase as tb

scipy_optimize = pytest.importorskip("scipy.optimize")


@pytest.mark.parametrize("form", ["flow", "neos"])
def test_scipy_finds_solutions_of_the_oracles_length(form):
    known = oracle.distances(2, 3, oracle.blank_last(2, 3))
    near = [tiles for tiles, distance in known.items() if distance in (2, 5, 6)][:6]
    for tiles in near:
        program = tb.integer_program(tiles, form, known[tiles], shape=(2, 3))
        result = scipy_optimize.milp(**program.to_scipy())
        assert result.success
        moves = program.moves_of(result.x)
        assert oracle.replayed(2, 3, tiles, moves) == oracle.blank_last(2, 3)
        assert len(moves) == known[tiles]
        if known[tiles] > 2:
            short = tb.integer_program(tiles, form, known[tiles] - 2, shape=(2, 3))
            assert not scipy_optimize.milp(**short.to_scipy()).success


def test_moves_and_values_convert_to_each_other(whole):
    for board in tb.scramble(5, (3, 3), seed=1):
        answer = tb.Solver(whole).solve(board)
        program = tb.integer_program(board, horizon=answer.length)
        values = program.values_of(answer.moves)
        assert program.moves_of(values) == answer.moves
        assert program.moves_of(values + 1e-6) == answer.moves
        pieces = program.to_scipy()
        left = pieces["constraints"].A @ values
        assert (left >= pieces["constraints"].lb).all() and (left <= pieces["constraints"].ub).all()
        assert (values >= pieces["bounds"].lb).all() and (values <= pieces["bounds"].ub).all()
        assert len(program.variables) == len(values) == len(pieces["c"])
        assert len(program.rows) == len(left)


def test_invalid_solutions_are_refused():
    program = tb.integer_program("1 2 3/4 5 6/0 7 8")
    good = program.values_of("LL").astype(float)
    for wrong in [
        np.zeros_like(good), good[:-1], good + 0.5, np.full_like(good, np.nan), np.full_like(good, 1e300),
        np.full_like(good, np.inf), 1 - good, [], "x", None, good[None], ["a"] * len(good), good * 1j,
    ]:  # fmt: skip
        with pytest.raises(tb.ModelError):
            program.moves_of(wrong)
    for moves in ("UUU", "L", "LLL", "x"):
        with pytest.raises((tb.ModelError, tb.MovesError)):
            program.values_of(moves)


def test_invalid_programs_are_refused():
    with pytest.raises(tb.UnsolvableError):
        tb.integer_program("2 1 3/4 5 6/7 8 0")
    with pytest.raises(tb.ArgumentError):
        tb.integer_program("1 2 3/4 5 6/0 7 8", "mine")
    for horizon in (-1, 2**32):
        with pytest.raises(tb.ArgumentError, match="horizon"):
            tb.integer_program("1 2 3/4 5 6/0 7 8", horizon=horizon)
    with pytest.raises(tb.LimitError):
        tb.integer_program("1 2 3/4 5 6/0 7 8", horizon=10**6)
    with pytest.raises(tb.BoardError):
        tb.integer_program("1 2 3/4 5 6/0 7 8", goal="1 2/3 0")


def test_programs_are_written_as_files(tmp_path):
    program = tb.integer_program("1 2 3/4 5 6/0 7 8", "neos", 3)
    assert program.form == "neos" and program.horizon == 3
    assert "minimize" in program.text("lp").lower()
    assert "ROWS" in program.text("mps")
    assert json.loads(program.text("json"))
    program.write(tmp_path / "a.gms", "gams")
    assert (tmp_path / "a.gms").read_text() == program.text("gams")
    (tmp_path / "link.gms").symlink_to("a.gms")
    (tmp_path / "a.gms").chmod(0o600)
    old = (tmp_path / "a.gms").stat()
    program.write(str(tmp_path / "link.gms"), "gams")
    new = (tmp_path / "a.gms").stat()
    # Another file has the name, with the old permissions.
    assert new.st_ino != old.st_ino and new.st_mode == old.st_mode
    with pytest.raises(tb.FileError, match="cannot write"):
        program.write(tmp_path / "missing" / "a.lp")
    with pytest.raises(tb.ArgumentError):
        program.text("pdf")
