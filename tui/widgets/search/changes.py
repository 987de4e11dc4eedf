"""How a hit's rank differs from the ranking it is compared with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from engine.ranking.trace import Ranking
from tui.glyphs import Glyphs

Ranks = Mapping[str, int]
Kind = Literal["none", "same", "up", "down", "new"]


@dataclass(frozen=True, slots=True)
class Change:
    """``places`` is how far a hit moved (>= 1 for up and down, otherwise 0)."""

    kind: Kind
    places: int = 0

    def sign(self, glyphs: Glyphs) -> str:
        """The change in at most three cells: ``▲2``, ``▼1``, ``★``, ``=`` or nothing."""
        signs = {"up": glyphs.up, "down": glyphs.down, "new": glyphs.new, "same": glyphs.same}
        return signs.get(self.kind, "") + (str(self.places) if self.places else "")


NOT_COMPARED = Change("none")


def ranks_of(ranking: Ranking) -> dict[str, int]:
    """Chunk id to 1-based rank, of the results."""
    return {hit.candidate.chunk_id: place for place, hit in enumerate(ranking.kept, 1)}


def change_of(chunk_id: str, rank: int, baseline: Ranks | None) -> Change:
    """The change of one result against the baseline; without one nothing is compared."""
    if baseline is None:
        return NOT_COMPARED
    before = baseline.get(chunk_id)
    if before is None:
        return Change("new")
    if before == rank:
        return Change("same")
    return Change("up", before - rank) if rank < before else Change("down", rank - before)
