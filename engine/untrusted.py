"""Making text from outside harmless to look at: what could act or hide becomes a picture."""

from __future__ import annotations

import re

C1_PICTURE = "▯"
DIRECTION_PICTURE = "⇄"
INVISIBLE_PICTURE = "◊"
SURROGATE_PICTURE = "\ufffd"
LINE_PICTURE = "␤"

_DIRECTIONS = (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
# Zero-width space, soft hyphen, invisible operators and tag letters: text that a model
# reads and a person cannot see. The joiners U+200C and U+200D stay; scripts and emoji need them.
_INVISIBLE = (0x00AD, 0x180E, 0x200B, *range(0x2060, 0x2066), 0xFEFF, *range(0xE0000, 0xE0080))


def _pictures() -> dict[int, str]:
    table = {code: chr(0x2400 + code) for code in range(0x20) if code not in (0x09, 0x0A)}
    table[0x7F] = "␡"
    table.update(dict.fromkeys(range(0x80, 0xA0), C1_PICTURE))
    table.update(dict.fromkeys(_DIRECTIONS, DIRECTION_PICTURE))
    table.update(dict.fromkeys(_INVISIBLE, INVISIBLE_PICTURE))
    table.update(dict.fromkeys((0x2028, 0x2029), LINE_PICTURE))
    table.update(dict.fromkeys(range(0xD800, 0xE000), SURROGATE_PICTURE))
    return table


_PICTURES = _pictures()


def _class_of(codes: list[int]) -> str:
    """A character class of ranges: one of single characters is many times slower to search."""
    ranges: list[tuple[int, int]] = []
    for code in codes:
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1] = (ranges[-1][0], code)
        else:
            ranges.append((code, code))
    parts = (f"{re.escape(chr(first))}-{re.escape(chr(last))}" for first, last in ranges)
    return f"[{''.join(parts)}]"


_HOSTILE = re.compile(_class_of(sorted(_PICTURES)))


def visible(text: str) -> str:
    """The same text with every character that could act or hide replaced by a picture.

    One character becomes exactly one character, so offsets into the original hold.
    Newlines and tabs stay. Never raises.
    """
    if text.isprintable():  # No picture stands for a printable character, and this is quicker.
        return text
    return text.translate(_PICTURES) if _HOSTILE.search(text) else text
