"""Whether two rankings differ by more than chance on the same queries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

EPSILON = 1e-9


@dataclass(frozen=True, slots=True)
class Comparison:
    """Queries on which the second list of scores is better, the same, worse; and the
    two-sided sign test's p: the chance of so uneven a split between equal rankings.
    """

    better: int
    same: int
    worse: int
    p: float

    @property
    def convincing(self) -> bool:
        """True when p is below 0.05."""
        return self.p < 0.05


def compare(before: Sequence[float], after: Sequence[float]) -> Comparison:
    """Paired sign test over per-query scores, ties left out (Conover 1999, section 3.4).

    Raises ValueError when the lists differ in length.
    """
    pairs = list(zip(before, after, strict=True))
    better = sum(b - a > EPSILON for a, b in pairs)
    worse = sum(a - b > EPSILON for a, b in pairs)
    return Comparison(better, len(pairs) - better - worse, worse, _sign_test(better, worse))


def _sign_test(better: int, worse: int) -> float:
    trials, fewer = better + worse, min(better, worse)
    tail = sum(comb(trials, count) for count in range(fewer + 1))
    return min(1.0, 2.0 * tail / float(2**trials))
