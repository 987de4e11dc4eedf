"""UTF-16 code units: the unit in which the documented sizes are counted."""

from __future__ import annotations

import re

_SURROGATE = re.compile("[\ud800-\udfff]")
_REPLACEMENT = "\ufffd"


def width(text: str) -> int:
    """The length of a text in UTF-16 code units."""
    if text.isascii():
        return len(text)
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def well_formed(text: str) -> str:
    """The text with surrogate halves joined where they form a pair, else as U+FFFD.

    JSON can carry halves of a character; SQLite and SHA-256 need text that is valid UTF-8.
    """
    if text.isascii() or not _SURROGATE.search(text):
        return text
    paired = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    return _SURROGATE.sub(_REPLACEMENT, paired)


def slices(line: str, limit: int) -> list[str]:
    """A line cut every ``limit`` (>= 1) code units; halves of a cut pair become U+FFFD."""
    if line.isascii():
        return [line[at : at + limit] for at in range(0, len(line), limit)]
    units = line.encode("utf-16-le", "surrogatepass")
    step = 2 * limit
    pieces = (units[at : at + step] for at in range(0, len(units), step))
    return [
        _SURROGATE.sub(_REPLACEMENT, piece.decode("utf-16-le", "surrogatepass")) for piece in pieces
    ]
