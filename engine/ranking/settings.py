"""Every knob of the ranking in one frozen value; a profile is a complete set of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Join = Literal["and", "or", "and-else-each", "and-with-each"]
TextScore = Literal["documented", "saturating", "ranked", "best", "covered"]
Fusion = Literal["weighted", "rrf", "zscore"]
Relaxation = Literal["none", "keyword", "each", "zero", "fill"]
CutRule = Literal["fixed", "scaled"]
DecayPaths = Literal["strict", "wide"]
MmrRelevance = Literal["minmax", "raw"]
MmrTokens = Literal["ascii", "cjk", "cjk-strict", "unicode"]
SnippetRule = Literal["head", "window"]
WeakHits = Literal["show", "hide"]
SingleLeg = Literal["bare", "aged", "full"]
Boost = Literal["none", "alone", "always"]
ShortWords = Literal["match", "cjk", "all"]


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
    reaches that. ``zero`` lowers it to 0 for all of them when nothing passed (2026.7),
    ``fill`` besides gives places left over to keyword hits without a vector (2026.9).
    ``weak`` says what becomes of hits when nothing seems relevant.
    """

    min_score: float
    rule: CutRule
    relaxation: Relaxation
    weak: WeakHits = "show"


@dataclass(frozen=True, slots=True)
class RankSettings:
    """The complete ranking recipe; weights are 0..1 and sum to 1.

    ``single_leg`` is what a search with only one leg gets: ``bare`` skips decay and MMR
    and leaves the weights alone when a query has no vector (the originals), ``aged`` is
    the same with decay for keywords alone, ``full`` gives the leg the whole weight and
    every stage. ``join``: all words (``and``), any (``or``), all and, when that finds
    nothing, each keyword by itself (``and-else-each``), or both at once (``and-with-each``).
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
    boost: Boost = "none"
    """When the lexical boost is added to a text score: never, with keywords alone, always."""
    short_words: ShortWords = "match"
    """Words under three characters that a trigram index is asked for as parts of the text."""
    file_names: bool = False
    """Whether names of files are searched, and files that a query names come first."""
    annotations: bool = False
    """Whether importance and project comments of a note weigh."""
    media_whole: bool = False
    """Whether a medium that has no text score keeps its whole vector score."""
    active_projects: tuple[str, ...] = ()
    """Keys of the projects that are being worked on, in lower case."""
    pool: int | None = None
    """A fixed number of candidates a leg, 1..200; None follows max_results."""

    @property
    def pool_size(self) -> int:
        """Candidates a leg contributes: min(200, max(1, maxResults x multiplier)), or fixed."""
        if self.pool is not None:
            return self.pool
        return min(200, max(1, self.max_results * self.candidate_multiplier))
