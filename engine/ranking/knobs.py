"""The ranking settings as configuration spells them: what each key holds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.ranking.overrides import TEXT_WEIGHT, VECTOR_WEIGHT
from engine.ranking.settings import RankSettings


def knobs_of(settings: RankSettings) -> Mapping[str, Any]:
    """Every key that ``override`` takes, with its value; JSON-ready."""
    hybrid, cut, decay, mmr = "query.hybrid", settings.cut, settings.decay, settings.mmr
    return {
        "query.maxResults": settings.max_results,
        "query.minScore": cut.min_score,
        f"{hybrid}.enabled": settings.hybrid,
        VECTOR_WEIGHT: settings.vector_weight,
        TEXT_WEIGHT: settings.text_weight,
        f"{hybrid}.candidateMultiplier": settings.candidate_multiplier,
        f"{hybrid}.mmr.enabled": mmr.enabled,
        f"{hybrid}.mmr.lambda": mmr.lambda_,
        f"{hybrid}.temporalDecay.enabled": decay.enabled,
        f"{hybrid}.temporalDecay.halfLifeDays": decay.half_life_days,
        "join": settings.join,
        "textScore": settings.text_score,
        "fusion": settings.fusion,
        "completion": settings.completion,
        "singleLeg": settings.single_leg,
        "cut.rule": cut.rule,
        "cut.relaxation": cut.relaxation,
        "cut.weak": cut.weak,
        "decay.paths": decay.paths,
        "decay.evergreen": list(decay.evergreen),
        "mmr.relevance": mmr.relevance,
        "mmr.tokens": mmr.tokens,
        "boost": settings.boost,
        "shortWords": settings.short_words,
        "fileNames": settings.file_names,
        "annotations": settings.annotations,
        "activeProjects": list(settings.active_projects),
        "pool": settings.pool,
        "snippet": settings.snippet,
    }
