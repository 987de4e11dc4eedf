"""``memlens search``: ranked results with every part of their score."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from engine.cli.model_progress import DownloadLine
from engine.cli.output import (
    EXIT_DONE,
    EXIT_UNAVAILABLE,
    plain,
    print_json,
    print_lines,
    say,
)

if TYPE_CHECKING:
    from engine.cli.session import Session
    from engine.memory import MemoryEngine
    from engine.ranking.trace import Ranked
    from engine.tools.memory_search import SearchAnswer, SearchResult


@click.command()
@click.argument("query")
@click.option("--max-results", type=click.IntRange(1, 200), help="How many results.")
@click.option("--min-score", type=click.FloatRange(0, 1), help="The cut, 0 to 1.")
@click.option("--source", metavar="S", help="Only this source (memory).")
@click.option("--explain", is_flag=True, help="Add the trace of each result and lost candidate.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@click.pass_obj
def search(
    session: Session,
    query: str,
    max_results: int | None,
    min_score: float | None,
    source: str | None,
    explain: bool,
    as_json: bool,
) -> int:
    """Search the index as it is; it is built first only when there is none.

    Ends with 3 when the agent's own search would be unavailable; keyword results are
    printed all the same.
    """
    from engine.tools.memory_search import memory_search

    with session.engine() as engine:
        _build_when_missing(engine)
        answer = memory_search(
            engine, query, max_results=max_results, min_score=min_score, source=source
        )
    if as_json:
        print_json(_document(answer, explain))
    else:
        _print(answer, explain)
    return EXIT_UNAVAILABLE if answer.unavailable else EXIT_DONE


def _build_when_missing(engine: MemoryEngine) -> None:
    if engine.indexed:
        return
    if engine.pays_for_indexing:
        say("No index yet: building the keyword tables only; `memlens index` embeds.")
    line = DownloadLine()
    unsubscribe = engine.events.subscribe(line.heard)
    try:
        engine.sync("search")
    finally:
        unsubscribe()
        line.end()


def _document(answer: SearchAnswer, explain: bool) -> dict[str, Any]:
    fallback = answer.fallback
    document: dict[str, Any] = {
        "results": [_result(result, explain) for result in answer.results],
        "provider": answer.provider,
        "model": answer.model,
        "fallback": fallback
        and {
            "from": fallback.from_,
            "to": fallback.to,
            "reason": fallback.reason,
            "since": fallback.since_ms,
        },
        "mode": answer.mode,
        "profile": answer.profile,
        "stale": answer.stale,
        "unavailable": answer.unavailable,
        "notices": list(answer.notices),
    }
    if explain:
        document["lost"] = [_lost(ranked) for ranked in answer.ranking.lost]
        document["legs"] = plain(answer.pool.legs)
    return document


def _result(result: SearchResult, explain: bool) -> dict[str, Any]:
    ranked = result.ranked
    document = _place(ranked) | {
        "score": ranked.score,
        "vectorScore": ranked.vector_score,
        "textScore": ranked.text_score,
        "decay": ranked.decay,
        "mmrScore": ranked.mmr_score,
        "mmrRank": ranked.mmr_rank,
        "snippet": result.snippet,
        "source": ranked.candidate.source,
        "citation": result.citation,
    }
    if explain:
        document["trace"] = _trace(ranked)
    return document


def _lost(ranked: Ranked) -> dict[str, Any]:
    return _place(ranked) | {"score": ranked.score, "trace": _trace(ranked)}


def _place(ranked: Ranked) -> dict[str, Any]:
    candidate = ranked.candidate
    return {
        "path": candidate.path,
        "startLine": candidate.start_line,
        "endLine": candidate.end_line,
    }


def _trace(ranked: Ranked) -> dict[str, Any]:
    steps = [
        {
            "stage": step.stage,
            "before": step.before,
            "after": step.after,
            "formula": step.formula,
            "inputs": dict(step.inputs),
        }
        for step in ranked.trace.steps
    ]
    return {"steps": steps, "outcome": plain(ranked.trace.outcome)}


def _print(answer: SearchAnswer, explain: bool) -> None:
    for notice in answer.notices:
        say(notice)
    if not answer.results:
        print_lines(["No matches."])
    for result in answer.results:
        place = _place(result.ranked)
        head = f"{result.ranked.score:.3f} {place['path']}:{place['startLine']}-{place['endLine']}"
        print_lines([head, *_explained(result.ranked, explain), result.snippet.rstrip(), ""])
    if explain and answer.ranking.lost:
        print_lines(["below the line"])
        print_lines(_lost_line(ranked) for ranked in answer.ranking.lost)


def _explained(ranked: Ranked, explain: bool) -> list[str]:
    return [f"  {step.stage:7} {step.formula}" for step in ranked.trace.steps] if explain else []


def _lost_line(ranked: Ranked) -> str:
    outcome = ranked.trace.outcome
    reason = getattr(outcome, "reason", "")
    candidate = ranked.candidate
    return f"  {ranked.score:.3f} {candidate.path}:{candidate.start_line}  {reason}"
