"""Maximal marginal relevance: near-copies of what was already picked wait."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.ranking.settings import MmrRelevance


@dataclass(frozen=True, slots=True)
class Pick:
    """One pick, in order. ``index`` and ``nearest`` are places in the input;
    ``overlap`` is the greatest Jaccard similarity (0..1) to an earlier pick.
    """

    index: int
    value: float
    relevance: float
    overlap: float
    nearest: int | None


def relevances(scores: Sequence[float], rule: MmrRelevance) -> list[float]:
    """Scores as they are (``raw``), or stretched to 0..1 over the pool; all equal gives 1."""
    if rule == "raw" or not scores:
        return list(scores)
    low, high = min(scores), max(scores)
    if high == low:
        return [1.0] * len(scores)
    return [(score - low) / (high - low) for score in scores]


def pick_order(
    scores: Sequence[float], tokens: Sequence[int], lambda_: float, rule: MmrRelevance
) -> list[Pick]:
    """All candidates in the order of picking; scores come sorted, best first.

    Each round takes the greatest ``lambda * relevance - (1 - lambda) * overlap``; equal
    values go to the higher score, then to the earlier one. The overlap is a running
    maximum, so the work is quadratic (spec/spikes.md, section 4).
    """
    relevance = relevances(scores, rule)
    sizes = [bits.bit_count() for bits in tokens]
    overlap = [0.0] * len(scores)
    nearest: list[int | None] = [None] * len(scores)
    waiting = list(range(len(scores)))
    penalty = 1 - lambda_
    picks: list[Pick] = []
    while waiting:
        best, value = waiting[0], float("-inf")
        for index in waiting:
            own = lambda_ * relevance[index] - penalty * overlap[index]
            if own > value or (own == value and scores[index] > scores[best]):
                best, value = index, own
        waiting.remove(best)
        picks.append(Pick(best, value, relevance[best], overlap[best], nearest[best]))
        bits, size = tokens[best], sizes[best]
        for index in waiting:
            shared = (bits & tokens[index]).bit_count()
            if not shared:
                continue
            similarity = shared / (size + sizes[index] - shared)
            if similarity > overlap[index]:
                overlap[index], nearest[index] = similarity, best
    return picks
