"""From FTS5's raw bm25 to a text score of 0..1."""

from __future__ import annotations

from math import isfinite

from engine.ranking.settings import TextScore

UNREADABLE = 0.001
"""The score of a rank that is no finite number."""


def text_score(bm25: float, rule: TextScore, best: float, full: float | None = None) -> float:
    """The text score of a raw rank (negative, lower is better).

    ``documented`` is 1/(1+max(0, rank)), which is 1 for every hit because FTS5's ranks
    are negative; ``saturating`` is r/(1+r) with r = -rank; ``best`` is the share of the
    query's ``best`` rank; ``ranked`` is ``saturating`` with 0 for a hit that was found as a
    part of the text only and so has no rank (spec/openclaw-2026-02-and-03.md, section 8).
    ``covered`` is ``best`` times ``coverage(best, full)``.
    """
    if not isfinite(bm25):
        return UNREADABLE
    if rule == "documented":
        return 1 / (1 + max(0.0, bm25))
    if rule == "ranked" and bm25 == 0:
        return 0.0
    if rule in ("best", "covered") and best < 0:
        share = max(0.0, bm25 / best)
        return share * coverage(best, full) if rule == "covered" else share
    return -bm25 / (1 - bm25) if bm25 < 0 else 1 / (1 + bm25)


def coverage(best: float, full: float | None) -> float:
    """How far the best hit of a query speaks for keywords at all: 0..1.

    The square of its share of ``full``, the size of bm25 of a chunk that holds every word
    once: 1 for all words, 1/16 for one word of four. 1 when ``full`` is not known.
    """
    if full is None or full <= 0:
        return 1.0
    return float(min(1.0, max(0.0, -best / full)) ** 2)
