"""From FTS5's raw bm25 to a text score of 0..1."""

from __future__ import annotations

from math import isfinite

from engine.ranking.settings import TextScore

UNREADABLE = 0.001
"""The score of a rank that is no finite number."""


def text_score(bm25: float, rule: TextScore, best: float) -> float:
    """The text score of a raw rank (negative, lower is better).

    ``documented`` is 1/(1+max(0, rank)), which is 1 for every hit because FTS5's ranks
    are negative; ``saturating`` is r/(1+r) with r = -rank; ``best`` is the share of the
    query's ``best`` rank; ``ranked`` is ``saturating`` with 0 for a hit that was found as a
    part of the text only and so has no rank (spec/openclaw-2026-02-and-03.md, section 8).
    """
    if not isfinite(bm25):
        return UNREADABLE
    if rule == "documented":
        return 1 / (1 + max(0.0, bm25))
    if rule == "ranked" and bm25 == 0:
        return 0.0
    if rule == "best" and best < 0:
        return max(0.0, bm25 / best)
    return -bm25 / (1 - bm25) if bm25 < 0 else 1 / (1 + bm25)
