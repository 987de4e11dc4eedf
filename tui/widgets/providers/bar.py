"""How far something is, as a short bar; the numbers stand beside it."""

from __future__ import annotations

from tui.glyphs import Glyphs

CELLS = 12


def bar(done: int, total: int, glyphs: Glyphs, ink: str = "$accent") -> list[tuple[str, str]]:
    """The bar in its two inks, full only when all is done and empty when nothing is known."""
    filled = min(done * CELLS // total, CELLS) if total else 0
    return [
        (glyphs.bar * filled, ink),
        (glyphs.bar_empty * (CELLS - filled), "$text-muted"),
    ]
