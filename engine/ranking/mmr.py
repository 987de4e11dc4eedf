"""Maximal marginal relevance: near-copies of what was already picked wait."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from engine.ranking.settings import MmrRelevance

Near = Callable[[int], Sequence[float]]
"""For the place of a candidate its similarities (0..1) to all candidates."""


class TokenSet(NamedTuple):
    """The tokens of a text as bits, and how many they are.

    Tokens that no other text of the pool has need no bit: they only count in ``size``.
    """

    bits: int
    size: int


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


def overlaps(tokens: Sequence[TokenSet]) -> list[list[float]]:
    """The Jaccard similarity (0..1) of every two texts; 0 of a text with itself."""
    rows = [[0.0] * len(tokens) for _ in tokens]
    for one, (bits, size) in enumerate(tokens):
        row = rows[one]
        for other in range(one):
            shared = (bits & tokens[other].bits).bit_count()
            if shared:
                row[other] = rows[other][one] = shared / (size + tokens[other].size - shared)
    return rows


def pick_order(
    scores: Sequence[float], near: Near, lambda_: float, rule: MmrRelevance
) -> list[Pick]:
    """All candidates in the order of picking; scores come sorted, best first.

    Each round takes the greatest ``lambda * relevance - (1 - lambda) * overlap``; equal
    values go to the higher score, then to the earlier one. The overlap is a running
    maximum, so the work is quadratic (spec/spikes.md, section 4).
    """
    relevance = relevances(scores, rule)
    weighted = [lambda_ * each for each in relevance]
    penalty = 1 - lambda_
    values = list(weighted)
    overlap = [0.0] * len(scores)
    nearest: list[int | None] = [None] * len(scores)
    waiting = list(range(len(scores)))
    picks: list[Pick] = []
    row: Sequence[float] = overlap
    last: int | None = None
    while waiting:
        best, value = waiting[0], float("-inf")
        for index in waiting:
            if row[index] > overlap[index]:
                overlap[index], nearest[index] = row[index], last
                values[index] = weighted[index] - penalty * row[index]
            own = values[index]
            if own > value or (own == value and scores[index] > scores[best]):
                best, value = index, own
        waiting.remove(best)
        picks.append(Pick(best, value, relevance[best], overlap[best], nearest[best]))
        last, row = best, near(best)
    return picks
