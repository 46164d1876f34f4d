"""Progress of long work."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias


@dataclass(frozen=True)
class Progress:
    """A step of long work.

    - `stage`: "missing" (tables will be built; `total` bytes of disk), "begin" and "end" of a table,
      "level", "segment" and "resume" (of `level`, `done` of `total` states), "pack", "write" and
      "check" (`done` of `total` bytes), "sync", "built", or "fallback" (there are no tables; `text`
      names the heuristic that is used instead).
    - `table`: The file of the table, for steps of one table.
    - `level`: The level of the breadth-first search: the cost of the states that it reached.
    - `done`: States or bytes so far.
    - `total`: All states or bytes.
    - `text`: A description.
    """

    stage: Literal[
        "missing", "begin", "level", "segment", "resume", "pack", "write", "check", "sync", "end",
        "built", "fallback",
    ]  # fmt: skip
    table: str | None = None
    level: int | None = None
    done: int | None = None
    total: int | None = None
    text: str = ""


#: Called with each step, on the thread that called for the work. An exception ends the work.
ProgressCallback: TypeAlias = Callable[[Progress], object]


def adapted(progress: ProgressCallback | None) -> Callable[..., object] | None:
    """Returns the function that the compiled half calls."""
    if progress is None:
        return None
    return lambda *fields: progress(Progress(*fields))


class _Bar(Protocol):
    total: Any
    n: Any

    def refresh(self) -> object: ...
    def close(self) -> object: ...
    def set_description(self, desc: str | None = None) -> object: ...


def tqdm_progress(tqdm: Callable[..., _Bar] | None = None, **options: Any) -> ProgressCallback:
    """Makes a `progress` function that shows a tqdm bar for each table; `options` are passed to tqdm.

    `tqdm` is the class of the bars, such as `tqdm.notebook.tqdm`; the default is `tqdm.auto.tqdm`.

    >>> show = tqdm_progress(disable=True)
    >>> show(Progress("begin", table="a.pdb"))
    """
    if tqdm is None:
        from tqdm.auto import tqdm as auto

        tqdm = auto
    make: Callable[..., _Bar] = tqdm
    bars: dict[str, _Bar] = {}

    def show(step: Progress) -> None:
        if step.table is None:
            return
        if step.stage in ("end", "built"):
            bar = bars.pop(step.table, None)
            if bar is not None:
                bar.close()
            return
        if step.table not in bars:
            bars[step.table] = make(**{"desc": step.table, "unit_scale": True, **options})
        bar = bars[step.table]
        if step.stage in ("pack", "sync", "write", "check"):
            bar.set_description(f"{step.table}: {step.stage}")
        if step.total is not None:
            bar.total = step.total
            bar.n = step.done
            bar.refresh()
            if step.stage == "check" and step.done == step.total:
                bars.pop(step.table).close()

    return show
