from __future__ import annotations

import copy
import dataclasses
import json
import pickle
import pydoc
import xml.dom.minidom

import numpy as np
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


def test_equal_answers_have_equal_hashes(whole, manhattan):
    for asked in (
        lambda: tb.Solver(whole, threads=1).solve(EIGHT), lambda: tb.Solver(whole, threads=1).moves(EIGHT),
        lambda: tb.Solver(whole, threads=1).solutions(EIGHT, list_max=9),
        lambda: tb.Solver(whole, threads=1).check(EIGHT, "L"),
        lambda: tb.Solver(whole).solve("2 1 3/4 5 6/7 8 0"),
    ):  # fmt: skip
        first, again = asked(), asked()
        assert first == again and hash(first) == hash(again) and len({first, again}) == 1
    answer = tb.Solver(whole).solve(EIGHT)
    assert dataclasses.replace(answer, seconds=1e9, generated=1, expanded=1) == answer
    for other in ({"status": "solved"}, {"length": 33}, {"moves": "L"}, {"spec": "8/4-4"}, {"lower_bound": 3}):
        assert dataclasses.replace(answer, **other) != answer
    assert answer != tb.Solver(manhattan).solve(EIGHT) and answer != "31 moves"
    explanation = whole.explain(EIGHT)
    assert explanation == whole.explain(EIGHT)
    with pytest.raises(TypeError, match="unhashable type: 'Explanation'"):
        hash(explanation)


def test_boards_of_an_answer_lead_to_the_goal(whole, manhattan):
    for solver in (tb.Solver(whole), tb.Solver(manhattan, search="greedy")):
        answer = solver.solve(EIGHT)
        boards = answer.boards()
        assert boards[0] == answer.board and boards[-1] == answer.goal.board and len(boards) == answer.length + 1
        for before, letter, after in zip(boards, answer.moves, boards[1:], strict=False):
            assert before.after(letter) == after
    assert tb.Solver(whole).solve("1 2 3/4 5 6/7 8 0").boards() == [tb.Board("1 2 3/4 5 6/7 8 0")]
    with pytest.raises(tb.ArgumentError, match="unsolvable"):
        tb.Solver(whole).solve("2 1 3/4 5 6/7 8 0").boards()


def test_optimum_is_the_length_of_a_solution_that_is_proved_to_be_a_shortest_one(whole, manhattan):
    solver = tb.Solver(whole)
    for answer in (
        solver.solve(EIGHT), *solver.solve_all([EIGHT]), *list(solver.improve(EIGHT))[-1:], solver.moves(EIGHT).answer,
        solver.check(EIGHT, "L").answer, solver.solutions(EIGHT).answer,
    ):  # fmt: skip
        assert (answer.status, answer.optimum) == ("optimal", 31)
    for other in (
        tb.Solver(manhattan, search="greedy").solve(EIGHT), tb.Solver(manhattan, nodes=9).solve(EIGHT),
        solver.solve("2 1 3/4 5 6/7 8 0"), *solver.solve_all(iter(["x"]), invalid="answer"),
    ):  # fmt: skip
        assert other.status != "optimal" and other.optimum is None


def test_explanations_are_printed_in_one_line_and_drawn_with_their_estimates(whole, folder):
    explanation = whole.explain(EIGHT)
    assert repr(explanation) == f"<Explanation: at least 31 moves: {EIGHT}>"
    assert repr(whole.explain("2 1 3/4 5 6/7 8 0")) == "<Explanation: unsolvable: 2 1 3/4 5 6/7 8 0>"
    for of in (explanation, whole.explain("2 1 3/4 5 6/7 8 0")):
        assert xml.dom.minidom.parseString(of._repr_svg_()).documentElement.tagName == "svg"
        page = xml.dom.minidom.parseString(f"<div>{of._repr_html_()}</div>")
        rows = [[cell.firstChild.data for cell in row.getElementsByTagName("td")]
                for row in page.getElementsByTagName("tr")][1:]  # fmt: skip
        assert rows == [[name, str(estimate)] for name, estimate in of.estimates.items()]
    own = tb.Heuristic(lambda boards: 0 * boards[:, 0].astype(int), "<b>&")
    page = tb.Tables.open(own, shape=(3, 3)).explain(EIGHT)._repr_html_()
    assert "<b>" not in page and "&lt;b&gt;&amp;" in page


def test_answers_are_printed_in_one_line(whole, manhattan):
    solver = tb.Solver(whole)
    (invalid,) = solver.solve_all(iter(["x"]), invalid="answer")
    limited = tb.Solver(manhattan, nodes=9).solve(EIGHT)
    answers = [
        solver.solve(EIGHT), solver.solve("2 1 3/4 5 6/7 8 0"), limited,
        tb.Solver(manhattan, search="greedy").solve(EIGHT), invalid,
    ]  # fmt: skip
    shown = [repr(answer) for answer in answers]
    assert shown[:3] == [
        f"<Answer: 31 moves: {EIGHT}>",
        "<Answer: unsolvable: 2 1 3/4 5 6/7 8 0>",
        f"<Answer: stopped by nodes; at least {limited.lower_bound} moves are needed: {EIGHT}>",
    ]
    assert " moves (not proved: at least 21 are needed): " in shown[3] and shown[4].startswith("<Answer: invalid: ")
    assert max(map(len, shown)) < 120


def test_help_has_shapes_types_and_units():
    def shown(thing: object) -> str:
        return pydoc.plain(pydoc.render_doc(thing))

    for thing in (tb.neighbours, tb.Neighbours):
        assert "uint8 [n, 4, cells]" in shown(thing) and "bool [n, 4]" in shown(thing)
    answer = shown(tb.Answer)
    assert "in moves" in answer and "in seconds" in answer
    for kind in (tb.Answer, tb.AnswerArrays, tb.Moves, tb.Check, tb.TableReport, tb.BoardSet, tb.Progress):
        fields = kind._fields if hasattr(kind, "_fields") else [field.name for field in dataclasses.fields(kind)]
        assert [name for name in fields if f"`{name}`" not in kind.__doc__] == []


def test_missing_integers_of_a_frame_stay_integers(whole):
    answers = tb.Solver(whole).solve_all([EIGHT, "2 1 3/4 5 6/7 8 0"])
    frame = tb.to_frame(answers)
    for name in ("length", "lower_bound", "optimum", "initial_estimate", "generated", "expanded"):
        assert frame[name].dtype == "Int64", name
    assert frame["length"][0] == 31 and frame["length"][1] is pd.NA
    assert frame["length"].sum() == 31 and frame["seconds"].dtype == float
    assert tb.to_frame(iter(answers[:1]))["length"].dtype == "Int64"
    assert tb.to_frame(tb.Solver(whole).moves(EIGHT).moves)["distance"].dtype == "Int64"
    assert tb.to_frame(whole.inspect())["entry_count"].tolist() == [362_880]


def test_arrays_of_answers_make_the_frame_of_the_answers(whole):
    solver, boards = tb.Solver(whole), [EIGHT, "2 1 3/4 5 6/7 8 0", "1 2 3/4 5 6/7 8 0"]
    frame, answers = tb.to_frame(solver.solve_arrays(boards)), tb.to_frame(solver.solve_all(boards))
    assert frame["length"][1] is pd.NA and frame["length"].sum() == 31
    for name in ("status", "length", "lower_bound", "generated", "expanded"):
        assert frame[name].dtype == answers[name].dtype
    for name in ("status", "length", "lower_bound"):
        assert frame[name].equals(answers[name])
    assert frame["seconds"].dtype == float and len(tb.to_frame(solver.solve_arrays(np.empty((0, 9), int)))) == 0


def test_boards_are_single_values_of_a_frame(whole):
    frame = pd.DataFrame(tb.Solver(whole).solve_all([EIGHT, "1 2 3/4 5 6/7 8 0"]))
    assert (frame["board"] == tb.Board(EIGHT)).tolist() == [True, False]
    assert frame["board"].isin([tb.Board(EIGHT)]).tolist() == [True, False]
    assert frame.groupby("board", sort=False)["length"].sum()[tb.Board(EIGHT)] == 31


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
    with pytest.raises(tb.ArgumentError, match="invalid"):
        invalid.film()
    with pytest.raises(tb.TilebaseError):
        answer.film(moves_a_second=0.0)
    with pytest.raises(tb.TilebaseError):
        answer.film(colours="green")


def test_exceptions_are_a_small_hierarchy():
    errors = [getattr(tb, name) for name in tb.__all__ if name.endswith("Error")]
    assert len(errors) == 13
    for error in errors:
        assert issubclass(error, tb.TilebaseError)
        made = error("what")
        assert str(pickle.loads(pickle.dumps(made))) == "what"
    assert issubclass(tb.BoardError, ValueError) and issubclass(tb.UnsolvableError, tb.BoardError)
    same = pickle.loads(pickle.dumps(tb.BoardError("what", 3)))
    assert same.row == 3
