"""Graded measures of one ranked list: nDCG, reciprocal rank, recall."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from math import log2


def dcg(gains: Iterable[float], k: int) -> float:
    """Discounted cumulative gain of the first ``k``: sum of gain / log2(place + 1), places
    from 1, with linear gain (Jaervelin and Kekaelaeinen 2002, in the form trec_eval uses).
    """
    return sum(gain / log2(place + 2) for place, gain in enumerate(islice(gains, k)))


def ndcg(gains: Sequence[float], judged: Iterable[float], k: int) -> float:
    """nDCG@k, 0..1: dcg over that of the best order of *all* judged items.

    ``gains`` are those of the list in order, 0 for what is not relevant. ``judged`` are
    the gains of every relevant item, also of those that the list lacks (global ideal).
    0.0 when nothing is relevant.
    """
    ideal = dcg(sorted(judged, reverse=True), k)
    return dcg(gains, k) / ideal if ideal else 0.0


def reciprocal_rank(gains: Sequence[float], k: int) -> float:
    """1 / place of the first relevant item among the first ``k``, 0.0 without one."""
    places = (place for place, gain in enumerate(gains[:k], 1) if gain > 0)
    first = next(places, None)
    return 1.0 / first if first else 0.0


def recall(gains: Sequence[float], relevant: int, k: int) -> float:
    """Share of the ``relevant`` items that are among the first ``k``; 0.0 without any."""
    return sum(gain > 0 for gain in gains[:k]) / relevant if relevant else 0.0
