"""Fixtures: tables in a temporary folder, which all tests share."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

import tilebase as tb


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    path = str(tmp_path_factory.mktemp("tables"))
    before = os.environ.get("TILEBASE_DB")
    os.environ["TILEBASE_DB"] = path
    tb.Tables.build("8/whole", folder=path)
    tb.Tables.build("8/4-4", folder=path)
    yield path
    if before is None:
        del os.environ["TILEBASE_DB"]
    else:
        os.environ["TILEBASE_DB"] = before


@pytest.fixture
def whole(folder: str) -> Iterator[tb.Tables]:
    with tb.Tables.open("8/whole", folder=folder) as tables:
        yield tables


@pytest.fixture
def manhattan(folder: str) -> Iterator[tb.Tables]:
    with tb.Tables.open("manhattan", folder=folder) as tables:
        yield tables
