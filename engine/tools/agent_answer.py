"""memory_search as the agent calls it: arguments in, the era's answer out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from engine.config.switched_off import SwitchedOff, switched_off
from engine.errors import CancelledError, EngineError
from engine.tools.arguments import Arguments, number, required_text, whole_number
from engine.tools.memory_search import SearchAnswer, SearchResult, memory_search

if TYPE_CHECKING:
    from engine.memory import MemoryEngine
    from engine.tools.citations import CitationMode

_MODES = {"hybrid": "hybrid", "vector": "hybrid", "keyword": "fts-only"}
CHECK = "Check the embedding provider in the configuration, then search again."
_QUOTA = re.compile(r"quota|(?<![\d:.])429(?!\d)", re.IGNORECASE)
"""A status, and no port in which the same digits stand."""


def answer_for_agent(
    engine: MemoryEngine, arguments: Arguments, session_key: str | None = None
) -> dict[str, Any]:
    """The answer to ``{query, maxResults?, minScore?}`` in the shape of February and March.

    A search that cannot answer gives a result with ``unavailable``, an error, a warning
    and an action; so does one that is switched off, naming the setting. Raises
    ArgumentError without a query.
    """
    query = required_text(arguments, "query")
    off = switched_off(engine.config)
    if off is not None:
        return disabled(off)
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
        return unavailable(f"{error.title}: {error.message}", error.hint)
    if answer.unavailable:
        return unavailable(answer.error or "", answer.hint)
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


def disabled(off: SwitchedOff) -> dict[str, Any]:
    """The answer of a search that the configuration takes from the agent."""
    return {
        "results": [],
        "disabled": True,
        "unavailable": True,
        "error": f"Memory search is disabled: {off.because}.",
        "warning": "Memory search is switched off in the configuration.",
        "action": off.hint,
    }


def unavailable(error: str, remedy: str = "") -> dict[str, Any]:
    """The answer of a search that cannot answer, with what the agent may tell its person."""
    quota = _QUOTA.search(error) is not None
    warning = "Memory search does not work now: "
    warning += (
        "the embedding provider's quota is used up."
        if quota
        else ("the embedding provider or the index failed.")
    )
    action = (
        "Add credit at the embedding provider or choose another provider, then search again."
        if quota
        else f"{remedy or CHECK} Otherwise choose another embedding provider."
    )
    return {
        "results": [],
        "disabled": True,
        "unavailable": True,
        "error": error,
        "warning": warning,
        "action": action,
    }
