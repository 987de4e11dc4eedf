"""Letters that a reader takes as equal, beyond what the tokenizer folds by itself.

``unicode61 remove_diacritics 2`` folds case and combining marks (é, ö, ż, İ), but not
letters whose stroke, ligature or missing dot is part of the letter. These are:

    ł -> l    ø -> o    đ ð -> d    ħ -> h    ŧ -> t    ı -> i
    ŋ -> n    ß -> ss   æ -> ae     œ -> oe   þ -> th

So ``lodz`` finds Łódź and ``strasse`` finds Straße, and each spelling finds the other.
Only the tuned keyword table reads folded text, and only its queries may be folded; the
documented table stays as the original is.
"""

from __future__ import annotations

import re

from engine.store.cjk import part_at_borders

_SMALL = {
    "ł": "l", "ø": "o", "ǿ": "o", "đ": "d", "ð": "d", "ħ": "h", "ŧ": "t", "ŋ": "n",
    "æ": "ae", "ǽ": "ae", "ǣ": "ae", "œ": "oe", "þ": "th",
}  # fmt: skip
_CAPITAL = {letter.upper(): plain.upper() for letter, plain in _SMALL.items()}
_TABLE = str.maketrans(_SMALL | _CAPITAL | {"ı": "i", "ß": "ss", "ẞ": "SS"})
_ANY = re.compile("[" + "".join(chr(point) for point in _TABLE) + "]")


def fold(text: str) -> str:
    """The text as the tuned keyword table sees it: letters folded, CJK set apart.

    Returns the very same text when nothing has to change. Idempotent.
    """
    if text.isascii():
        return text
    if _ANY.search(text):
        text = text.translate(_TABLE)
    return part_at_borders(text)
