"""Which words of a query a text holds, and where: for snippets, marks and explanations.

It reads words as the tuned keyword table does (folded letters, Porter stems, CJK pairs)
and never decides a score.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from engine.ranking.candidate import Candidate
from engine.ranking.pool import CandidatePool
from engine.ranking.snippet import Span
from engine.retrieval.porter import stem
from engine.store.cjk import cjk_runs, part_at_borders
from engine.store.folding import fold

_WORD = re.compile(r"[^\W_](?:[^\W_]|[\u0300-\u036f])*")


@dataclass(frozen=True, slots=True)
class WordReport:
    """The words of the query that a chunk holds, and those that it lacks, in query order."""

    matched: tuple[str, ...]
    missing: tuple[str, ...]


def word_report(pool: CandidatePool, candidate: Candidate) -> WordReport:
    """Matched and missing words of one candidate."""
    found = {span.word for span in spans_in(pool, candidate)}
    return WordReport(
        tuple(term for term in pool.terms if term in found),
        tuple(term for term in pool.terms if term not in found),
    )


def spans_in(pool: CandidatePool, candidate: Candidate) -> list[Span]:
    """Where the words of the query stand in a candidate; remembered in the pool."""
    key = f"words {candidate.chunk_id}"
    found = pool.cache.get(key)
    if not isinstance(found, list):
        found = pool.cache[key] = spans(candidate.text, pool.terms)
    return found


def spans(text: str, terms: Sequence[str]) -> list[Span]:
    """Where words that the keyword table takes as equal to a term stand, in order."""
    pairs = [term for term in terms if cjk_runs(term)]
    stems = {_stemmed(term): term for term in reversed(terms) if term not in pairs}
    stems.pop("", None)
    found = [
        Span(start, end, stems[reduced])
        for start, end, token in _tokens(text, stems)
        if (reduced := _stemmed(token)) in stems
    ]
    found += [
        Span(match.start(), match.end(), pair)
        for pair in pairs
        for match in re.finditer(re.escape(pair), text)
    ]
    return sorted(found, key=lambda span: (span.start, span.end))


def _tokens(text: str, stems: Iterable[str]) -> Iterator[tuple[int, int, str]]:
    """Words that may have one of the stems, with their offsets.

    A word is set apart from CJK characters that touch it.
    """
    if text.isascii():
        yield from ((m.start(), m.end(), m[0]) for m in _beginnings(stems).finditer(text))
        return
    for match in _WORD.finditer(text):
        start, word = match.start(), match[0]
        for piece in [word] if word.isascii() else part_at_borders(word).split(" "):
            yield start, start + len(piece), piece
            start += len(piece)


def _beginnings(stems: Iterable[str]) -> re.Pattern[str]:
    """ASCII words with the initial of a stem, which folding and stemming leave as it is."""
    return _beginning_with("".join(sorted({stem[:1] for stem in stems if stem.isascii()})))


@lru_cache(maxsize=64)
def _beginning_with(initials: str) -> re.Pattern[str]:
    either = re.escape(initials + initials.upper())
    return re.compile(rf"(?<![a-zA-Z0-9])[{either}][a-zA-Z0-9]*" if either else r"(?!)")


@lru_cache(maxsize=8192)
def _stemmed(word: str) -> str:
    return stem("".join(map(_without_mark, fold(word).lower())))


def _without_mark(char: str) -> str:
    """An accented Latin letter as its plain one; a mark on its own as nothing."""
    if char.isascii():
        return char
    base = unicodedata.normalize("NFD", char)
    if base[0].isascii():
        return base[0]
    return "" if unicodedata.category(char) == "Mn" else char
