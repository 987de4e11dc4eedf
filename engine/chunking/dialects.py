"""Dialects: the cutting rules of each release, and our own."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial

from engine.chunking.annotations import (
    Annotations,
    annotations_of,
    of_lines,
    projects_of,
    take_comments,
)
from engine.chunking.bounded import cut_bounded
from engine.chunking.chunk import ChunkingRules
from engine.chunking.entries import CURATED, Block, entries
from engine.chunking.headings import section_lines
from engine.chunking.lines import cut_lines
from engine.chunking.segments import Cut, Measure, Slicer, cut_segments, segment
from engine.chunking.slicing import every_units, stepwise, weighed
from engine.chunking.utf16 import width
from engine.chunking.weight import weight

Dialect = Callable[[str, str, ChunkingRules], Iterable[Cut]]
"""From path, text and sizes to cuts in order; the path is empty for a text of no file."""

_UNITS_PER_TOKEN = 4
_LEAST_UNITS = 32


def march(_path: str, text: str, rules: ChunkingRules) -> Iterable[Cut]:
    """February and March 2026: sizes in UTF-16 units."""
    limit, overlap = _sizes(rules)
    return _by_lines(text, limit, overlap, width, partial(every_units, limit=limit))


def july(_path: str, text: str, rules: ChunkingRules) -> Iterable[Cut]:
    """July 2026: sizes in weight, characters stay whole, heavy slices in steps of ``tokens``."""
    limit, overlap = _sizes(rules)
    slicer = partial(stepwise, limit=limit, step=rules.tokens)
    return _by_lines(text, limit, overlap, weight, slicer)


def september(path: str, text: str, rules: ChunkingRules) -> Iterator[Cut]:
    """September 2026: no chunk over its size, curated files by entry, annotations apart.

    An entry's comments speak for all of its chunks; elsewhere only project keys count,
    for the chunks that hold their line.
    """
    text, comments = take_comments(text) if _is_markdown(path) else (text, ())
    if path in CURATED:
        for entry in entries(text):
            said = annotations_of(of_lines(comments, entry.first_line, entry.last_line))
            for cut in _bounded(entry, rules):
                yield replace(cut, annotations=said)
        return
    for cut in _bounded(Block(text, 1), rules):
        keys = projects_of(of_lines(comments, cut.start_line, cut.end_line))
        yield replace(cut, annotations=Annotations(projects=keys)) if keys else cut


def memlens(_path: str, text: str, rules: ChunkingRules) -> Iterator[Cut]:
    """Ours: as 2026.9, but chunks begin at headings where they can; the text stays whole.

    A byte order mark is no text, and behind a final line feed there is no line: places
    count as editors and ``memory_get`` do.
    """
    limit, overlap = _sizes(rules)
    text = text.removeprefix("\ufeff").removesuffix("\n")
    segments = segment(text, limit, weight, partial(weighed, limit=limit))
    starts = [bisect_left(segments.lines, line) for line in section_lines(text)]
    return cut_bounded(segments, limit, overlap, starts)


DIALECTS: Mapping[str, Dialect] = {
    "2026.3": march,
    "2026.7": july,
    "2026.9": september,
    "memlens": memlens,
}


def _sizes(rules: ChunkingRules) -> tuple[int, int]:
    limit = max(_LEAST_UNITS, rules.tokens * _UNITS_PER_TOKEN)
    return limit, max(0, rules.overlap * _UNITS_PER_TOKEN)


def _by_lines(
    text: str, limit: int, overlap: int, measure: Measure, slicer: Slicer
) -> Iterable[Cut]:
    cuts = cut_lines(text, limit, overlap) if measure(text) == len(text) else None
    if cuts is None:
        return cut_segments(segment(text, limit, measure, slicer), limit, overlap)
    return cuts


def _bounded(block: Block, rules: ChunkingRules) -> Iterator[Cut]:
    limit, overlap = _sizes(rules)
    segments = segment(block.text, limit, weight, partial(weighed, limit=limit))
    before = block.first_line - 1
    for cut in cut_bounded(segments, limit, overlap):
        yield Cut(cut.text, cut.start_line + before, cut.end_line + before)


def _is_markdown(path: str) -> bool:
    return path.lower().endswith(".md")
