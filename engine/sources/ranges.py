"""Ranges of lines, as the tools return them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.chunking.utf16 import width
from engine.errors import PathError

RangeStyle = Literal["original", "memlens"]
"""How lines count: "original" as the programs of 2026 do, where a final line feed is
followed by one more, empty line and odd numbers are bent into range; "memlens" as
editors do, where it is not, and odd numbers are refused."""


@dataclass(frozen=True, slots=True)
class Range:
    """Lines of a text, the 1-based number of the first, and where to read on if cut."""

    lines: tuple[str, ...]
    first: int
    truncated: bool = False
    next_from: int | None = None


def take_range(
    text: str,
    from_: int | None,
    lines: int | None,
    *,
    default_lines: int | None,
    max_chars: int | None,
    style: RangeStyle,
) -> Range:
    """The lines from ``from_`` (1-based), at most ``lines`` of them.

    Without ``lines`` at most ``default_lines`` come; all together at most ``max_chars``
    UTF-16 units, whole lines kept unless the first alone is longer. Raises PathError in
    style "memlens" for numbers below 1.
    """
    if style == "original":
        everything, first, count = _original(text, from_, lines)
    else:
        everything, first, count = _memlens(text, from_, lines)
    asked = everything[first - 1 :] if count is None else everything[first - 1 : first - 1 + count]
    limit = default_lines if count is None else None
    kept = _within(asked if limit is None else asked[:limit], max_chars)
    if kept == asked:
        return Range(tuple(kept), first)
    following = first + len(kept)
    return Range(tuple(kept), first, True, following if following <= len(everything) else None)


def _original(text: str, from_: int | None, lines: int | None) -> tuple[list[str], int, int | None]:
    if not from_ and not lines:
        return text.split("\n"), 1, None
    first = 1 if from_ is None else max(1, from_)
    return text.split("\n"), first, None if lines is None else max(1, lines)


def _memlens(text: str, from_: int | None, lines: int | None) -> tuple[list[str], int, int | None]:
    if from_ is not None and from_ < 1:
        raise PathError("Range not allowed", f"Lines count from 1; from was {from_}.")
    if lines is not None and lines < 1:
        raise PathError("Range not allowed", f"At least one line is read; lines was {lines}.")
    everything = text.split("\n")
    if everything[-1] == "":
        everything.pop()
    return everything, from_ or 1, lines


def _within(lines: list[str], max_chars: int | None) -> list[str]:
    if max_chars is None:
        return lines
    left = max_chars + 1
    for index, line in enumerate(lines):
        left -= width(line) + 1
        if left < 0:
            return lines[:index] or [_head(line, max_chars)]
    return lines


def _head(line: str, units: int) -> str:
    """The first UTF-16 units of a line, without half a character at the end."""
    return line.encode("utf-16-le", "surrogatepass")[: 2 * units].decode("utf-16-le", "ignore")
