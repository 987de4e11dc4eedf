"""The stages that make a score: vector, text, fusion, decay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.ranking.admission import admitted
from engine.ranking.candidate import LegHit
from engine.ranking.decay import age_of
from engine.ranking.entry import Entry
from engine.ranking.formulas import Input
from engine.ranking.fusion import Side, side
from engine.ranking.lexical import Boost, Boosts, boosted
from engine.ranking.naming import note_names, promote
from engine.ranking.scope import Scope
from engine.ranking.settings import RankSettings
from engine.ranking.text_score import text_score
from engine.ranking.trace import Ranked, Step


def scored(scope: Scope, settings: RankSettings) -> tuple[list[Entry], list[Ranked]]:
    """Every candidate inside the configured pool with leg scores and merged score.

    Second come those that were not admitted.
    """
    best = _best_ranks(scope)
    boosts = Boosts(scope, settings)
    entries = [Entry(candidate) for candidate in scope.inside]
    for entry in entries:
        if scope.mode != "keyword":
            _vector(entry, settings)
        _text(entry, scope, settings, best, boosts)
    if settings.file_names:
        note_names(entries, scope, settings)
    entries, early = admitted(entries, settings)
    _fuse(entries, scope, settings)
    if settings.file_names:
        promote(entries)
    return entries, early


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


def _text(
    entry: Entry,
    scope: Scope,
    settings: RankSettings,
    best: Mapping[str, float],
    boosts: Boosts,
) -> None:
    """The best score that a leg gives; with one leg a keyword the best keyword's."""
    hits = entry.candidate.legs
    chosen: tuple[float, float, str, LegHit, Boost | None] | None = None
    for leg in scope.text_legs:
        hit = hits.get(leg)
        if hit is None or not (settings.completion or _listed(hit, settings)):
            continue
        score = text_score(hit.bm25, settings.text_score, best[leg], scope.full.get(leg))
        boost = boosts.of(entry.candidate, leg) if boosts.on else None
        value = score if boost is None else boosted(score, boost)
        if chosen is None or (value, score) > chosen[:2]:
            chosen = value, score, leg, hit, boost
    if chosen is None:
        return
    value, score, leg, hit, boost = chosen
    entry.text = value
    entry.ranked_text = score > 0
    inputs: dict[str, Input] = {
        "rule": settings.text_score,
        "leg": leg,
        "bm25": hit.bm25,
        "best": best[leg],
        "full": scope.full.get(leg),
        "place": hit.position + 1 if hit.position is not None else None,
        "filled_in": not _listed(hit, settings),
    }
    entry.take(Step("text", None, score, inputs))
    if boost is not None:
        entry.lexical, entry.text_from = value, "lexical"
        entry.take(Step("lexical", score, value, boost.inputs))


def _listed(hit: LegHit, settings: RankSettings) -> bool:
    return hit.position is not None and hit.position < settings.pool_size


def _fuse(entries: Sequence[Entry], scope: Scope, settings: RankSettings) -> None:
    rule, vector_weight, text_weight = settings.fusion, scope.vector_weight, scope.text_weight
    vector_side: Side = side(rule, "vector", vector_weight, [e.vector for e in entries])
    text_side: Side = side(rule, "text", text_weight, [e.text for e in entries])
    whole = vector_side
    if any(entry.candidate.media for entry in entries):
        whole = side(rule, "vector", 1.0, [e.vector for e in entries])
    for entry in entries:
        alone = settings.media_whole and entry.candidate.media and entry.text is None
        vector_part, vector_inputs = (whole if alone else vector_side)(entry.vector)
        entry.text_part, text_inputs = text_side(entry.text)
        inputs: dict[str, Input] = {
            "rule": rule,
            "vector": entry.vector,
            "text": entry.text,
            "vector_weight": 1.0 if alone else vector_weight,
            "text_weight": text_weight,
            "vector_part": vector_part,
            "text_part": entry.text_part,
            **vector_inputs,
            **text_inputs,
        }
        if entry.text is not None and entry.text_from != "text":
            inputs["text_from"] = entry.text_from
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
