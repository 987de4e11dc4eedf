"""Chunks that never exceed their size: what is carried over leaves room for what is new."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from engine.chunking.segments import Cut, Segments
from engine.chunking.slicing import end_of
from engine.chunking.weight import weight


def cut_bounded(
    segments: Segments, limit: int, overlap: int, starts: Sequence[int] = ()
) -> Iterator[Cut]:
    """All chunks as runs of segments, joined by line feeds, each of at most ``limit``.

    Sizes are weights; a segment that is heavier is a chunk of its own. A chunk carries
    over as many last segments of its predecessor as cost at most ``overlap`` and leave
    room for the next one, or else the end of the last one.

    ``starts`` are numbers of segments, ascending, at which chunks should begin: a chunk
    that is full ends before the last of them in its last quarter, and nothing is carried
    over there.
    """
    costs, last = segments.costs, len(segments.texts)
    tail = ""  # the end of the segment before ``first``
    first = end = 0  # what is carried over are the segments from ``first`` to ``end``
    while end < last:
        most = costs[first] + limit - (weight(tail) + 1 if tail else 0)
        full = max(end + 1, bisect_right(costs, most) - 1)
        start = _last_start(starts, costs, full, max(costs[end] + 1, most - limit // 4))
        end = full if start is None or full == last else start
        yield _cut(segments, tail, first, end)
        if end in (start, last):
            tail, first = "", end
            continue
        window = min(overlap, limit - (costs[end + 1] - costs[end]))
        first = bisect_left(costs, costs[end] - window, first, end)
        tail = end_of(segments.texts[end - 1], window - 1) if first == end and window > 1 else ""


def _last_start(starts: Sequence[int], costs: Sequence[int], full: int, least: int) -> int | None:
    """The last start up to segment ``full`` with at least that cost before it, if any."""
    place = bisect_right(starts, full) - 1
    return starts[place] if place >= 0 and costs[starts[place]] >= least else None


def _cut(segments: Segments, tail: str, first: int, end: int) -> Cut:
    texts = segments.texts[first:end]
    if tail:
        return Cut("\n".join((tail, *texts)), segments.lines[first - 1], segments.lines[end - 1])
    return Cut("\n".join(texts), segments.lines[first], segments.lines[end - 1])
