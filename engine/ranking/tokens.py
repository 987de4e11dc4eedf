"""Token sets for MMR, as integers whose bits are tokens of the pool."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from engine.ranking.candidate import Candidate
from engine.ranking.mmr import TokenSet
from engine.ranking.settings import MmrTokens
from engine.ranking.snippet import head

CJK = "\u1100-\u11ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
"""Characters that stand as tokens of their own (spec/openclaw-2026-07-to-09.md, 12c)."""

_ASCII = re.compile(r"[a-z0-9_]+")
_ASCII_OR_CJK = re.compile(rf"[a-z0-9_]+|[{CJK}]+")
_UNICODE = re.compile(rf"[{CJK}]+|[^\W{CJK}]+")
_IS_CJK = re.compile(rf"[{CJK}]")


def mmr_tokens(text: str, rule: MmrTokens) -> set[str]:
    """The token set of a text. ``ascii`` knows a-z, 0-9 and underscore only; ``cjk`` besides
    each CJK character and each pair of neighbours; ``unicode`` takes words of any script.

    A text without tokens stands for itself under ``unicode`` and ``cjk-strict`` (alike only
    when equal) and is like every other such text under ``ascii`` and ``cjk``, as in the
    originals.
    """
    if rule == "ascii":
        return set(_ASCII.findall(text.lower())) or {""}
    runs = _UNICODE if rule == "unicode" else _ASCII_OR_CJK
    alone = "" if rule == "cjk" else f"\0{text}"
    return set(_tokens_of(runs.findall(text.lower()))) or {alone}


def _tokens_of(runs: Iterable[str]) -> Iterator[str]:
    for run in runs:
        if not _IS_CJK.match(run):
            yield run
            continue
        yield from run
        yield from (run[i : i + 2] for i in range(len(run) - 1))


class TokenSets:
    """The token sets of one pool, made on first use and kept while knobs move.

    Safe when two threads rank the same pool: what is kept is replaced as a whole.
    """

    def __init__(self, rule: MmrTokens) -> None:
        self._rule: MmrTokens = rule
        self._words: dict[str, set[str]] = {}
        self._sets: tuple[frozenset[str], dict[str, TokenSet]] = (frozenset(), {})

    def of(self, candidates: Sequence[Candidate]) -> list[TokenSet]:
        """The token set of each candidate's snippet (its first 700 UTF-16 units)."""
        wanted = frozenset(candidate.chunk_id for candidate in candidates)
        key, sets = self._sets
        if key != wanted:
            sets = numbered({c.chunk_id: self._tokens(c) for c in candidates})
            self._sets = wanted, sets
        return [sets[candidate.chunk_id] for candidate in candidates]

    def _tokens(self, candidate: Candidate) -> set[str]:
        words = self._words.get(candidate.chunk_id)
        if words is None:
            words = mmr_tokens(head(candidate.text), self._rule)
            self._words[candidate.chunk_id] = words
        return words


def numbered(words: Mapping[str, set[str]]) -> dict[str, TokenSet]:
    """Token sets as bits; only tokens of at least two texts get a number."""
    counts = Counter(itertools.chain.from_iterable(words.values()))
    shared = (token for token, count in counts.items() if count > 1)
    numbers = {token: number for number, token in enumerate(shared)}
    return {
        name: TokenSet(sum(1 << numbers[t] for t in own if t in numbers), len(own))
        for name, own in words.items()
    }
