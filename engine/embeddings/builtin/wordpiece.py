"""BERT's uncased WordPiece, without special tokens and without unknown words."""

from __future__ import annotations

import re
import unicodedata
from array import array
from collections.abc import Callable, Sequence

UNKNOWN = "[UNK]"
LONGEST_WORD = 100
"""Words of more code points are unknown as a whole, as in BERT."""

_ASCII_WORD = re.compile(r"[a-z0-9]+|[!-/:-@\[-`{-~]")
_ASCII_CONTROL = dict.fromkeys((*range(9), 11, 12, *range(14, 32), 127))
# str.split() takes these for white space; BERT drops them, which joins their neighbours.
_JOINERS = "\x0b\x0c\x1c\x1d\x1e\x1f\x85"
_DROP_JOINERS = str.maketrans("", "", _JOINERS)
_DROPPED_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
_CJK = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0xF900, 0xFAFF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2CEAF),
    (0x2F800, 0x2FA1F),
)


class WordPiece:
    """Splits text into the ids of known tokens; unknown words are left out.

    Answers for words and for short blank-delimited parts are remembered, because
    notes repeat them; both memories are bounded and never change a result.
    Thread-safe.
    """

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self._ids = {token: i for i, token in enumerate(vocabulary)}
        self._words = _Memory(self._pieces)
        self._parts = _Memory(self._part)

    def packed_ids(self, text: str) -> bytes:
        """The ids of all known tokens in order, each as a native 32-bit integer."""
        return b"".join(map(self._parts.__getitem__, _blank_split(text)))

    def _words_of(self, part: str) -> list[str]:
        """Lower-case words and single punctuation marks of a part without white space."""
        if part.isascii():
            return _ASCII_WORD.findall(part.translate(_ASCII_CONTROL).lower())
        kept = unicodedata.normalize("NFD", part.translate(_KEPT))
        return kept.translate(_UNACCENTED).lower().translate(_SPACED_MARKS).split()

    def _pieces(self, word: str) -> bytes:
        """Greedy longest pieces of one word; empty when any part of it is unknown."""
        found = array("i")
        start = 0
        while start < len(word) <= LONGEST_WORD:
            end, piece = self._longest(word, start)
            if piece is None:
                return b""
            found.append(piece)
            start = end
        return found.tobytes()

    def _part(self, part: str) -> bytes:
        return b"".join(map(self._words.__getitem__, self._words_of(part)))

    def _longest(self, word: str, start: int) -> tuple[int, int | None]:
        lead = "##" if start else ""
        for end in range(len(word), start, -1):
            piece = self._ids.get(lead + word[start:end])
            if piece is not None:
                return end, piece
        return start, None


class _Memory(dict[str, bytes]):
    """Packed token ids by text; computes what it does not hold and keeps it while it is short."""

    LONGEST = 32
    MOST = 50_000

    def __init__(self, compute: Callable[[str], bytes]) -> None:
        super().__init__()
        self._compute = compute

    def __missing__(self, text: str) -> bytes:
        ids = self._compute(text)
        if len(text) <= self.LONGEST:
            if len(self) >= self.MOST:
                self.clear()
            self[text] = ids
        return ids


class _CharacterMap(dict[int, str | None]):
    """A table for ``str.translate`` that is filled as characters are met."""

    def __missing__(self, code: int) -> str | None:
        self[code] = answer = self.replacement(chr(code))
        return answer

    def replacement(self, char: str) -> str | None:
        """What stands for the character; None drops it."""
        raise NotImplementedError


class _Kept(_CharacterMap):
    """Drops control, format and unassigned characters; blanks around CJK signs."""

    def replacement(self, char: str) -> str | None:
        category = unicodedata.category(char)
        if char == "\N{REPLACEMENT CHARACTER}" or category in _DROPPED_CATEGORIES:
            return None
        code = ord(char)
        return f" {char} " if any(low <= code <= high for low, high in _CJK) else char


class _Unaccented(_CharacterMap):
    """Drops combining marks."""

    def replacement(self, char: str) -> str | None:
        return None if unicodedata.category(char) == "Mn" else char


class _SpacedMarks(_CharacterMap):
    """Makes each punctuation mark a word of its own."""

    def replacement(self, char: str) -> str | None:
        ascii_mark = char.isascii() and not char.isalnum() and not char.isspace()
        return f" {char} " if ascii_mark or unicodedata.category(char)[0] == "P" else char


_KEPT, _UNACCENTED, _SPACED_MARKS = _Kept(), _Unaccented(), _SpacedMarks()


def _blank_split(text: str) -> list[str]:
    if any(joiner in text for joiner in _JOINERS):
        text = text.translate(_DROP_JOINERS)
    return text.split()
