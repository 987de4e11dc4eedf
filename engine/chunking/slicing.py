"""Slices of a line that is too long for one chunk, by the rules of each release."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import cache
from itertools import accumulate

from engine.chunking.utf16 import units, width
from engine.chunking.weight import character_weight, weight

_SURROGATE = re.compile("[\ud800-\udfff]")
_REPLACEMENT = "\ufffd"


def every_units(line: str, limit: int) -> list[str]:
    """Cut every ``limit`` (>= 1) UTF-16 units; halves of a cut pair become U+FFFD (2026.3)."""
    if line.isascii():
        return _even(line, limit)
    data = line.encode("utf-16-le", "surrogatepass")
    pieces = (data[at : at + 2 * limit] for at in range(0, len(data), 2 * limit))
    return [
        _SURROGATE.sub(_REPLACEMENT, piece.decode("utf-16-le", "surrogatepass")) for piece in pieces
    ]


def whole_characters(line: str, limit: int) -> list[str]:
    """Cut at most ``limit`` UTF-16 units apart, never inside a character."""
    if width(line) == len(line):
        return _even(line, limit)
    return list(_longest(line, limit, units))


def stepwise(line: str, limit: int, step: int) -> Iterator[str]:
    """By units, and what is too heavy then in steps of ``step`` units (2026.7)."""
    for piece in whole_characters(line, limit):
        if weight(piece) > limit:
            yield from whole_characters(piece, step)
        else:
            yield piece


def weighed(line: str, limit: int) -> Iterator[str]:
    """By units, and what is too heavy then by weight (2026.9)."""
    for piece in whole_characters(line, limit):
        if weight(piece) > limit:
            yield from _longest(piece, limit, character_weight)
        else:
            yield piece


def end_of(text: str, limit: int) -> str:
    """The longest end of a text that weighs at most ``limit``."""
    end = text[max(0, len(text) - limit) :]
    if end.isascii():
        return end
    sums = list(accumulate(map(character_weight, reversed(end))))
    return end[len(end) - bisect_right(sums, limit) :]


def _even(line: str, limit: int) -> list[str]:
    return [line[at : at + limit] for at in range(0, len(line), limit)]


def _longest(text: str, limit: int, cost: Callable[[str], int]) -> Iterator[str]:
    """The longest pieces that cost at most ``limit``, but one character at least."""
    sums = [0, *accumulate(map(cache(cost), text))]  # a text has few different characters
    start = 0
    while start < len(text):
        end = max(start + 1, bisect_right(sums, sums[start] + limit, start) - 1)
        yield text[start:end]
        start = end
