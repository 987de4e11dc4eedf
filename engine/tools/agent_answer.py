"""memory_search as the agent calls it: arguments in, the era's answer out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.errors import CancelledError, EngineError
from engine.ranking.candidate import VECTOR_LEG
from engine.tools.arguments import Arguments, number, required_text, whole_number
from engine.tools.memory_search import SearchAnswer, SearchResult, memory_search

if TYPE_CHECKING:
    from engine.memory import MemoryEngine
    from engine.tools.citations import CitationMode

_MODES = {"hybrid": "hybrid", "vector": "hybrid", "keyword": "fts-only"}
_QUOTA = ("insufficient_quota", "quota", "429")


def answer_for_agent(
    engine: MemoryEngine, arguments: Arguments, session_key: str | None = None
) -> dict[str, Any]:
    """The answer to ``{query, maxResults?, minScore?}`` in the shape of February and March.

    A search that cannot answer gives a result with ``unavailable``, an error, a warning
    and an action. Raises ArgumentError without a query.
    """
    query = required_text(arguments, "query")
    try:
        answer = memory_search(
            engine,
            query,
            max_results=whole_number(arguments, "maxResults"),
            min_score=number(arguments, "minScore"),
            session_key=session_key,
        )
    except CancelledError:
        raise
    except EngineError as error:
        return unavailable(f"{error.title}: {error.message}")
    failure = _provider_failure(answer)
    if failure is not None and engine.config.era.failing_provider == "unavailable":
        return unavailable(failure)
    return agent_answer(answer, engine.config.citations)


def agent_answer(answer: SearchAnswer, citations: CitationMode) -> dict[str, Any]:
    """A search answer in the agent's shape; ``fallback`` is there only when one is active."""
    shaped: dict[str, Any] = {
        "results": [_result(result) for result in answer.results],
        "provider": answer.provider,
        "model": answer.model,
        "citations": citations,
        "mode": _MODES[answer.mode],
    }
    if answer.fallback is not None:
        shaped["fallback"] = {"from": answer.fallback.from_, "reason": answer.fallback.reason}
    return shaped


def _result(result: SearchResult) -> dict[str, Any]:
    candidate = result.ranked.candidate
    shaped: dict[str, Any] = {
        "path": candidate.path,
        "startLine": candidate.start_line,
        "endLine": candidate.end_line,
        "score": result.ranked.score,
        "snippet": result.snippet,
        "source": candidate.source,
    }
    if result.citation is not None:
        shaped["snippet"] = f"{result.snippet.strip()}\n\nSource: {result.citation}"
        shaped["citation"] = result.citation
    return shaped


def _provider_failure(answer: SearchAnswer) -> str | None:
    leg = answer.pool.leg(VECTOR_LEG)
    return leg.error if leg is not None else None


def unavailable(error: str) -> dict[str, Any]:
    """The answer of a search that cannot answer, with what the agent may tell its person."""
    quota = any(sign in error.lower() for sign in _QUOTA)
    warning = "Memory search does not work now: "
    warning += (
        "the embedding provider's quota is used up."
        if quota
        else ("the embedding provider or the index failed.")
    )
    action = (
        "Add credit at the embedding provider or choose another provider, then search again."
        if quota
        else "Check the embedding provider in the configuration, then search again."
    )
    return {
        "results": [],
        "disabled": True,
        "unavailable": True,
        "error": error,
        "warning": warning,
        "action": action,
    }
