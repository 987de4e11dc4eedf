"""What making the index anew costs, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tui.glyphs import Glyphs
from tui.wording import count, counted, span

if TYPE_CHECKING:
    from engine.status import RebuildEstimate

Piece = str | tuple[str, str]


def cost_lines(cost: RebuildEstimate, glyphs: Glyphs) -> list[Piece]:
    """The four lines of the cost, and its note."""
    where = (
        (f"{glyphs.warning} sent to {cost.provider}", "bold $text-warning")
        if cost.remote
        else (f"on this machine, by {cost.provider}", "bold")
    )
    lines: list[str | tuple[str, str]] = [
        ("files     ", "$text-muted"),
        f"{count(cost.files)}, about {counted(cost.chunks, 'chunk')}\n",
        ("vectors   ", "$text-muted"),
        f"{count(cost.to_embed)} to make, {count(cost.cached)} already in the cache\n",
        ("where     ", "$text-muted"),
        where,
        f"\n{'':10}about {counted(cost.tokens, 'token')}\n" if cost.remote else "\n",
        ("time      ", "$text-muted"),
        "not known" if cost.seconds is None else f"about {span(cost.seconds)}",
    ]
    if cost.note:
        lines += ["\n", ("note      ", "$text-muted"), cost.note]
    return lines
