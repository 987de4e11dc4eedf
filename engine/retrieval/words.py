"""Which words of a query a text holds, and where: for snippets, marks and explanations.

It reads words as the tuned keyword table does (folded letters, Porter stems, CJK pairs)
and never decides a score.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.ranking.candidate import Candidate
from engine.ranking.pool import CandidatePool
from engine.ranking.snippet import Span
from engine.retrieval.porter import stem
from engine.store.cjk import cjk_runs, part_at_borders
from engine.store.folding import fold

_TOKEN = re.compile(r"[^\W_](?:[^\W_]|[\u0300-\u036f])*")


@dataclass(frozen=True, slots=True)
class WordReport:
    """The words of the query that a chunk holds, and those that it lacks, in query order."""

    matched: tuple[str, ...]
    missing: tuple[str, ...]


def word_report(pool: CandidatePool, candidate: Candidate) -> WordReport:
    """Matched and missing words of one candidate; remembered in the pool."""
    key = f"words {candidate.chunk_id}"
    known = pool.cache.get(key)
    if isinstance(known, WordReport):
        return known
    found = {span.word for span in spans(candidate.text, pool.terms)}
    report = WordReport(
        tuple(term for term in pool.terms if term in found),
        tuple(term for term in pool.terms if term not in found),
    )
    pool.cache[key] = report
    return report


def spans(text: str, terms: Sequence[str]) -> list[Span]:
    """Where words that the keyword table takes as equal to a term stand, in order."""
    pairs = [term for term in terms if cjk_runs(term)]
    stems = {_stemmed(term): term for term in reversed(terms) if term not in pairs}
    found = [
        Span(start, end, stems[reduced])
        for start, end, token in _tokens(text)
        if (reduced := _stemmed(token)) in stems
    ]
    found += [
        Span(match.start(), match.end(), pair)
        for pair in pairs
        for match in re.finditer(re.escape(pair), text)
    ]
    return sorted(found, key=lambda span: (span.start, span.end))


def _tokens(text: str) -> Iterator[tuple[int, int, str]]:
    """Words with their offsets; a word is set apart from CJK characters that touch it."""
    for match in _TOKEN.finditer(text):
        start = match.start()
        for piece in part_at_borders(match[0]).split(" "):
            yield start, start + len(piece), piece
            start += len(piece)


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
