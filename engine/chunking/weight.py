"""Weight: how much of a chunk's size a text uses up, in the rules since July 2026.

A token of the usual models holds about four Latin letters, but only one East Asian
character: such a character weighs four, every other one its UTF-16 units.
"""

from __future__ import annotations

import re

from engine.chunking.utf16 import units, width

_WIDE = re.compile(
    "[\u2e80-\u9fff\ua000-\ua4ff\uac00-\ud7af\uf900-\ufaff\uff01-\uff60\uffe0-\uffe6"
    "\U00020000-\U0002fa1f]"
)
_WIDE_WEIGHT = 4


def weight(text: str) -> int:
    """The weight of a text; as many as its UTF-16 units or more."""
    if text.isascii():
        return len(text)
    rest, wide = _WIDE.subn("", text)
    return width(rest) + _WIDE_WEIGHT * wide


def character_weight(character: str) -> int:
    """The weight of one character."""
    return _WIDE_WEIGHT if _WIDE.match(character) else units(character)
