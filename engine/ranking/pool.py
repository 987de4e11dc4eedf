"""The candidate pool: retrieved once, ranked as often as a knob moves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.ranking.candidate import Candidate


@dataclass(frozen=True, slots=True)
class LegInfo:
    """How one leg was asked: its MATCH string (keyword legs) and how many it gave."""

    name: str
    match: str | None
    hits: int
    error: str | None = None


@dataclass(frozen=True, slots=True)
class CandidatePool:
    """A superset of what any profile needs: up to 200 candidates a leg.

    ``mode`` says which legs exist at all: hybrid, vector only (no FTS) or keyword
    only (no provider, or a query without a usable vector). ``cache`` memoises
    token sets and similarities for MMR; it never changes a result.
    """

    query: str
    terms: tuple[str, ...]
    mode: str
    legs: tuple[LegInfo, ...]
    candidates: tuple[Candidate, ...]
    provider: str
    model: str
    identity: str
    revision: int
    vector_floor: float = 0.0
    """Cosine that unrelated texts have by construction (the built-in model's lift)."""
    notices: tuple[str, ...] = ()
    timings_ms: Mapping[str, float] = field(default_factory=dict)
    cache: dict[str, object] = field(default_factory=dict, compare=False, repr=False)

    def leg(self, name: str) -> LegInfo | None:
        """The leg of that name, or None when it was not asked."""
        return next((leg for leg in self.legs if leg.name == name), None)
