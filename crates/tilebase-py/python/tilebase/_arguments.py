"""Arguments that are numbers: held to their ranges, with the words of Python."""

from __future__ import annotations

import operator
from typing import Any, overload

from ._errors import ArgumentError

#: What the compiled half can count to.
NUMBER_MAX = 2**64 - 1
#: What it counts moves with.
MOVES_MAX = 2**32 - 1
#: More threads than any machine runs; so many that they cannot be had would end in errors of the system.
THREADS_MAX = 1024


@overload
def integer(name: str, value: None, least: int = 0, most: int = NUMBER_MAX) -> None: ...
@overload
def integer(name: str, value: int, least: int = 0, most: int = NUMBER_MAX) -> int: ...
def integer(name: str, value: Any, least: int = 0, most: int = NUMBER_MAX) -> int | None:
    """An integer within its range; None stays what it is."""
    if value is None:
        return None
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"expected an integer as {name}, found {value!r}") from None
    if not least <= number <= most:
        raise ArgumentError(f"expected {name} from {least} to {most}, found {number}")
    return number


def threads_of(threads: int | None) -> int | None:
    """How many threads work; None for one a core."""
    return integer("threads", threads, 1, THREADS_MAX)


def seconds_of(time: float | None) -> float | None:
    """A limit in seconds."""
    if time is None:
        return None
    try:
        seconds = float(time)
    except (ValueError, OverflowError):
        raise ArgumentError(f"expected time in seconds, or None for no limit, found {time!r}") from None
    # As many as a duration of Rust has.
    if not 0 <= seconds < 2**63:
        raise ArgumentError(f"expected time in seconds from 0, or None for no limit, found {time!r}")
    return seconds
