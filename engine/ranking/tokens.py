"""Token sets for MMR, as integers whose bits are tokens of the pool."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter

from engine.ranking.candidate import Candidate
from engine.ranking.mmr import Near, TokenSet, overlaps
from engine.ranking.settings import MmrTokens
from engine.ranking.snippet import head

CJK = "\u1100-\u11ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
"""Characters that stand as tokens of their own (spec/openclaw-2026-07-to-09.md, 12c)."""

_ASCII = re.compile(r"[a-z0-9_]+")
_WORD = re.compile(r"\w+")
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
    lowered = text.lower()
    if rule == "ascii":
        return set(_ASCII.findall(lowered)) or {""}
    alone = "" if rule == "cjk" else f"\0{text}"
    if _IS_CJK.search(lowered) is None:
        words = _WORD if rule == "unicode" else _ASCII
        return set(words.findall(lowered)) or {alone}
    runs = _UNICODE if rule == "unicode" else _ASCII_OR_CJK
    return set(_tokens_of(runs.findall(lowered))) or {alone}


def _tokens_of(runs: Iterable[str]) -> Iterator[str]:
    for run in runs:
        if not _IS_CJK.match(run):
            yield run
            continue
        yield from run
        yield from (run[i : i + 2] for i in range(len(run) - 1))


@dataclass(frozen=True, slots=True)
class Overlaps:
    """How alike every two of some texts are; ``places`` are their places in ``rows``."""

    places: Mapping[str, int]
    rows: Sequence[Sequence[float]]

    def among(self, names: Sequence[str]) -> Near:
        """For a place in ``names`` the similarities to all of them, in their order."""
        places = [self.places[name] for name in names]
        if len(places) < 2:
            return lambda at: [0.0] * len(places)
        arranged = itemgetter(*places)
        return lambda at: arranged(self.rows[places[at]])


class TokenSets:
    """The words of one pool and how much they overlap, found on first use and kept while
    knobs move.

    Safe when two threads rank the same pool: what is kept is replaced as a whole.
    """

    def __init__(self, rule: MmrTokens) -> None:
        self._rule: MmrTokens = rule
        self._words: dict[str, set[str]] = {}
        self._overlaps = Overlaps({}, ())

    def overlaps(self, candidates: Sequence[Candidate]) -> Overlaps:
        """How alike the snippets (the first 700 UTF-16 units) of candidates are."""
        found = self._overlaps
        if found.places.keys() != {candidate.chunk_id for candidate in candidates}:
            sets = numbered({c.chunk_id: self._tokens(c) for c in candidates})
            places = {name: place for place, name in enumerate(sets)}
            found = self._overlaps = Overlaps(places, overlaps(list(sets.values())))
        return found

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
