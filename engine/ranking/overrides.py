"""Changing single ranking settings by their keys, as configuration and ``--set`` spell them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import isfinite
from typing import Any, get_args

from engine.errors import ConfigError
from engine.ranking.settings import (
    Boost,
    CutRule,
    DecayPaths,
    Fusion,
    Join,
    MmrRelevance,
    MmrTokens,
    RankSettings,
    Relaxation,
    ShortWords,
    SingleLeg,
    SnippetRule,
    TextScore,
    WeakHits,
)

Change = Callable[[RankSettings, str, Any], RankSettings]

VECTOR_WEIGHT = "query.hybrid.vectorWeight"
TEXT_WEIGHT = "query.hybrid.textWeight"
DEFAULT_WEIGHTS = (0.7, 0.3)


def override(settings: RankSettings, values: Mapping[str, Any]) -> RankSettings:
    """Settings with the given keys changed; keys that do not concern ranking are passed over.

    Numbers are clamped as the documents say. Raises ConfigError for a value of the
    wrong kind, naming the key and what it takes.
    """
    for key, value in values.items():
        change = _CHANGES.get(key)
        if change is not None:
            settings = change(settings, key, value)
    if VECTOR_WEIGHT in values or TEXT_WEIGHT in values:
        vector = _number(VECTOR_WEIGHT, values.get(VECTOR_WEIGHT, settings.vector_weight))
        text = _number(TEXT_WEIGHT, values.get(TEXT_WEIGHT, settings.text_weight))
        vector, text = normalised_weights(vector, text)
        settings = replace(settings, vector_weight=vector, text_weight=text)
    return settings


def normalised_weights(vector: float, text: float) -> tuple[float, float]:
    """Both clamped to 0..1 first, then divided by their sum; 0.7 and 0.3 when that is 0."""
    vector, text = _clamp(vector, 0, 1), _clamp(text, 0, 1)
    total = vector + text
    return (vector / total, text / total) if total else DEFAULT_WEIGHTS


def ranking_keys() -> Sequence[str]:
    """Every key that ``override`` knows."""
    return (VECTOR_WEIGHT, TEXT_WEIGHT, *_CHANGES)


def _clamp(value: float, low: float, high: float) -> float:
    return max(low, min(high, value))


def _number(key: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not isfinite(value):
        raise _refusal(key, value, "a number")
    return float(value)


def _whole(key: str, value: Any, low: int, high: int | None = None) -> int:
    number = int(_number(key, value) // 1)
    return max(low, number if high is None else min(high, number))


def _flag(key: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise _refusal(key, value, "true or false")
    return value


def _refusal(key: str, value: Any, wanted: str) -> ConfigError:
    return ConfigError("Wrong value", f"{key} is {value!r}.", f"{key} takes {wanted}.")


def _choice(kind: Any, set_: Callable[[RankSettings, Any], RankSettings]) -> Change:
    """A change by one of the words of a Literal type."""

    def change(settings: RankSettings, key: str, value: Any) -> RankSettings:
        if value not in get_args(kind):
            raise _refusal(key, value, "one of " + ", ".join(get_args(kind)))
        return set_(settings, value)

    return change


def _switch(set_: Callable[[RankSettings, bool], RankSettings]) -> Change:
    return lambda settings, key, value: set_(settings, _flag(key, value))


def _share(set_: Callable[[RankSettings, float], RankSettings]) -> Change:
    return lambda settings, key, value: set_(settings, _clamp(_number(key, value), 0, 1))


def _count(
    set_: Callable[[RankSettings, int], RankSettings], low: int, high: int | None = None
) -> Change:
    return lambda settings, key, value: set_(settings, _whole(key, value, low, high))


def _paths(settings: RankSettings, key: str, value: Any) -> RankSettings:
    if not isinstance(value, (list, tuple)) or not all(isinstance(path, str) for path in value):
        raise _refusal(key, value, "a list of paths")
    return replace(settings, decay=replace(settings.decay, evergreen=tuple(value)))


def _projects(settings: RankSettings, key: str, value: Any) -> RankSettings:
    if not isinstance(value, (list, tuple)) or not all(isinstance(name, str) for name in value):
        raise _refusal(key, value, "a list of project keys")
    return replace(settings, active_projects=tuple(name.strip().lower() for name in value))


_CHANGES: Mapping[str, Change] = {
    "query.maxResults": _count(lambda s, v: replace(s, max_results=v), 1),
    "query.minScore": _share(lambda s, v: replace(s, cut=replace(s.cut, min_score=v))),
    "query.hybrid.enabled": _switch(lambda s, v: replace(s, hybrid=v)),
    "query.hybrid.candidateMultiplier": _count(
        lambda s, v: replace(s, candidate_multiplier=v, pool=None), 1, 20
    ),
    "query.hybrid.mmr.enabled": _switch(lambda s, v: replace(s, mmr=replace(s.mmr, enabled=v))),
    "query.hybrid.mmr.lambda": _share(lambda s, v: replace(s, mmr=replace(s.mmr, lambda_=v))),
    "query.hybrid.temporalDecay.enabled": _switch(
        lambda s, v: replace(s, decay=replace(s.decay, enabled=v))
    ),
    "query.hybrid.temporalDecay.halfLifeDays": _count(
        lambda s, v: replace(s, decay=replace(s.decay, half_life_days=v)), 1
    ),
    "join": _choice(Join, lambda s, v: replace(s, join=v)),
    "textScore": _choice(TextScore, lambda s, v: replace(s, text_score=v)),
    "fusion": _choice(Fusion, lambda s, v: replace(s, fusion=v)),
    "completion": _switch(lambda s, v: replace(s, completion=v)),
    "singleLeg": _choice(SingleLeg, lambda s, v: replace(s, single_leg=v)),
    "cut.rule": _choice(CutRule, lambda s, v: replace(s, cut=replace(s.cut, rule=v))),
    "cut.relaxation": _choice(
        Relaxation, lambda s, v: replace(s, cut=replace(s.cut, relaxation=v))
    ),
    "cut.weak": _choice(WeakHits, lambda s, v: replace(s, cut=replace(s.cut, weak=v))),
    "decay.paths": _choice(DecayPaths, lambda s, v: replace(s, decay=replace(s.decay, paths=v))),
    "decay.evergreen": _paths,
    "mmr.relevance": _choice(
        MmrRelevance, lambda s, v: replace(s, mmr=replace(s.mmr, relevance=v))
    ),
    "mmr.tokens": _choice(MmrTokens, lambda s, v: replace(s, mmr=replace(s.mmr, tokens=v))),
    "boost": _choice(Boost, lambda s, v: replace(s, boost=v)),
    "shortWords": _choice(ShortWords, lambda s, v: replace(s, short_words=v)),
    "fileNames": _switch(lambda s, v: replace(s, file_names=v)),
    "annotations": _switch(lambda s, v: replace(s, annotations=v)),
    "activeProjects": _projects,
    "pool": _count(lambda s, v: replace(s, pool=v), 1, 200),
    "snippet": _choice(SnippetRule, lambda s, v: replace(s, snippet=v)),
}
