"""Executes the notebooks: `notebooks.py` compares their output with the committed output, ignoring numbers;
`notebooks.py --write` stores the output."""

from __future__ import annotations

import pathlib
import re
import sys
import time

import nbformat
from nbclient import NotebookClient

FOLDER = pathlib.Path(__file__).parents[2] / "crates" / "tilebase-py" / "notebooks"
#: Paths and addresses of a machine, which no notebook may show.
SECRETS = re.compile(r"/(tmp|home|root|work|Users)/|https?://(?!www\.w3\.org)")
#: First cell: keeps raster pictures small.
BEGIN = """
import matplotlib_inline.backend_inline as inline
inline.set_matplotlib_formats("png")
import matplotlib.pyplot
matplotlib.pyplot.rcParams["figure.dpi"] = 72
"""
BYTES_MAX = 250_000


def executed(path: pathlib.Path) -> nbformat.NotebookNode:
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.insert(0, nbformat.v4.new_code_cell(BEGIN))
    NotebookClient(notebook, timeout=240, kernel_name="python3").execute(cwd=str(path.parent))
    del notebook.cells[0]
    count = 0
    for cell in notebook.cells:
        cell.metadata.clear()
        if cell.cell_type == "code":
            count += 1
            cell.execution_count = count
            for output in cell.outputs:
                if output.output_type == "execute_result":
                    output.execution_count = count
    notebook.metadata = {
        "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"},
        "language_info": {"name": "python"},
    }
    return notebook


def shown(notebook: nbformat.NotebookNode) -> list[object]:
    """Returns the output of all cells: its kinds, and its texts with all numbers replaced by 0."""
    found: list[object] = []
    for number, cell in enumerate(notebook.cells):
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            text = output.get("text", data.get("text/plain", ""))
            words = re.sub(r"[\d.]+", "0", re.sub(r"[ \t]+", " ", "".join(text))).split()
            found.append((number, output.output_type, sorted(data), " ".join(words)))
    return found


def problems(path: pathlib.Path, notebook: nbformat.NotebookNode) -> list[str]:
    text = nbformat.writes(notebook)
    found = []
    if SECRETS.search(text):
        found.append(f"it shows {SECRETS.search(text)}: keep paths and hosts out of it")
    if len(text) > BYTES_MAX:
        found.append(f"it has {len(text)} bytes: keep its pictures small")
    errors = [o for cell in notebook.cells for o in cell.get("outputs", []) if o.output_type == "error"]
    found.extend(f"a cell ends in {error.ename}" for error in errors)
    return found


def main() -> int:
    status = 0
    for path in sorted(FOLDER.glob("*.ipynb")):
        begun = time.monotonic()
        notebook = executed(path)
        found = problems(path, notebook)
        if "--write" in sys.argv[1:]:
            nbformat.write(notebook, path)
        else:
            committed = nbformat.read(path, as_version=4)
            found += problems(path, committed)
            for expected, was in zip(shown(committed), shown(notebook), strict=False):
                if expected != was:
                    found.append(f"expected {expected}, found {was}; run notebooks.py --write")
            if len(shown(committed)) != len(shown(notebook)):
                found.append("another number of outputs; run notebooks.py --write")
        print(f"{path.name}: {time.monotonic() - begun:.0f} s, {len(found)} problems")
        for problem in found:
            print(f"  {problem}")
        status |= bool(found)
    return status


if __name__ == "__main__":
    sys.exit(main())
