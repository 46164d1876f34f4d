"""Arguments that are numbers: checks of their ranges, with messages in the terms of Python."""

from __future__ import annotations

import operator
from typing import Any

from . import _tilebase
from ._errors import ArgumentError

#: Largest number of the compiled half.
NUMBER_MAX = 2**64 - 1
#: Largest number of moves of the compiled half.
MOVES_MAX = 2**32 - 1
#: Largest number of threads: more than any machine runs, and few enough to be started.
THREADS_MAX = 1024


def integer(name: str, value: Any, least: int = 0, most: int = NUMBER_MAX) -> int:
    """Checks an integer against its range."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"expected an integer as {name}, found {value!r}") from None
    if not least <= number <= most:
        raise ArgumentError(f"expected {name} from {least} to {most}, found {number}")
    return number


def limit(name: str, value: Any, least: int = 0, most: int = NUMBER_MAX) -> int | None:
    """Checks an integer against its range; None, for no limit, stays None."""
    return None if value is None else integer(name, value, least, most)


def threads_of(threads: int | None) -> int | None:
    """Checks a number of threads; None means one per core."""
    return limit("threads", threads, 1, THREADS_MAX)


def word(name: str, value: Any, words: tuple[str, ...]) -> str:
    """Checks a word against the known ones."""
    if not isinstance(value, str):
        raise TypeError(f"expected a text as {name}, found {value!r}")
    if value not in words:
        raise ArgumentError(f"expected {name} {' or '.join(map(repr, words))}, found {value!r}")
    return value


def seconds_of(time: float | str | None) -> float | None:
    """Reads a limit: a number of seconds, or a text such as "10s"."""
    if time is None:
        return None
    if isinstance(time, str):
        return _tilebase.seconds(time)
    try:
        seconds = float(time)
    except (ValueError, OverflowError):
        raise ArgumentError(f"expected time in seconds, or None for no limit, found {time!r}") from None
    # The limit of Rust's durations.
    if not 0 < seconds < 2**63:
        raise ArgumentError(f"expected time in seconds above 0, or None for no limit, found {time!r}")
    return seconds
