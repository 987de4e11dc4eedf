"""Every number of a trace can be computed again from the inputs beside it, to the last digit."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from math import erf, exp, log, sqrt

import pytest
from hypothesis import given, settings

from engine.ranking.formulas import Input, describe, number
from engine.ranking.pool import CandidatePool
from engine.ranking.rank import rank
from engine.ranking.settings import RankSettings
from engine.ranking.trace import Kept, Lost, Ranked, Step
from tests.engine.ranking.pools import NOW_MS, drawn_pools, drawn_settings


def _text(step: Step) -> float:
    bm25, best, rule = _number(step, "bm25"), _number(step, "best"), step.inputs["rule"]
    if rule == "documented":
        return 1 / (1 + max(0.0, bm25))
    if rule == "ranked" and bm25 == 0:
        return 0.0
    if rule == "best" and best < 0:
        return max(0.0, bm25 / best)
    if rule == "covered" and best < 0:
        full = step.inputs["full"]
        share = min(1.0, -best / _number(step, "full")) if full else 1.0
        return max(0.0, bm25 / best) * share**2
    return -bm25 / (1 - bm25) if bm25 < 0 else 1 / (1 + bm25)


def _part(step: Step, side: str) -> float:
    inputs = step.inputs
    weight = _number(step, f"{side}_weight")
    if inputs[side] is None:
        return 0.0
    value = _number(step, side)
    if inputs["rule"] == "rrf":
        k, place = _number(step, "k"), _number(step, f"{side}_rank")
        return weight * (k + 1) / (k + place)
    if inputs["rule"] == "zscore":
        mean, spread = _number(step, f"{side}_mean"), _number(step, f"{side}_spread")
        z = (value - mean) / spread if spread else 0.0
        return weight * (0.5 * (1 + erf(z / sqrt(2))))
    return weight * value


def _fusion(step: Step) -> float:
    parts = _part(step, "vector"), _part(step, "text")
    assert parts == (step.inputs["vector_part"], step.inputs["text_part"])
    return parts[0] + parts[1]


def _decay(step: Step) -> float:
    assert step.before is not None
    age, half_life = step.inputs["age_days"], _number(step, "half_life_days")
    factor = 1.0 if age is None else exp(-log(2) / half_life * _number(step, "age_days"))
    assert factor == step.inputs["factor"]
    return step.before * factor


def _lexical(step: Step) -> float:
    assert step.before is not None
    covered = _number(step, "covered")
    words, distinct = _number(step, "words"), _number(step, "distinct")
    coverage = 0.45 * covered / words if words else 0.0
    density = 0.2 * covered / distinct if distinct else 0.0
    length = min(_number(step, "length") / 160, 0.18)
    boost = coverage + density + 0.18 * _number(step, "in_path") + length
    return min(1.0, step.before + boost)


def _path(step: Step) -> float:
    bm25 = _number(step, "bm25")
    return -bm25 / (1 - bm25) if bm25 < 0 else 1.0


def _name(step: Step) -> float:
    assert step.before is not None
    return (1 + min(1.0, step.before)) / 2


def _importance(step: Step) -> float:
    assert step.before is not None
    factor = 0.75 + 0.05 * _number(step, "importance")
    assert factor == step.inputs["factor"]
    return step.before * factor


def _project(step: Step) -> float:
    assert step.before is not None
    own, active = (str(step.inputs[key]).split("; ") for key in ("projects", "active"))
    factor = 1.15 if set(own) <= set(active) else 0.9
    assert factor == step.inputs["factor"]
    return step.before * factor


def _mmr(step: Step) -> float | None:
    lambda_, relevance = _number(step, "lambda"), _number(step, "relevance")
    overlap = _number(step, "overlap")
    assert step.inputs["value"] == lambda_ * relevance - (1 - lambda_) * overlap
    if step.inputs["rule"] == "minmax" and step.inputs["low"] != step.inputs["high"]:
        low, high = _number(step, "low"), _number(step, "high")
        assert step.before is not None
        assert relevance == (step.before - low) / (high - low)
    return step.before


def _cut(step: Step) -> float | None:
    assert step.before is not None
    assert step.inputs["margin"] == step.before - _number(step, "minimum")
    return step.before


RECOMPUTE: Mapping[str, Callable[[Step], float | None]] = {
    "vector": lambda step: _number(step, "cosine"),
    "text": _text,
    "lexical": _lexical,
    "path": _path,
    "fusion": _fusion,
    "name": _name,
    "order": lambda step: _number(step, "lexical"),
    "decay": _decay,
    "importance": _importance,
    "project": _project,
    "mmr": _mmr,
    "shown": lambda step: _number(step, "value") * _number(step, "factor"),
    "cut": _cut,
    "limit": lambda step: step.before,
    "pool": lambda step: None,
}


OF_A_LEG = ("vector", "text", "lexical", "path", "pool")


def _number(step: Step, key: str) -> float:
    value = step.inputs[key]
    assert isinstance(value, (int, float)), key
    return value


def _all(pool: CandidatePool, recipe: RankSettings) -> list[Ranked]:
    ranking = rank(pool, recipe, NOW_MS)
    return [*ranking.kept, *ranking.lost]


@given(drawn_pools(), drawn_settings())
@settings(max_examples=100, deadline=None)
def test_each_step_is_computed_again_from_its_inputs(
    pool: CandidatePool, recipe: RankSettings
) -> None:
    for ranked in _all(pool, recipe):
        for step in ranked.trace.steps:
            assert step.after == RECOMPUTE[step.stage](step), step
        _assert_chained(ranked)


def _assert_chained(ranked: Ranked) -> None:
    """A step begins where the one before ended; the merge begins with the legs' scores."""
    merged = [s for s in ranked.trace.steps if s.stage not in OF_A_LEG]
    for earlier, later in pairwise(merged):
        assert later.before == earlier.after
    if merged:
        assert merged[0].inputs["vector"] == ranked.vector_score
        assert merged[0].inputs["text"] == _given(ranked, merged[0])
        assert ranked.score == merged[-1].after


def _given(ranked: Ranked, fusion: Step) -> float | None:
    """The keyword side of the merge, from the step that it says it comes from."""
    source = fusion.inputs.get("text_from", "text")
    if source == "nothing":
        return 0.0
    step = ranked.trace.step("lexical" if source == "lexical" else "path")
    return ranked.text_score if source == "text" or step is None else step.after


@given(drawn_pools(), drawn_settings())
@settings(max_examples=60, deadline=None)
def test_every_candidate_ends_once_and_says_how(pool: CandidatePool, recipe: RankSettings) -> None:
    ranking = rank(pool, recipe, NOW_MS)
    names = [ranked.candidate.chunk_id for ranked in (*ranking.kept, *ranking.lost)]
    wanted = [c.chunk_id for c in pool.candidates if recipe.source in (None, c.source)]
    assert sorted(names) == sorted(wanted)
    assert len(ranking.lost) == len(list(ranking.lost))
    assert [ranked.rank for ranked in ranking.kept] == list(range(1, len(ranking.kept) + 1))
    assert len(ranking.kept) <= recipe.max_results
    for ranked in (*ranking.kept, *ranking.lost):
        outcome = ranked.trace.outcome
        assert isinstance(outcome, Kept) or (isinstance(outcome, Lost) and outcome.reason)
        assert all(step.formula for step in ranked.trace.steps)


@given(drawn_pools(), drawn_settings())
@settings(max_examples=40, deadline=None)
def test_ranking_twice_gives_the_same(pool: CandidatePool, recipe: RankSettings) -> None:
    assert rank(pool, recipe, NOW_MS) == rank(pool, recipe, NOW_MS)


@given(drawn_pools(), drawn_settings())
@settings(max_examples=60, deadline=None)
def test_the_pool_holds_no_more_than_its_size_a_leg(
    pool: CandidatePool, recipe: RankSettings
) -> None:
    ranking = rank(pool, recipe, NOW_MS)
    inside = [r for r in (*ranking.kept, *ranking.lost) if r.trace.step("pool") is None]
    legs = 2 + sum(leg.name.startswith(("keyword:", "path")) for leg in pool.legs)
    assert len(inside) <= recipe.pool_size * legs
    for ranked in ranking.lost:
        if ranked.trace.step("pool") is not None:  # others were in it, and left early
            assert ranked.score == 0.0
            assert [step.stage for step in ranked.trace.steps] == ["pool"]


@pytest.mark.parametrize(
    ("value", "places", "told"),
    [(-0.0004, 2, ".00"), (0.0, 3, ".000"), (-0.05, 3, "-.050"), (-6.13, 3, "-6.130")],
)
def test_a_number_never_reads_as_less_than_nothing_but_zeros(
    value: float, places: int, told: str
) -> None:
    assert number(value, places) == told


def test_a_bm25_at_its_floor_keeps_the_digits_that_it_has() -> None:
    inputs: dict[str, Input] = {
        "bm25": -0.0000012,
        "best": -0.0000024,
        "rule": "best",
        "place": 1,
        "filled_in": False,
    }
    assert describe("text", None, 0.5, inputs).startswith(
        "bm25 -1.2e-06: -1.2e-06 / -2.4e-06 = .500"
    )
