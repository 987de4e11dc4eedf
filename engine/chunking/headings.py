"""Headings of a Markdown note."""

from __future__ import annotations

import re
from collections.abc import Iterator

_HEADING_OR_FENCE = re.compile(
    r"^(?:(?P<heading>#{1,6}(?:[ \t].*|\r?)$)| {0,3}(?P<fence>`{3,}|~{3,}).*)", re.MULTILINE
)


def section_lines(text: str) -> Iterator[int]:
    """The 1-based lines with which a section begins, ascending.

    A section begins with a heading outside of code fences. A heading that follows
    another one directly belongs to its section: a chapter and its first part stay together.
    """
    fence = ""
    line, counted, heading_end = 1, 0, -1
    for match in _HEADING_OR_FENCE.finditer(text):
        if match["fence"]:
            fence = _open_fence(fence, match["fence"])
        elif not fence:
            between = text[heading_end : match.start()]
            if heading_end < 0 or (between and not between.isspace()):
                line += text.count("\n", counted, match.start())
                counted = match.start()
                yield line
            heading_end = match.end()


def _open_fence(fence: str, marks: str) -> str:
    """The fence that is open after these marks: as many or more of the same close it."""
    if not fence:
        return marks
    return "" if marks.startswith(fence) else fence
