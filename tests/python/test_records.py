from __future__ import annotations

import copy
import dataclasses
import json
import pickle
import xml.dom.minidom

import pandas as pd
import pytest

import tilebase as tb

EIGHT = "8 6 7/2 5 4/3 0 1"


def records(tables: tb.Tables) -> list[object]:
    solver = tb.Solver(tables)
    answer = solver.solve(EIGHT)
    return [
        answer, solver.solve("2 1 3/4 5 6/7 8 0"), *solver.solve_all(iter(["x"]), invalid="answer"),
        solver.moves(EIGHT), solver.solutions(EIGHT, list_max=3), solver.check(EIGHT, answer.moves),
        tables.explain(EIGHT), *tables.inspect(), *tables.verify(), solver.solve_many([EIGHT]).totals,
    ]  # fmt: skip


def test_records_are_values(whole):
    for record in records(whole):
        assert dataclasses.is_dataclass(record)
        for same in (copy.copy(record), copy.deepcopy(record), pickle.loads(pickle.dumps(record))):
            assert same == record and repr(same) == repr(record)
        plain = record.to_dict()
        assert json.loads(json.dumps(plain)) == plain
        assert list(plain) == [field.name for field in dataclasses.fields(record)]
        with pytest.raises(dataclasses.FrozenInstanceError):
            record.answer = None


def test_answers_go_into_pandas_without_a_loop(whole):
    boards = tb.scramble(50, (3, 3))
    answers = tb.Solver(whole).solve_all(boards)
    lengths = tb.distances((3, 3))[tb.rank(boards)].tolist()
    frame = pd.DataFrame(answers)
    assert frame["length"].tolist() == lengths
    assert frame["board"].tolist() == [tb.Board(board) for board in boards]
    texts = tb.to_frame(answers)
    assert texts["length"].tolist() == lengths and texts["board"][0] == str(tb.Board(boards[0]))
    assert pd.DataFrame(tb.Solver(whole).moves(EIGHT).moves)["distance"].min() == 30
    assert pd.DataFrame(whole.inspect())["entry_count"].tolist() == [362_880]
    assert len(tb.to_frame([])) == 0


def test_boards_and_answers_draw_themselves(whole):
    answer = tb.Solver(whole).solve(EIGHT)
    pictures = [
        tb.Board(EIGHT)._repr_svg_(), tb.Goal("snail", (4, 5))._repr_svg_(), answer._repr_svg_(),
        tb.Spec("8/4-4")._repr_svg_(), tb.Spec("15/7-8")._repr_svg_(), answer.film(),
        tb.Solver(whole).solve("2 1 3/4 5 6/7 8 0")._repr_svg_(),
    ]  # fmt: skip
    for picture in pictures:
        root = xml.dom.minidom.parseString(picture).documentElement
        assert root.tagName == "svg" and len(picture) > 500
    assert "31 moves" in pictures[2]
    (invalid,) = tb.Solver(whole).solve_all(iter(["x"]), invalid="answer")
    assert invalid._repr_svg_() is None
    with pytest.raises(ValueError):
        invalid.film()
    with pytest.raises(tb.TilebaseError):
        answer.film(moves_a_second=0.0)
    with pytest.raises(tb.TilebaseError):
        answer.film(colours="green")


def test_exceptions_are_a_small_hierarchy():
    errors = [getattr(tb, name) for name in tb.__all__ if name.endswith("Error")]
    assert len(errors) == 11
    for error in errors:
        assert issubclass(error, tb.TilebaseError)
        made = error("what")
        assert str(pickle.loads(pickle.dumps(made))) == "what"
    assert issubclass(tb.BoardError, ValueError) and issubclass(tb.UnsolvableError, tb.BoardError)
    same = pickle.loads(pickle.dumps(tb.BoardError("what", 3)))
    assert same.row == 3
