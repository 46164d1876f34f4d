"""Networks whose files were written with numpy, as `net:FILE`."""

from __future__ import annotations

import json
import pathlib
import struct

import numpy as np
import pytest
from safetensors.numpy import save_file

import tilebase as tb

EIGHT = "8 6 7/2 5 4/3 0 1"
METADATA = {
    "format": "tilebase-net-1",
    "shape": "3x3",
    "goal": str(tb.Goal("blank-last", (3, 3)).board),
}


def tensors(sizes: tuple[int, ...] = (81, 16, 8, 1), seed: int = 1) -> dict[str, np.ndarray]:
    random = np.random.default_rng(seed)
    made = {}
    for number, (inputs, outputs) in enumerate(zip(sizes, sizes[1:], strict=False)):
        made[f"{number}.weight"] = random.normal(0, 1, (outputs, inputs)).astype(np.float32)
        made[f"{number}.bias"] = random.normal(3, 1, outputs).astype(np.float32)
    # Outputs near real distances, so that the network changes the estimates.
    made[f"{len(sizes) - 2}.bias"] += 30
    return made


def output(made: dict[str, np.ndarray], boards: np.ndarray) -> np.ndarray:
    inputs = np.zeros((len(boards), 9, 9))
    inputs[np.arange(len(boards))[:, None], boards, np.arange(9)] = 1
    values = inputs.reshape(len(boards), 81)
    for number in range(len(made) // 2):
        values = values @ made[f"{number}.weight"].T.astype(float) + made[f"{number}.bias"]
        if number < len(made) // 2 - 1:
            values = np.maximum(values, 0)
    return values[:, 0]


@pytest.fixture
def network(tmp_path: pathlib.Path) -> str:
    save_file(tensors(), tmp_path / "mine.safetensors", METADATA)
    return f"net:{tmp_path / 'mine.safetensors'}"


def test_estimates_equal_those_of_numpy(network, folder):
    boards = tb.scramble(10_000, (3, 3), seed=1)
    manhattan = tb.estimate(boards)
    excess = (output(tensors(), boards) - manhattan) / 2
    expected = manhattan + 2 * np.maximum(np.rint(excess), 0)
    certain = abs(excess - np.floor(excess) - 0.5) > 1e-3
    with tb.Tables.open(network, shape=(3, 3), folder=folder) as tables:
        found = tables.estimate(boards)
        assert certain.mean() > 0.99 and np.array_equal(found[certain], expected[certain])
        assert (found > manhattan).any()
        # Single boards have the same estimates.
        assert [tables.estimate(tb.Board(board)) for board in boards[:200]] == found[:200].tolist()


def test_answers_of_networks_are_not_optimal(network, folder):
    boards = tb.scramble(20, (3, 3), seed=2)
    known = tb.distances((3, 3))[tb.rank(boards)]
    with tb.Tables.open(network, shape=(3, 3), folder=folder) as tables:
        for search in ("astar", "weighted-astar:2", "greedy", "weighted-ida:1.5"):
            for answer, distance in zip(tb.Solver(tables, search=search).solve_many(boards), known, strict=True):
                assert answer.status == "solved" and answer.length >= distance
                assert answer.optimum == distance and answer.lower_bound <= distance
        solver = tb.Solver(tables)
        for use in (solver.moves, solver.solutions, lambda board: solver.check(board, "L")):
            with pytest.raises(tb.SpecError):
                use(EIGHT)


def damaged(what: str, content: bytes) -> bytes:
    size = struct.unpack("<Q", content[:8])[0]
    header = json.loads(content[8 : 8 + size])
    rest = content[8 + size :]
    if what == "offsets":
        header["0.weight"]["data_offsets"] = [0, 2**62]
    elif what == "backwards":
        header["0.weight"]["data_offsets"].reverse()
    elif what == "shape":
        header["0.weight"]["shape"] = [2**31, 2**31]
    elif what == "dtype":
        header["0.weight"]["dtype"] = "F64"
    elif what == "goal":
        header["__metadata__"]["goal"] = "1 2/3 0"
    elif what == "format":
        header["__metadata__"]["format"] = "another"
    elif what == "no metadata":
        del header["__metadata__"]
    elif what == "no bias":
        del header["1.bias"]
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + rest


RAW = {
    "nothing": lambda content: b"",
    "cut short": lambda content: content[:-1],
    "half": lambda content: content[: len(content) // 2],
    "length": lambda content: b"\xff" * 8 + content[8:],
    "zeros": lambda content: bytes(len(content)),
    "text": lambda content: b"hello\n" * 100,
    "numbers": lambda content: content[:-4] + struct.pack("<f", float("nan")),
    "infinite": lambda content: content[:-4] + struct.pack("<f", float("inf")),
}
HEADERS = ["offsets", "backwards", "shape", "dtype", "goal", "format", "no metadata", "no bias"]


@pytest.mark.parametrize("what", [*RAW, *HEADERS])
def test_hostile_networks_are_refused(what, network, folder):
    path = pathlib.Path(network.removeprefix("net:"))
    content = path.read_bytes()
    path.write_bytes(RAW[what](content) if what in RAW else damaged(what, content))
    with pytest.raises(tb.TilebaseError):
        tb.Tables.open(network, shape=(3, 3), folder=folder).estimate(EIGHT)


@pytest.mark.parametrize("sizes", [(81, 1, 1), (80, 8, 1), (81, 8, 2), (256, 8, 1)])
def test_layers_that_do_not_fit_are_refused(sizes, tmp_path, folder):
    made = tensors(sizes)
    if sizes == (81, 1, 1):
        made["1.weight"] = made["1.weight"].repeat(2, 1)
    save_file(made, tmp_path / "other.safetensors", METADATA)
    with pytest.raises(tb.TilebaseError):
        tb.Tables.open(f"net:{tmp_path / 'other.safetensors'}", shape=(3, 3), folder=folder).estimate(EIGHT)


def test_networks_for_other_boards_are_refused(network, folder):
    with pytest.raises(tb.TilebaseError):
        tb.Tables.open(network, shape=(4, 4), folder=folder).estimate(tb.scramble(1))
    with pytest.raises(tb.TilebaseError):
        tb.Tables.open(network, shape=(3, 3), goal="snail", folder=folder).estimate(EIGHT)
    with pytest.raises(tb.TilebaseError):
        tb.Tables.open("net:nowhere.safetensors", shape=(3, 3), folder=folder)
