"""The lexical boost: what word coverage, density, path and length add to a keyword score."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from engine.ranking.candidate import Candidate
from engine.ranking.formulas import Input
from engine.ranking.scope import KEYWORD_LEG, Scope
from engine.ranking.settings import RankSettings

COVERAGE, DENSITY, IN_PATH, LENGTH = 0.45, 0.2, 0.18, 0.18
"""Weights of the four parts; the length gives at most its weight."""
FULL_LENGTH = 160

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Boost:
    """The counts that make a boost: distinct ``words`` of the query, how many of them are
    ``covered`` by the text and stand ``in_path``, ``distinct`` words of the text, and its
    ``length`` in UTF-16 units.
    """

    words: int
    covered: int
    distinct: int
    in_path: int
    length: int

    @property
    def value(self) -> float:
        """0.45 c/n + 0.2 c/u + 0.18 p + min(L/160, 0.18) (spec 07-to-09, section 12c)."""
        coverage = COVERAGE * self.covered / self.words if self.words else 0.0
        density = DENSITY * self.covered / self.distinct if self.distinct else 0.0
        return coverage + density + IN_PATH * self.in_path + min(self.length / FULL_LENGTH, LENGTH)

    @property
    def inputs(self) -> Mapping[str, Input]:
        """The counts as inputs of a step."""
        return {
            "words": self.words,
            "covered": self.covered,
            "distinct": self.distinct,
            "in_path": self.in_path,
            "length": self.length,
        }


class Boosts:
    """The boosts of one ranking.

    With one leg a keyword and keywords alone the boost is that of the keyword that found
    the chunk; where it is always on, that of the whole query.
    """

    def __init__(self, scope: Scope, settings: RankSettings) -> None:
        self._query = scope.query
        self._by_keyword = settings.boost == "alone"
        self.on = settings.boost == "always" or (self._by_keyword and scope.mode == "keyword")

    def of(self, candidate: Candidate, leg: str) -> Boost:
        """The boost of a candidate that a leg found."""
        query = self._query
        if self._by_keyword and leg.startswith(KEYWORD_LEG):
            query = leg.removeprefix(KEYWORD_LEG)
        return boost(query, candidate.path, candidate.text)


def boosted(text: float, boost: Boost) -> float:
    """The lexical score, at most 1."""
    return min(1.0, text + boost.value)


def boost(query: str, path: str, text: str) -> Boost:
    """The boost of a chunk for a query; words are compared in NFC and lower case."""
    words, inside = _words(query), _words(text)
    name = _folded(path)
    return Boost(
        words=len(words),
        covered=len(words & inside),
        distinct=len(inside),
        in_path=sum(word in name for word in words),
        length=len(text.encode("utf-16-le", "surrogatepass")) // 2,
    )


@lru_cache(maxsize=2048)
def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(_folded(text)))


def _folded(text: str) -> str:
    return unicodedata.normalize("NFC", text).lower()
