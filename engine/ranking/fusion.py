"""How the two legs become one score: weighted sum, reciprocal ranks, or z-scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import erf, sqrt

from engine.ranking.formulas import Input
from engine.ranking.settings import Fusion

Scores = Sequence[float | None]
Part = tuple[float, dict[str, Input]]
"""What a leg adds to the score, and the inputs beyond value and weight that made it."""
Side = Callable[[float | None], Part]

RRF_K = 60
"""The usual constant of reciprocal rank fusion; a rank of 1 then counts fully."""


def side(rule: Fusion, name: str, weight: float, values: Scores) -> Side:
    """The part of one leg as a function of a candidate's value on it (None: nothing).

    Every rule gives a part of 0..weight for values of 0..1, so that the same minimum
    and the same weights apply. ``values`` are those of the whole pool.
    """
    if rule == "rrf":
        return _reciprocal(name, weight, values)
    if rule == "zscore":
        return _standardised(name, weight, values)
    return lambda value: (weight * value if value is not None else 0.0, {})


def _reciprocal(name: str, weight: float, values: Scores) -> Side:
    """weight * (k+1) / (k+rank): reciprocal rank fusion, scaled so that rank 1 gives weight."""
    order = sorted((v for v in values if v is not None), reverse=True)
    ranks: Mapping[float, int] = {v: i for i, v in reversed(list(enumerate(order, 1)))}

    def part(value: float | None) -> Part:
        if value is None:
            return 0.0, {"k": RRF_K, f"{name}_rank": None}
        rank = ranks[value]
        return weight * (RRF_K + 1) / (RRF_K + rank), {"k": RRF_K, f"{name}_rank": rank}

    return part


def _standardised(name: str, weight: float, values: Scores) -> Side:
    """weight * Phi((value - mean) / spread) over the pool; 1/2 where all are equal."""
    known = [v for v in values if v is not None]
    mean = sum(known) / len(known) if known else 0.0
    spread = sqrt(sum((v - mean) ** 2 for v in known) / len(known)) if known else 0.0
    inputs: dict[str, Input] = {f"{name}_mean": mean, f"{name}_spread": spread}

    def part(value: float | None) -> Part:
        if value is None:
            return 0.0, inputs
        z = (value - mean) / spread if spread else 0.0
        return weight * (0.5 * (1 + erf(z / sqrt(2)))), inputs

    return part
