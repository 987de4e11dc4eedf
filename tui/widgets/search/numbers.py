"""Numbers as the Search screen writes them: four cells for a score, whole for an explanation."""

from __future__ import annotations

SCORE_CELLS = 4


def score(value: float | None, missing: str = "—") -> str:
    """A score in at most four cells: ``.742``, ``1.00``, ``-.12``; ``missing`` for None."""
    if value is None:
        return missing
    for places in (3, 2, 1):
        text = _bare(f"{value:.{places}f}")
        if len(text) <= SCORE_CELLS:
            return text
    return f"{value:.0f}"


def short(value: float) -> str:
    """A setting between 0 and 1 with two places, ``.70``; with the third where it counts."""
    text = score(value)
    return text[:-1] if text.startswith(".") and text.endswith("0") else text


def exact(value: float) -> str:
    """All digits of a number: reading the text back gives the very same number."""
    return repr(value)


def days(value: float) -> str:
    """A half life or an age given in days, without a needless fraction: ``30``, ``4.7``."""
    return f"{value:.0f}" if value == int(value) or value >= 100 else f"{value:.1f}"


def age(then_ms: float, now_ms: float) -> str:
    """How long ago, in at most four cells: ``now``, ``12m``, ``5h``, ``4d``, ``148d``, ``3y``.

    Both are milliseconds since the epoch; a moment to come counts as now.
    """
    minutes = max(0.0, now_ms - then_ms) / 60_000.0
    if minutes < 1:
        return "now"
    if minutes < 60:
        return f"{minutes:.0f}m"
    if minutes < 48 * 60:
        return f"{minutes / 60:.0f}h"
    whole = int(minutes // (24 * 60))
    return f"{whole}d" if whole < 1000 else f"{whole / 365.25:.0f}y"


def count(number: int, one: str, many: str = "") -> str:
    """``1 hit``, ``6 hits``."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def _bare(text: str) -> str:
    """``0.742`` as ``.742``; a negative zero loses its sign."""
    sign, digits = ("-", text[1:]) if text.startswith("-") else ("", text)
    if not digits.strip("0."):
        sign = ""
    return sign + (digits[1:] if digits.startswith("0.") else digits)
