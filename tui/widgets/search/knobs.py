"""The knobs of the Search screen, in the order in which they stand there."""

from __future__ import annotations

from dataclasses import replace

from engine.ranking.settings import RankSettings
from tui.widgets.search.knob import Knob
from tui.widgets.search.numbers import days, short

PROFILE = "profile"
WEIGHTS = "weights"
HYBRID = "hybrid"


def _with_weight(settings: RankSettings, vector: float) -> RankSettings:
    return replace(settings, vector_weight=vector, text_weight=round(1.0 - vector, 6))


def _weights(settings: RankSettings, wide: bool) -> str:
    vector, text = short(settings.vector_weight), short(settings.text_weight)
    return f"vector {vector}  text {text}" if wide else f"vec {vector} txt {text}"


def _with_min(settings: RankSettings, value: float) -> RankSettings:
    return replace(settings, cut=replace(settings.cut, min_score=value))


def _min(settings: RankSettings, wide: bool) -> str:
    return f"{'min score' if wide else 'min'} {short(settings.cut.min_score)}"


def _results(settings: RankSettings, wide: bool) -> str:
    return f"{'results' if wide else 'top'} {settings.max_results}"


def _multiplier(settings: RankSettings, wide: bool) -> str:
    return f"pool ×{settings.candidate_multiplier}" if wide else f"×{settings.candidate_multiplier}"


def _with_half_life(settings: RankSettings, value: float) -> RankSettings:
    return replace(settings, decay=replace(settings.decay, half_life_days=value))


def _decay_on(settings: RankSettings, on: bool) -> RankSettings:
    return replace(settings, decay=replace(settings.decay, enabled=on))


def _decay(settings: RankSettings, wide: bool) -> str:
    if not settings.decay.enabled:
        return "decay off"
    return f"decay {days(settings.decay.half_life_days)}{' days' if wide else 'd'}"


def _with_lambda(settings: RankSettings, value: float) -> RankSettings:
    return replace(settings, mmr=replace(settings.mmr, lambda_=value))


def _mmr_on(settings: RankSettings, on: bool) -> RankSettings:
    return replace(settings, mmr=replace(settings.mmr, enabled=on))


def _mmr(settings: RankSettings, wide: bool) -> str:
    if not settings.mmr.enabled:
        return "mmr off"
    return f"{'mmr λ' if wide else 'mmr'} {short(settings.mmr.lambda_)}"


KNOBS = (
    Knob(
        WEIGHTS,
        "vector against text weight",
        0.0,
        1.0,
        0.05,
        0.2,
        lambda settings: settings.vector_weight,
        _with_weight,
        _weights,
    ),
    Knob(
        "min-score",
        "minimum score",
        0.0,
        1.0,
        0.01,
        0.1,
        lambda settings: settings.cut.min_score,
        _with_min,
        _min,
    ),
    Knob(
        "max-results",
        "number of results",
        1,
        50,
        1,
        5,
        lambda settings: settings.max_results,
        lambda settings, value: replace(settings, max_results=int(value)),
        _results,
    ),
    Knob(
        "multiplier",
        "candidates fetched per result",
        1,
        20,
        1,
        5,
        lambda settings: settings.candidate_multiplier,
        lambda settings, value: replace(settings, candidate_multiplier=int(value)),
        _multiplier,
    ),
    Knob(
        "decay",
        "decay with age, half life in days",
        1,
        3650,
        1,
        10,
        lambda settings: settings.decay.half_life_days,
        _with_half_life,
        _decay,
        lambda settings: settings.decay.enabled,
        _decay_on,
    ),
    Knob(
        "mmr",
        "diversity (MMR) and its lambda",
        0.0,
        1.0,
        0.05,
        0.2,
        lambda settings: settings.mmr.lambda_,
        _with_lambda,
        _mmr,
        lambda settings: settings.mmr.enabled,
        _mmr_on,
    ),
)
BY_NAME = {knob.name: knob for knob in KNOBS}
NAMES = (*BY_NAME, PROFILE)
