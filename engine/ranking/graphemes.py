"""Where a text may be cut without tearing apart what a reader sees as one character."""

from __future__ import annotations

import unicodedata

_JOINER = "\u200d"
_EXTENDING = frozenset("\u200c\u200d\ufe0e\ufe0f\u20e3")
_CATEGORIES = frozenset(("Mn", "Me", "Mc"))


def is_boundary(text: str, at: int) -> bool:
    """True when ``at`` lies between two graphemes; the ends of the text always do.

    Covers combining marks, variation selectors, joined emoji, skin tones, flags, tag
    sequences, CR LF, Hangul syllables spelled in letters, and surrogate pairs.
    """
    if at <= 0 or at >= len(text):
        return True
    before, after = text[at - 1], text[at]
    if before < "\u0300" and after < "\u0300":
        return not (before == "\r" and after == "\n")
    if before == _JOINER or _extends(after) or _hangul_continues(before, after):
        return False
    if "\ud800" <= before <= "\udbff" and "\udc00" <= after <= "\udfff":
        return False
    return not (_is_flag(after) and _is_flag(before) and _flags_before(text, at) % 2 == 1)


def boundary_at_or_before(text: str, at: int) -> int:
    """The last boundary that is not behind ``at``."""
    at = min(at, len(text))
    while not is_boundary(text, at):
        at -= 1
    return at


def _extends(char: str) -> bool:
    return (
        char in _EXTENDING
        or "\U0001f3fb" <= char <= "\U0001f3ff"
        or "\U000e0020" <= char <= "\U000e007f"
        or unicodedata.category(char) in _CATEGORIES
    )


def _hangul_continues(before: str, after: str) -> bool:
    if "\u1160" <= after <= "\u11ff":
        return "\u1100" <= before <= "\u11ff" or "\uac00" <= before <= "\ud7a3"
    return "\u1100" <= before <= "\u115f" and (
        "\u1100" <= after <= "\u115f" or "\uac00" <= after <= "\ud7a3"
    )


def _is_flag(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _flags_before(text: str, at: int) -> int:
    start = at
    while start > 0 and _is_flag(text[start - 1]):
        start -= 1
    return at - start
