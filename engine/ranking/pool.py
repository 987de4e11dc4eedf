"""The candidate pool: retrieved once, ranked as often as a knob moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from engine.ranking.candidate import Candidate


@dataclass(frozen=True, slots=True)
class LegInfo:
    """How one leg was asked: its MATCH string (keyword legs) and how many it gave.

    ``name`` is "vector", "and", "or", or "keyword:<word>" for one leg a keyword.
    """

    name: str
    match: str | None
    hits: int
    error: str | None = None
    full: float | None = None
    """The size of bm25 of a chunk that holds every word of the query once; None: not known."""


@dataclass(frozen=True, slots=True)
class CandidatePool:
    """A superset of what any profile needs: up to 200 candidates a leg.

    ``mode`` says which legs were to be had: "hybrid", "vector" (no keyword index) or
    "keyword" (no provider, or it failed). ``query_vector`` is False when the query has
    no usable vector. ``source`` is the one that retrieval was narrowed to. ``cache``
    memoises token sets for MMR and for the words shown; it never changes a result.
    """

    query: str
    terms: tuple[str, ...]
    mode: str
    legs: tuple[LegInfo, ...]
    candidates: Sequence[Candidate]
    provider: str
    model: str
    identity: str
    revision: int
    source: str | None = None
    query_vector: bool = True
    vector_floor: float = 0.0
    """Cosine that unrelated texts have by construction (the built-in model's lift)."""
    notices: tuple[str, ...] = ()
    timings_ms: Mapping[str, float] = field(default_factory=dict)
    cache: dict[str, object] = field(default_factory=dict, compare=False, repr=False)

    def leg(self, name: str) -> LegInfo | None:
        """The leg of that name, or None when it was not asked."""
        return next((leg for leg in self.legs if leg.name == name), None)
