"""Segments: the lines of a text, long ones cut into slices; what chunks are made of."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from engine.chunking.annotations import NO_ANNOTATIONS, Annotations

Measure = Callable[[str], int]
"""What a text costs: its UTF-16 units, or its weight."""

Slicer = Callable[[str], Iterable[str]]
"""How a line that costs too much is cut."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A text on its way to a chunk, its 1-based lines, and what is noted about it."""

    text: str
    start_line: int
    end_line: int
    annotations: Annotations = NO_ANNOTATIONS


@dataclass(frozen=True, slots=True)
class Segments:
    """Texts in order, the 1-based line each belongs to, and the running cost before each.

    A segment costs one more than its text, for the line feed. ``costs`` has one
    entry more than ``texts``: ``costs[j] - costs[i]`` is the cost of segments i to j-1.
    """

    texts: Sequence[str]
    lines: Sequence[int]
    costs: Sequence[int]


def segment(text: str, limit: int, measure: Measure, slicer: Slicer) -> Segments:
    """Split at line feeds only, so that lines count as editors count them.

    A carriage return stays at the end of its line. A final line feed is followed by
    one more, empty line. A line that measures more than ``limit`` becomes slices.
    """
    whole = text.split("\n")
    if measure(text) == len(text) and max(map(len, whole)) <= limit:  # all characters cost one
        sums = accumulate(map(len, whole), lambda sum_, size: sum_ + size + 1, initial=0)
        return Segments(whole, range(1, len(whole) + 1), list(sums))
    texts: list[str] = []
    lines: list[int] = []
    costs = [0]
    for number, line in enumerate(whole, start=1):
        size = measure(line)
        if size <= limit:
            texts.append(line)
            lines.append(number)
            costs.append(costs[-1] + size + 1)
            continue
        for piece in slicer(line):
            texts.append(piece)
            lines.append(number)
            costs.append(costs[-1] + measure(piece) + 1)
    return Segments(texts, lines, costs)


def cut_segments(segments: Segments, limit: int, overlap: int) -> Iterator[Cut]:
    """All chunks as runs of segments, joined by line feeds.

    A chunk begins with the shortest tail of its predecessor that costs at least
    ``overlap``, takes one new segment whatever its cost, then more while it costs at
    most ``limit``.
    """
    costs, lines = segments.costs, segments.lines
    first = end = 0
    while end < len(lines):
        end = max(end + 1, bisect_right(costs, costs[first] + limit, end) - 1)
        yield Cut("\n".join(segments.texts[first:end]), lines[first], lines[end - 1])
        first = max(first, bisect_right(costs, costs[end] - overlap, first, end + 1) - 1)
