"""The minimum score: how high it stands, and which candidates pass all the same."""

from __future__ import annotations

from dataclasses import dataclass

from engine.ranking.settings import CutSettings

ANCHOR_WEIGHT = 0.7
"""The vector weight at which a scaled minimum stands as written."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a candidate passed, at which minimum, and whether that was a relaxed one."""

    passed: bool
    minimum: float
    relaxed: bool = False


def minimum_of(cut: CutSettings, vector_weight: float) -> float:
    """The minimum in force; a scaled one shrinks and grows with the vector weight, up to 1."""
    if cut.rule == "fixed":
        return cut.min_score
    return min(1.0, cut.min_score * vector_weight / ANCHOR_WEIGHT)


def strict(score: float, cut: CutSettings, minimum: float) -> Verdict:
    """Passed when the score reaches the minimum; a scaled minimum never lets nothing pass."""
    enough = score >= minimum and (cut.rule == "fixed" or score > 0)
    return Verdict(enough, minimum)


def at_zero(score: float, minimum: float, *, hit: bool) -> Verdict:
    """The verdict where the minimum is given up for keyword hits."""
    if hit and score >= 0:
        return Verdict(True, 0.0, relaxed=True)
    return Verdict(False, minimum)


def relaxed(reach: float | None, minimum: float, text_weight: float) -> Verdict:
    """The verdict on a keyword hit whose minimum is lowered to the text weight.

    ``reach`` is what may carry the hit over it, None for one that no keyword matched.
    """
    lowered = min(minimum, text_weight)
    if reach is None or reach < lowered:
        return Verdict(False, minimum)
    return Verdict(True, lowered, relaxed=True)
