"""The stages that make a score: vector, text, fusion, decay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.ranking.candidate import LegHit
from engine.ranking.decay import age_of
from engine.ranking.entry import Entry
from engine.ranking.formulas import Input
from engine.ranking.fusion import Side, side
from engine.ranking.scope import Scope
from engine.ranking.settings import RankSettings
from engine.ranking.text_score import text_score
from engine.ranking.trace import Step


def scored(scope: Scope, settings: RankSettings) -> list[Entry]:
    """Every candidate inside the configured pool with leg scores and merged score."""
    best = _best_ranks(scope)
    entries = [Entry(candidate) for candidate in scope.inside]
    for entry in entries:
        if scope.mode != "keyword":
            _vector(entry, settings)
        _text(entry, scope, settings, best)
    _fuse(entries, scope, settings)
    return entries


def _vector(entry: Entry, settings: RankSettings) -> None:
    candidate = entry.candidate
    at = candidate.vector_position
    listed = at is not None and at < settings.pool_size
    if candidate.cosine is None or not (listed or settings.completion):
        return
    entry.vector = candidate.cosine
    inputs: dict[str, Input] = {
        "cosine": candidate.cosine,
        "place": at + 1 if at is not None else None,
        "filled_in": not listed,
    }
    entry.take(Step("vector", None, candidate.cosine, inputs))


def _best_ranks(scope: Scope) -> Mapping[str, float]:
    """The best raw rank of each leg; whoever has it is inside any pool."""
    return {
        leg: min((c.legs[leg].bm25 for c in scope.inside if leg in c.legs), default=0.0)
        for leg in scope.text_legs
    }


def _text(entry: Entry, scope: Scope, settings: RankSettings, best: Mapping[str, float]) -> None:
    """The best text score that a leg gives; with one leg a keyword the best keyword's."""
    hits = entry.candidate.legs
    chosen: tuple[float, str, LegHit] | None = None
    for leg in scope.text_legs:
        hit = hits.get(leg)
        if hit is None or not (settings.completion or _listed(hit, settings)):
            continue
        score = text_score(hit.bm25, settings.text_score, best[leg])
        if chosen is None or score > chosen[0]:
            chosen = score, leg, hit
    if chosen is None:
        return
    entry.text, leg, hit = chosen
    inputs: dict[str, Input] = {
        "rule": settings.text_score,
        "leg": leg,
        "bm25": hit.bm25,
        "best": best[leg],
        "place": hit.position + 1 if hit.position is not None else None,
        "filled_in": not _listed(hit, settings),
    }
    entry.take(Step("text", None, entry.text, inputs))


def _listed(hit: LegHit, settings: RankSettings) -> bool:
    return hit.position is not None and hit.position < settings.pool_size


def _fuse(entries: Sequence[Entry], scope: Scope, settings: RankSettings) -> None:
    rule, vector_weight, text_weight = settings.fusion, scope.vector_weight, scope.text_weight
    vector_side: Side = side(rule, "vector", vector_weight, [e.vector for e in entries])
    text_side: Side = side(rule, "text", text_weight, [e.text for e in entries])
    for entry in entries:
        vector_part, vector_inputs = vector_side(entry.vector)
        entry.text_part, text_inputs = text_side(entry.text)
        inputs: dict[str, Input] = {
            "rule": rule,
            "vector": entry.vector,
            "text": entry.text,
            "vector_weight": vector_weight,
            "text_weight": text_weight,
            "vector_part": vector_part,
            "text_part": entry.text_part,
            **vector_inputs,
            **text_inputs,
        }
        entry.take(Step("fusion", None, vector_part + entry.text_part, inputs))


def decay(entries: Sequence[Entry], settings: RankSettings, now_ms: float) -> None:
    """Let every candidate lose score by its age; evergreen ones pass with factor 1."""
    for entry in entries:
        candidate, before = entry.candidate, entry.score
        age = age_of(candidate.path, candidate.source, candidate.mtime_ms, settings.decay, now_ms)
        inputs: dict[str, Input] = {
            "factor": age.factor,
            "by": age.by,
            "date": age.date,
            "age_days": age.days,
            "half_life_days": settings.decay.half_life_days,
        }
        entry.text_part *= age.factor
        entry.take(Step("decay", before, before * age.factor, inputs))
