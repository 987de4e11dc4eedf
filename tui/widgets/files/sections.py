"""A document cut at its headings, into pieces that are small enough to be rendered."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tui.widgets.files.document import Document

MOST_CHARACTERS = 16_000
"""A section longer than this is rendered in parts."""
_HEADING = re.compile(r" {0,3}(#{1,6})(?: +(.*?))?(?: +#+)? *\r?$")
_FRONT = re.compile(r"---[ \t]*\r?$")


@dataclass(frozen=True, slots=True)
class Section:
    """Lines ``first`` to ``last`` (1-based) below one heading; ``part`` of ``parts``.

    ``level`` 0 is what stands before the first heading. ``front`` is a head of settings
    between two lines of dashes, ``fenced`` a part that begins inside a code fence.
    """

    title: str
    level: int
    first: int
    last: int
    part: int = 1
    parts: int = 1
    front: bool = False
    fenced: bool = False


def sections(document: Document) -> list[Section]:
    """The sections of a document in order; together they hold every line once."""
    found: list[Section] = []
    for section in _whole(document):
        found += _parts(section, document)
    return found


def section_at(all_sections: Sequence[Section], line: int) -> int:
    """The place of the section that holds a 1-based line."""
    places = (at for at, section in enumerate(all_sections) if section.last >= line)
    return next(places, len(all_sections) - 1)


def _whole(document: Document) -> Iterator[Section]:
    lines = document.lines
    title, level, first = "", 0, 1
    end = _front_matter(lines)
    if end:
        yield Section("front matter", 0, 1, end, front=True)
        first = end + 1
    for number in range(first, len(lines) + 1):
        line = lines[number - 1]
        heading = _HEADING.match(line) if "#" in line[:10] else None
        if heading is None or document.fenced[number - 1]:
            continue
        if number > first:
            yield Section(title, level, first, number - 1)
        title, level, first = heading[2] or "", len(heading[1]), number
    if first <= len(lines):
        yield Section(title, level, first, len(lines))


def _front_matter(lines: Sequence[str]) -> int:
    """The 1-based line that ends the head of the file, 0 when there is none."""
    if not _FRONT.match(lines[0]):
        return 0
    ends = (number for number, line in enumerate(lines[1:200], 2) if _FRONT.match(line))
    return next(ends, 0)


def _parts(section: Section, document: Document) -> list[Section]:
    lines = document.lines
    firsts, size = [section.first], 0
    for number in range(section.first, section.last + 1):
        length = len(lines[number - 1]) + 1
        if size and size + length > MOST_CHARACTERS:
            firsts.append(number)
            size = 0
        size += length
    lasts = [first - 1 for first in firsts[1:]] + [section.last]
    return [
        Section(
            section.title,
            section.level,
            first,
            last,
            part,
            len(firsts),
            section.front,
            part > 1 and _inside_fence(document, first),
        )
        for part, (first, last) in enumerate(zip(firsts, lasts, strict=True), 1)
    ]


def _inside_fence(document: Document, line: int) -> bool:
    return bool(document.fenced[line - 1]) and bool(document.fenced[line - 2])
