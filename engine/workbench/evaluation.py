"""How good a ranking is on judged queries."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import TYPE_CHECKING

from engine.metrics.evidence import evidence
from engine.metrics.ranked_gain import ndcg, recall, reciprocal_rank
from engine.ranking.trace import Lost
from engine.workbench.judgements import JudgedQuery, RelevantLines

if TYPE_CHECKING:
    from engine.memory import MemoryEngine
    from engine.ranking.settings import RankSettings
    from engine.ranking.trace import Ranked, Ranking
    from engine.store.contract import ChunkRow

DEPTH = 10
FIRST = 6
"""The number of results an agent gets by default: evidence and recall are asked there."""


@dataclass(frozen=True, slots=True)
class QueryOutcome:
    """One judged query: its measures, how many items were looked at, how many unjudged."""

    query: JudgedQuery
    metrics: Mapping[str, float]
    found: tuple[Ranked, ...]
    unjudged: int


@dataclass(frozen=True, slots=True)
class Evaluation:
    """All queries of a set under one ranking; means are over queries."""

    outcomes: tuple[QueryOutcome, ...]

    @property
    def metrics(self) -> dict[str, float]:
        """The mean of each measure."""
        return means(self.outcomes)

    @property
    def by_category(self) -> dict[str, dict[str, float]]:
        """The means of each category, by name."""
        names = sorted({outcome.query.category for outcome in self.outcomes})
        return {
            name: means([o for o in self.outcomes if o.query.category == name]) for name in names
        }


def means(outcomes: Sequence[QueryOutcome]) -> dict[str, float]:
    """The mean of each measure over some queries; empty without any."""
    if not outcomes:
        return {}
    return {
        name: fmean(outcome.metrics[name] for outcome in outcomes) for name in outcomes[0].metrics
    }


def evaluate(
    engine: MemoryEngine,
    queries: Iterable[JudgedQuery],
    settings: RankSettings,
    *,
    depth: int = DEPTH,
    cut: bool = False,
    tick: Callable[[], None] = lambda: None,
) -> Evaluation:
    """Search every query and measure the first ``depth`` results.

    The pool stays as configured, only the cut at maxResults moves to ``depth``; without
    ``cut`` no minimum score applies. ``tick`` is called after each query.
    """
    chunks = _by_path(engine.store.reader.chunks())
    asked = settings if cut else without_minimum(settings)
    outcomes = []
    for query in queries:
        ranking = engine.rank(engine.retrieve(query.query, asked), asked)
        outcomes.append(_outcome(query, first(ranking, depth), chunks, depth))
        tick()
    return Evaluation(tuple(outcomes))


def without_minimum(settings: RankSettings) -> RankSettings:
    """The same ranking with nothing cut for its score."""
    return replace(settings, cut=replace(settings.cut, min_score=0.0, weak="show"))


def first(ranking: Ranking, depth: int) -> tuple[Ranked, ...]:
    """The first ``depth`` of a ranking, going on below the cut at maxResults."""
    beyond = [ranked for ranked in ranking.lost if _beyond_limit(ranked)]
    return (*ranking.kept, *beyond)[:depth]


def _beyond_limit(ranked: Ranked) -> bool:
    outcome = ranked.trace.outcome
    return isinstance(outcome, Lost) and outcome.stage == "limit"


def _by_path(chunks: Iterable[ChunkRow]) -> dict[str, list[tuple[int, int]]]:
    spans: dict[str, list[tuple[int, int]]] = {}
    for chunk in chunks:
        spans.setdefault(chunk.path, []).append((chunk.start_line, chunk.end_line))
    return spans


def _outcome(
    query: JudgedQuery,
    found: tuple[Ranked, ...],
    chunks: Mapping[str, Sequence[tuple[int, int]]],
    depth: int,
) -> QueryOutcome:
    places = [(r.candidate.path, r.candidate.start_line, r.candidate.end_line) for r in found]
    hits = [_overlapping(query.relevant, *place) for place in places]
    gains = [max((lines.grade for lines in hit), default=0.0) for hit in hits]
    judged = [
        max(lines.grade for lines in hit)
        for path, spans in chunks.items()
        for span in spans
        if (hit := _overlapping(query.relevant, path, *span))
    ]
    facts = [{lines.ref for lines in hit} for hit in hits]
    metrics = {
        f"evidence@{FIRST}": evidence(facts, query.facts, FIRST),
        f"recall@{FIRST}": recall(gains, len(judged), FIRST),
        f"MRR@{depth}": reciprocal_rank(gains, depth),
        f"nDCG@{depth}": ndcg(gains, judged, depth),
        "first": float(bool(gains) and gains[0] > 0),
    }
    return QueryOutcome(query, metrics, found, sum(not hit for hit in hits))


def _overlapping(
    relevant: Iterable[RelevantLines], path: str, start: int, end: int
) -> list[RelevantLines]:
    return [
        lines
        for lines in relevant
        if lines.path == path and lines.start_line <= end and start <= lines.end_line
    ]
