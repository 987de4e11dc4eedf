"""How much the words of a query tell: the fewer chunks hold a word, the more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import log
from typing import TYPE_CHECKING

from engine.retrieval.query import QueryTerms, or_match, pair_match, word_match

if TYPE_CHECKING:
    from engine.store.contract import IndexReader

MANY_CHUNKS = 500
"""From so many chunks on, words that tell nothing apart are not worth the time they take."""
CLOSE_WORDS = 6
"""Words of which every two are also asked for near each other, the rarest first."""
WINDOW = 12
"""How many words may stand between two that are near each other."""
LONG_CHUNK = 0.9
"""What bm25 makes of a weight: the word once in a chunk a quarter longer than the mean."""
LEAST_FULL, LEAST_CHUNKS = 0.5, 50
"""No query weighs less than that, however common all its words are; in an index of fewer
chunks no word is common enough to say so."""
LEAST_WEIGHT = 1e-6
"""What FTS5 gives a word that half of the chunks or more hold."""


@dataclass(frozen=True, slots=True)
class Asking:
    """The MATCH of a query (None: no word), and what a chunk with every word once scores.

    ``full`` (>= 0) is the size of FTS5's bm25 of a long chunk that holds each word once:
    the sum of the words' inverse document frequencies times ``LONG_CHUNK``.
    """

    match: str | None
    full: float


def asking(reader: IndexReader, terms: QueryTerms) -> Asking:
    """How the tuned table is asked for the terms, by how common they are in this index.

    Words are searched one by one, and every two of them near each other once more: bm25
    then counts words twice that stand together.
    """
    matches = {word: word_match(word) for word in terms.words}
    matches |= {pair: pair_match(pair) for pair in terms.pairs}
    chunks = reader.chunk_total()
    counts = reader.frequencies("tuned", list(matches.values()))
    held = {term: counts.get(match, 0) for term, match in matches.items()}
    telling = [term for term, count in held.items() if 0 < count <= chunks / 2]
    few = chunks < MANY_CHUNKS
    asked = terms if few else _without_common(terms, held, telling)
    close = [word for word in terms.words if held[word] and (few or word in telling)]
    rarest = sorted(close, key=lambda word: held[word])[:CLOSE_WORDS]
    pairs = list(combinations([word for word in close if word in rarest], 2))
    return Asking(or_match(asked, pairs, WINDOW), _full(terms, held, chunks))


def _without_common(
    terms: QueryTerms, held: Mapping[str, int], telling: Sequence[str]
) -> QueryTerms:
    """Without words that more than half of the chunks hold: their bm25 is at its floor.

    The rarest of them stays when there is no other.
    """
    rarest = sorted((term for term in held if held[term]), key=lambda term: held[term])
    kept = set(telling or rarest[:1])
    if not kept:
        return terms
    return replace(terms, words=_only(terms.words, kept), pairs=_only(terms.pairs, kept))


def _only(terms: Sequence[str], kept: set[str]) -> tuple[str, ...]:
    return tuple(term for term in terms if term in kept)


def _full(terms: QueryTerms, held: Mapping[str, int], chunks: int) -> float:
    """The sum of the words' weights; an absent word weighs most.

    Of n neighbouring CJK pairs about half are words, so a pair counts half, and one that
    no chunk holds may straddle two words: it does not count.
    """
    words = sum(inverse_frequency(held[word], chunks) for word in terms.words)
    pairs = sum(inverse_frequency(held[pair], chunks) for pair in terms.pairs if held[pair])
    full = LONG_CHUNK * (words + pairs / 2)
    return full if chunks < LEAST_CHUNKS else max(LEAST_FULL, full)


def inverse_frequency(count: int, chunks: int) -> float:
    """``ln((N - n + 0.5) / (n + 0.5))`` as in FTS5's bm25, at least ``LEAST_WEIGHT``."""
    return max(LEAST_WEIGHT, log((chunks - count + 0.5) / (count + 0.5)))
