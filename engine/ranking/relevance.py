"""Whether anything relevant was found at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from engine.ranking.entry import Entry
from engine.ranking.formulas import number
from engine.ranking.pool import CandidatePool
from engine.ranking.scope import Scope

SURE_COSINE = 0.5
"""A cosine from which on a hit counts as a good one, whatever the others have."""
STANDS_OUT = 0.12
"""How far above the middle of the pool a lower cosine must be to count as a good one."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """Nothing seems relevant: the best cosine, how far it misses, and a sentence."""

    cosine: float
    missing: float
    sentence: str


def no_keyword_matched(pool: CandidatePool, scope: Scope, entries: Sequence[Entry]) -> bool:
    """True when keywords were asked for and none of the candidates has one."""
    asked = any(leg.name in scope.text_legs and leg.error is None for leg in pool.legs)
    return asked and all(entry.text is None for entry in entries)


def doubt(pool: CandidatePool, scope: Scope, entries: Sequence[Entry]) -> Doubt | None:
    """The doubt about a ranking in which no keyword matched and no vector stands out.

    Cosines of unrelated texts differ from model to model, so a low one is judged by how
    far it rises above the middle of the pool. Both limits shrink to the room above the
    pool's ``vector_floor``. None when there is no reason for doubt.
    """
    cosines = [entry.vector for entry in entries if entry.vector is not None]
    if not cosines or not no_keyword_matched(pool, scope, entries):
        return None
    best, room = max(cosines), 1 - pool.vector_floor
    sure = pool.vector_floor + SURE_COSINE * room
    enough = min(sure, median(cosines) + STANDS_OUT * room)
    if best >= enough:
        return None
    sentence = "Nothing seems relevant: no keyword matched and the best similarity"
    return Doubt(best, enough - best, f"{sentence} {number(best)} is weak.")
