"""A score as a bar of whole cells, split by where it came from."""

from __future__ import annotations

from dataclasses import dataclass

from engine.ranking.trace import Ranked
from tui.glyphs import Glyphs


@dataclass(frozen=True, slots=True)
class Shares:
    """What made a score: the vector leg, the keyword leg, and what decay took away.

    All are >= 0 and in the unit of the score.
    """

    vector: float
    text: float
    lost: float

    @property
    def whole(self) -> float:
        """The length of the bar: the score before decay."""
        return self.vector + self.text + self.lost


def shares_of(hit: Ranked) -> Shares:
    """The shares of a hit as its trace tells them."""
    vector, text = max(0.0, hit.vector_share), max(0.0, hit.text_share)
    decay = hit.decay
    kept = vector + text
    lost = kept / decay - kept if 0.0 < decay < 1.0 else 0.0
    return Shares(vector, text, lost)


def cells(shares: Shares, width: int, scale: float = 1.0) -> tuple[int, int, int]:
    """Cells for vector, text and lost; together at most ``width``, which stands for ``scale``.

    Borders between the parts are rounded, not the parts, so the bar's length is right.
    """
    if scale <= 0.0:
        return 0, 0, 0

    def border(value: float) -> int:
        return min(width, round(value / scale * width))

    first = border(shares.vector)
    second = border(shares.vector + shares.text)
    return first, second - first, border(shares.whole) - second


def bar(
    shares: Shares, width: int, glyphs: Glyphs, scale: float = 1.0
) -> tuple[tuple[str, str], ...]:
    """The bar as pieces of text with their ink, exactly ``width`` cells."""
    vector, text, lost = cells(shares, width, scale)
    return (
        (glyphs.bar * vector, ".search--vector"),
        (glyphs.bar_text * text, ".search--text"),
        (glyphs.bar_lost * lost, ".search--lost"),
        (" " * (width - vector - text - lost), ""),
    )
