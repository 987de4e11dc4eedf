"""memory_search: results with snippet and citation, and the state they were found in."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from engine.errors import SyncError
from engine.ranking.candidate import VECTOR_LEG
from engine.ranking.overrides import override
from engine.ranking.snippet import head_snippet, window_snippet
from engine.tools.citations import citation, includes_citations

if TYPE_CHECKING:
    from engine.memory import MemoryEngine
    from engine.ranking.pool import CandidatePool
    from engine.ranking.settings import RankSettings
    from engine.ranking.snippet import Snippet
    from engine.ranking.trace import Ranked, Ranking
    from engine.status import FallbackState, FileState, ProviderState

LOOK_PATIENCE_S = 0.25
"""How long an answer waits for the look at the disk that goes with it, which as a rule takes
some thousandths of a second for each thousand files."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """One hit as the agent sees it; ``ranked`` carries the candidate and its trace.

    The snippet covers lines ``snippet_start_line`` to ``snippet_end_line`` of the file;
    ``hit_line`` is the line of the match that it shows. ``matched`` and ``missing`` are
    the words of the query that the chunk holds and lacks.
    """

    ranked: Ranked
    snippet: str
    snippet_start_line: int
    citation: str | None
    snippet_end_line: int = 0
    hit_line: int = 0
    matched: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """The whole answer; ``mode`` is "hybrid", "vector" or "keyword".

    ``error`` says why a provider that is configured took no part, with ``hint`` on what
    to do. ``unavailable`` is True when the agent itself would get no results for that.
    """

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
    error: str | None = None
    hint: str = ""
    unavailable: bool = False


def memory_search(
    engine: MemoryEngine,
    query: str,
    *,
    max_results: int | None = None,
    min_score: float | None = None,
    source: str | None = None,
    profile: str | None = None,
    settings: RankSettings | None = None,
    session_key: str | None = None,
) -> SearchAnswer:
    """Search the index as it is.

    ``settings`` (or else those of ``profile``) apply with ``max_results``, ``min_score``
    and ``source`` on top. ``stale`` is True when files differ from the index as of a look
    at the disk that is made with the search, or, if that takes long, the one before.
    Raises SearchUnavailableError, StoreError, ConfigError for an unknown profile.
    """
    settings = settings or engine.rank_settings(profile)
    settings = _narrowed(settings, max_results, min_score, source)
    pool = engine.retrieve(query, settings)
    ranking = engine.rank(pool, settings)
    cite = includes_citations(engine.config.citations, session_key or engine.config.session_key)
    provider = engine.provider.state(None)
    dirty = _dirty(engine)
    error = _absence(pool, provider)
    unavailable = error is not None and engine.config.era.failing_provider == "unavailable"
    return SearchAnswer(
        results=tuple(_result(pool, ranked, settings, cite=cite) for ranked in ranking.kept),
        ranking=ranking,
        pool=pool,
        provider=pool.provider,
        model=pool.model,
        fallback=provider.fallback,
        mode=ranking.mode,
        profile=settings.profile,
        stale=dirty is None or bool(dirty),
        notices=(
            *_pending_note(dirty),
            *_labels(engine, provider, unavailable=unavailable),
            *pool.notices,
            *ranking.notices,
        ),
        error=error,
        hint=provider.error_hint if error else "",
        unavailable=unavailable,
    )


def _absence(pool: CandidatePool, provider: ProviderState) -> str | None:
    """Why the vectors took no part in an answer that should have had them."""
    leg = pool.leg(VECTOR_LEG)
    if leg is not None and leg.error is not None:
        return leg.error
    failed = provider.mode == "degraded" and pool.mode == "keyword"
    return provider.error if failed else None


def _labels(engine: MemoryEngine, provider: ProviderState, *, unavailable: bool) -> list[str]:
    """What must stand above the results: who answers instead, or what the agent would get."""
    turn = provider.fallback
    labels = [] if turn is None else [f"{turn.to} answers instead of {turn.from_}: {turn.reason}"]
    if unavailable:
        era = engine.config.era.name
        labels.append(f"Keyword results; the agent itself (era {era}) would get none at all.")
    return labels


def _dirty(engine: MemoryEngine) -> list[FileState] | None:
    """Files that the index does not hold as they are on disk; None for a lost workspace."""
    try:
        return [state for state in engine.looked(LOOK_PATIENCE_S) if state.dirty]
    except SyncError:
        return None


def _pending_note(dirty: list[FileState] | None) -> list[str]:
    """One sentence on files that the index has yet to take up; failed ones are told elsewhere."""
    pending = [state.path for state in dirty or () if state.state != "failed"]
    if not pending:
        return []
    others = f" and {len(pending) - 1} more" if len(pending) > 1 else ""
    files = "1 file is" if len(pending) == 1 else f"{len(pending)} files are"
    return [f"{files} pending, not yet in the index as on disk: {pending[0]}{others}."]


def _narrowed(
    settings: RankSettings, max_results: int | None, min_score: float | None, source: str | None
) -> RankSettings:
    values: dict[str, Any] = {}
    if max_results is not None:
        values["query.maxResults"] = max_results
    if min_score is not None:
        values["query.minScore"] = min_score
    settings = override(settings, values)
    return settings if source is None else replace(settings, source=source)


def _result(
    pool: CandidatePool, ranked: Ranked, settings: RankSettings, *, cite: bool
) -> SearchResult:
    from engine.retrieval.words import word_report

    candidate = ranked.candidate
    snippet = snippet_of(pool, ranked, settings)
    report = word_report(pool, candidate)
    place = citation(candidate.path, candidate.start_line, candidate.end_line)
    return SearchResult(
        ranked=ranked,
        snippet=snippet.text,
        snippet_start_line=snippet.start_line,
        citation=place if cite else None,
        snippet_end_line=snippet.end_line,
        hit_line=snippet.hit_line,
        matched=report.matched,
        missing=report.missing,
    )


def snippet_of(pool: CandidatePool, ranked: Ranked, settings: RankSettings) -> Snippet:
    """The part of a candidate that an answer shows, by the snippet rule in force."""
    from engine.retrieval.words import spans_in

    candidate = ranked.candidate
    if settings.snippet == "head":
        return head_snippet(candidate.text, candidate.start_line)
    return window_snippet(candidate.text, candidate.start_line, spans_in(pool, candidate))
