"""Runs every example of the docstrings and of `docs/python.md`."""

from __future__ import annotations

import doctest
import inspect
import pathlib
import re

import pytest

import tilebase as tb

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "python.md"
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def docstrings() -> dict[str, str]:
    """Returns the docstrings of all public names and their methods."""
    found = {"tilebase": tb.__doc__ or ""}
    for name in tb.__all__:
        thing = getattr(tb, name)
        if isinstance(thing, (str, int)):
            continue
        found[name] = thing.__doc__ or ""
        if not inspect.isclass(thing):
            continue
        for member, value in vars(thing).items():
            if member.startswith("_"):
                continue
            value = getattr(value, "__func__", value)
            if callable(value) or isinstance(value, property) or inspect.isgetsetdescriptor(value):
                found[f"{name}.{member}"] = inspect.getdoc(value) or ""
    return found


DOCSTRINGS = docstrings()


def test_public_names_have_docstrings():
    assert [name for name, text in DOCSTRINGS.items() if not text.strip()] == []
    assert sum(">>>" in text for text in DOCSTRINGS.values()) > 25


def check(name: str, text: str, names: dict[str, object]) -> int:
    test = doctest.DocTestParser().get_doctest(text, names, name, None, 0)
    report: list[str] = []
    result = doctest.DocTestRunner(optionflags=FLAGS).run(test, out=report.append)
    assert result.failed == 0, "".join(report)
    return result.attempted


@pytest.mark.parametrize("name", [name for name, text in DOCSTRINGS.items() if ">>>" in text])
def test_examples_of_docstrings_are_right(name, folder):
    names = {known: getattr(tb, known) for known in tb.__all__} | {"folder": folder}
    assert check(name, DOCSTRINGS[name], names) > 0


def test_examples_of_the_page_are_right(folder, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    # In doctest, only a blank line ends the expected output, so fences become blank lines.
    text = re.sub(r"^```.*$", "", PAGE.read_text(), flags=re.MULTILINE)
    assert check("python.md", text, {}) > 30
