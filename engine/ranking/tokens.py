"""Token sets for MMR, as integers whose bits are the tokens of the pool."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

from engine.ranking.candidate import Candidate
from engine.ranking.settings import MmrTokens
from engine.ranking.snippet import head

CJK = "\u1100-\u11ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
"""Characters that stand as tokens of their own (spec/openclaw-2026-07-to-09.md, 12c)."""

_ASCII = re.compile(r"[a-z0-9_]+")
_UNICODE = re.compile(rf"[{CJK}]+|[^\W{CJK}]+")
_IS_CJK = re.compile(rf"[{CJK}]")


def mmr_tokens(text: str, rule: MmrTokens) -> set[str]:
    """The token set of a text. ``ascii`` knows a-z, 0-9 and underscore only; ``unicode``
    takes words of any script, and of CJK each character and each pair of neighbours.

    A text without tokens stands for itself under ``unicode`` (alike only when equal)
    and is like every other such text under ``ascii``, as in the originals.
    """
    if rule == "ascii":
        return set(_ASCII.findall(text.lower())) or {""}
    return set(_unicode_tokens(text.lower())) or {f"\0{text}"}


def _unicode_tokens(text: str) -> Iterator[str]:
    for run in _UNICODE.findall(text):
        if not _IS_CJK.match(run):
            yield run
            continue
        yield from run
        yield from (run[i : i + 2] for i in range(len(run) - 1))


class TokenBits:
    """Numbers the tokens of one pool; remembers each candidate's bits.

    Safe when two threads rank the same pool: a token's number is set once.
    """

    def __init__(self, rule: MmrTokens) -> None:
        self._rule: MmrTokens = rule
        self._numbers: dict[str, int] = {}
        self._next = itertools.count()
        self._bits: dict[str, int] = {}

    def of(self, candidates: Sequence[Candidate]) -> list[int]:
        """The bits of each candidate's snippet (its first 700 UTF-16 units); never zero."""
        return [self._of(candidate) for candidate in candidates]

    def _of(self, candidate: Candidate) -> int:
        bits = self._bits.get(candidate.chunk_id)
        if bits is None:
            numbers, upcoming = self._numbers, self._next
            bits = 0
            for token in mmr_tokens(head(candidate.text), self._rule):
                number = numbers.get(token)
                if number is None:
                    number = numbers.setdefault(token, next(upcoming))
                bits |= 1 << number
            self._bits[candidate.chunk_id] = bits
        return bits
