"""Every knob of the ranking in one frozen value; a profile is a complete set of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Join = Literal["and", "or"]
TextScore = Literal["documented", "saturating", "best"]
Fusion = Literal["weighted", "rrf", "zscore"]
Relaxation = Literal["none", "keyword", "each"]
CutRule = Literal["fixed", "scaled"]
DecayPaths = Literal["strict", "wide"]
MmrRelevance = Literal["minmax", "raw"]
MmrTokens = Literal["ascii", "unicode"]
SnippetRule = Literal["head", "window"]
WeakHits = Literal["show", "hide"]
SingleLeg = Literal["bare", "full"]


@dataclass(frozen=True, slots=True)
class MmrSettings:
    """Maximal marginal relevance: ``lambda_`` 1 is relevance only, 0 diversity only."""

    enabled: bool
    lambda_: float
    relevance: MmrRelevance
    tokens: MmrTokens


@dataclass(frozen=True, slots=True)
class DecaySettings:
    """Temporal decay ``exp(-ln 2 / half_life_days * age_days)``; half life in days, >= 1.

    ``evergreen`` are paths that a person has pinned: they never grow old.
    """

    enabled: bool
    half_life_days: float
    paths: DecayPaths
    evergreen: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CutSettings:
    """The minimum score (0..1) and what happens when nothing reaches it.

    ``scaled`` moves the minimum with the vector weight: ``min_score`` holds at
    weight 0.7 and shrinks in proportion (spec/static-embedder.md, section 4).
    ``relaxation`` lowers it to min(minimum, text weight) for keyword hits: ``keyword``
    only when nothing passed (2026.3), ``each`` for every hit whose score or text part
    reaches that. ``weak`` says what becomes of hits when nothing seems relevant.
    """

    min_score: float
    rule: CutRule
    relaxation: Relaxation
    weak: WeakHits = "show"


@dataclass(frozen=True, slots=True)
class RankSettings:
    """The complete ranking recipe; weights are 0..1 and sum to 1.

    ``single_leg`` is what a search with only one leg gets: ``bare`` skips decay and MMR
    and leaves the weights alone when a query has no vector (the originals), ``full``
    gives the leg the whole weight and every stage.
    """

    profile: str
    hybrid: bool
    join: Join
    text_score: TextScore
    fusion: Fusion
    vector_weight: float
    text_weight: float
    completion: bool
    max_results: int
    candidate_multiplier: int
    cut: CutSettings
    decay: DecaySettings
    mmr: MmrSettings
    snippet: SnippetRule
    source: str | None = None
    """Only candidates of this source; None is all."""
    single_leg: SingleLeg = "bare"

    @property
    def pool_size(self) -> int:
        """Candidates a leg contributes: min(200, max(1, maxResults x multiplier))."""
        return min(200, max(1, self.max_results * self.candidate_multiplier))
