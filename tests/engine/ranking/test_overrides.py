from __future__ import annotations

import pytest

from engine.errors import ConfigError
from engine.ranking.knobs import knobs_of
from engine.ranking.overrides import normalised_weights, override, ranking_keys
from engine.ranking.profiles import DOCUMENTED, PROFILES, TUNED
from engine.ranking.settings import RankSettings


def test_weights_are_clamped_first_then_divided_by_their_sum() -> None:
    assert normalised_weights(3, 1) == (0.5, 0.5)
    assert normalised_weights(0.6, 0.3) == pytest.approx((0.6667, 0.3333), abs=1e-4)
    assert normalised_weights(-1, 0.5) == (0, 1)
    assert normalised_weights(0, 0) == (0.7, 0.3)


def test_one_weight_alone_meets_the_other_as_it_was() -> None:
    changed = override(DOCUMENTED, {"query.hybrid.vectorWeight": 0.6})
    assert changed.vector_weight == pytest.approx(2 / 3)


@pytest.mark.parametrize(("given", "taken"), [(2.9, 2), (100, 20), (0, 1), (-3, 1)])
def test_the_multiplier_is_floored_and_clamped(given: float, taken: int) -> None:
    key = "query.hybrid.candidateMultiplier"
    assert override(DOCUMENTED, {key: given}).candidate_multiplier == taken


def test_all_documented_keys_and_our_own_arrive() -> None:
    changed = override(
        TUNED,
        {
            "query.maxResults": 10,
            "query.minScore": 2,
            "query.hybrid.enabled": False,
            "query.hybrid.mmr.enabled": True,
            "query.hybrid.mmr.lambda": 0.4,
            "query.hybrid.temporalDecay.enabled": True,
            "query.hybrid.temporalDecay.halfLifeDays": 0.5,
            "join": "and",
            "textScore": "saturating",
            "fusion": "rrf",
            "completion": False,
            "singleLeg": "bare",
            "snippet": "head",
            "cut.rule": "fixed",
            "cut.relaxation": "none",
            "cut.weak": "hide",
            "decay.paths": "strict",
            "decay.evergreen": ["memory/plan.md"],
            "mmr.relevance": "minmax",
            "mmr.tokens": "ascii",
            "provider": "openai",
        },
    )
    assert (changed.max_results, changed.cut.min_score, changed.hybrid) == (10, 1, False)
    assert (changed.mmr.enabled, changed.mmr.lambda_) == (True, 0.4)
    assert (changed.mmr.relevance, changed.mmr.tokens) == ("minmax", "ascii")
    assert (changed.decay.enabled, changed.decay.half_life_days) == (True, 1)
    assert (changed.decay.paths, changed.decay.evergreen) == ("strict", ("memory/plan.md",))
    assert (changed.join, changed.text_score, changed.fusion) == ("and", "saturating", "rrf")
    assert (changed.completion, changed.single_leg, changed.snippet) == (False, "bare", "head")
    assert (changed.cut.rule, changed.cut.relaxation) == ("fixed", "none")
    assert (changed.cut.weak, changed.profile) == ("hide", "tuned")


@pytest.mark.parametrize("of", PROFILES.values(), ids=list(PROFILES))
def test_every_key_can_be_read_and_put_into_another_profile(of: RankSettings) -> None:
    knobs = knobs_of(of)
    assert knobs.keys() == set(ranking_keys())
    known = {key: value for key, value in knobs.items() if value is not None}
    for base in PROFILES.values():
        assert {**knobs_of(override(base, known)), "pool": None} == {**knobs, "pool": None}


@pytest.mark.parametrize(
    ("key", "value", "takes"),
    [
        ("query.minScore", "high", "a number"),
        ("query.minScore", True, "a number"),
        ("query.minScore", float("nan"), "a number"),
        ("query.hybrid.enabled", 1, "true or false"),
        ("fusion", "sum", "weighted, rrf, zscore"),
        ("decay.evergreen", "memory/a.md", "a list of paths"),
    ],
)
def test_a_wrong_value_is_refused_by_key(key: str, value: object, takes: str) -> None:
    with pytest.raises(ConfigError) as caught:
        override(TUNED, {key: value})
    assert key in caught.value.message
    assert takes in caught.value.hint


def test_the_keys_that_are_known_can_be_listed() -> None:
    assert "query.hybrid.vectorWeight" in ranking_keys()
    assert "decay.paths" in ranking_keys()
