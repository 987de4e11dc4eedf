"""What of a pool the settings look at: the legs that count, and the configured pool."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from engine.ranking.candidate import VECTOR_LEG, Candidate, LegHit
from engine.ranking.listing import Listing
from engine.ranking.pool import CandidatePool
from engine.ranking.settings import RankSettings

SUPERSET = 200
"""Most candidates a leg contributes to a pool; no configured pool is larger."""
KEYWORD_LEG = "keyword:"
"""Prefix of the legs that ask for one keyword each."""
NAME_LEG = "path"
"""The leg that asks for the whole query in the paths of files."""
NAME_LEGS = "path:"
"""Prefix of the legs that ask the paths for one keyword each."""


@dataclass(frozen=True, slots=True)
class Scope:
    """The legs in force with their weights, and who is inside the configured pool.

    ``inside`` is in merge order: vector hits by place, then hits of keywords only;
    ``outside`` are the places of all others in ``candidates``.
    """

    mode: str
    vector_weight: float
    text_weight: float
    text_legs: tuple[str, ...]
    candidates: Sequence[Candidate]
    inside: tuple[Candidate, ...] = ()
    outside: tuple[int, ...] = ()
    query: str = ""
    name_legs: tuple[str, ...] = ()
    full: Mapping[str, float | None] = field(default_factory=dict)
    """By keyword leg, as in LegInfo."""

    @property
    def single_leg(self) -> bool:
        """True when only one kind of leg counts."""
        return self.mode != "hybrid"

    @property
    def legs(self) -> tuple[str, ...]:
        """All legs in force, the vectors first."""
        first = () if self.mode == "keyword" else (VECTOR_LEG,)
        return (*first, *self.text_legs, *self.name_legs)


def scope_of(pool: CandidatePool, settings: RankSettings) -> Scope:
    """Apply source, mode and pool size to a pool."""
    mode = _mode(pool, settings)
    weights = {
        "hybrid": (settings.vector_weight, settings.text_weight),
        "vector": (1.0, 0.0),
        "keyword": (0.0, 1.0),
    }[mode]
    text_legs = () if mode == "vector" else _text_legs(pool, settings)
    scope = Scope(
        mode,
        *weights,
        text_legs,
        _of_source(pool, settings.source),
        query=pool.query,
        name_legs=() if mode == "vector" else _name_legs(pool, settings),
        full={leg.name: leg.full for leg in pool.legs},
    )
    inside, outside = _split(scope.candidates, scope.legs, settings.pool_size)
    return replace(scope, inside=inside, outside=outside)


def _mode(pool: CandidatePool, settings: RankSettings) -> str:
    if pool.mode != "hybrid":
        return pool.mode
    if not settings.hybrid:
        return "vector"
    alone = not pool.query_vector and settings.single_leg == "full"
    return "keyword" if alone else "hybrid"


def _text_legs(pool: CandidatePool, settings: RankSettings) -> tuple[str, ...]:
    """The keyword legs that count: one per keyword where the originals ask that way."""
    each = tuple(leg.name for leg in pool.legs if leg.name.startswith(KEYWORD_LEG))
    if settings.join == "and" and pool.mode == "keyword":
        return each
    if settings.join == "and-with-each":
        return ("and", *each)
    if settings.join == "and-else-each":
        whole = pool.leg("and")
        return each if each and whole is not None and not whole.hits else ("and",)
    return (settings.join,)


def _name_legs(pool: CandidatePool, settings: RankSettings) -> tuple[str, ...]:
    """The legs that search paths; the first one also when the pool was made without it."""
    if not settings.file_names:
        return ()
    each = tuple(leg.name for leg in pool.legs if leg.name.startswith(NAME_LEGS))
    return (NAME_LEG, *each)


def _of_source(pool: CandidatePool, source: str | None) -> Sequence[Candidate]:
    """The candidates of one source, with their places counted anew among themselves."""
    if source is None or source == pool.source:
        return pool.candidates
    chosen = [c for c in pool.candidates if c.source == source]
    names = {name for candidate in chosen for name in candidate.legs}
    places = {name: _renumbered(chosen, name) for name in (VECTOR_LEG, *names)}
    return [_moved(candidate, places) for candidate in chosen]


def _renumbered(candidates: Sequence[Candidate], leg: str) -> dict[str, int]:
    listed = [(at, c.chunk_id) for c in candidates if (at := position(c, leg)) is not None]
    return {chunk_id: at for at, (_, chunk_id) in enumerate(sorted(listed))}


def _moved(candidate: Candidate, places: dict[str, dict[str, int]]) -> Candidate:
    own = candidate.chunk_id
    legs = {name: LegHit(hit.bm25, places[name].get(own)) for name, hit in candidate.legs.items()}
    return replace(candidate, vector_position=places[VECTOR_LEG].get(own), legs=legs)


def position(candidate: Candidate, leg: str) -> int | None:
    """The 0-based place of a candidate in the list of a leg, None when it is not listed."""
    if leg == VECTOR_LEG:
        return candidate.vector_position
    hit = candidate.legs.get(leg)
    return hit.position if hit is not None else None


def _split(
    candidates: Sequence[Candidate], legs: Sequence[str], size: int
) -> tuple[tuple[Candidate, ...], tuple[int, ...]]:
    inside: dict[int, Candidate] = {}
    for leg in legs:
        places = enumerate(_places(candidates, leg))
        listed = [(at, number) for number, at in places if at is not None and at < size]
        for _, number in sorted(listed):
            if number not in inside:
                inside[number] = candidates[number]
    outside = tuple(number for number in range(len(candidates)) if number not in inside)
    return tuple(inside.values()), outside


def _places(candidates: Sequence[Candidate], leg: str) -> list[int | None]:
    if isinstance(candidates, Listing):
        return candidates.places(leg)
    return [position(candidate, leg) for candidate in candidates]
