"""UTF-16 code units: the unit in which the documented sizes are counted."""

from __future__ import annotations

import re

_SURROGATE = re.compile("[\ud800-\udfff]")
_REPLACEMENT = "\ufffd"
_LAST_OF_ONE_UNIT = "\uffff"


def width(text: str) -> int:
    """The length of a text in UTF-16 code units."""
    if text.isascii():
        return len(text)
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def units(character: str) -> int:
    """The length of one character in UTF-16 code units: 1 or 2."""
    return 2 if character > _LAST_OF_ONE_UNIT else 1


def well_formed(text: str) -> str:
    """The text with surrogate halves joined where they form a pair, else as U+FFFD.

    JSON can carry halves of a character; SQLite and SHA-256 need text that is valid UTF-8.
    """
    if text.isascii() or not _SURROGATE.search(text):
        return text
    paired = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    return _SURROGATE.sub(_REPLACEMENT, paired)
