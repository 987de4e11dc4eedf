"""memory_search: results with snippet and citation, and the state they were found in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.ranking.pool import CandidatePool
    from engine.ranking.trace import Ranked, Ranking
    from engine.status import FallbackState


@dataclass(frozen=True, slots=True)
class SearchResult:
    """One hit as the agent sees it; ``ranked`` carries the candidate and its trace."""

    ranked: Ranked
    snippet: str
    snippet_start_line: int
    citation: str | None


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """The whole answer; ``mode`` is "hybrid", "vector" or "keyword"."""

    results: tuple[SearchResult, ...]
    ranking: Ranking
    pool: CandidatePool
    provider: str
    model: str
    fallback: FallbackState | None
    mode: str
    profile: str
    stale: bool
    notices: tuple[str, ...]
