"""What a configuration changes of a profile, where that was set, and what is not listened to."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.config.resolved import Provenance, ResolvedConfig
from engine.ranking.profiles import PROFILES
from engine.retrieval.differences import differences, unheeded
from tests.engine.config.desk import Desk

HYBRID = "query.hybrid"


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def told(config: ResolvedConfig, name: str | None = None) -> dict[str, tuple[object, object, str]]:
    """Value, the profile's value and the layer, by key."""
    found = differences(config, name)
    return {each.key: (each.value, each.profile_value, each.source.layer) for each in found}


@pytest.mark.parametrize("era", ["2026.2", "2026.3", "2026.7", "2026.9", "memlens"])
def test_an_era_with_its_own_profile_differs_in_nothing(desk: Desk, era: str) -> None:
    config = desk.resolve(era=era)
    assert (differences(config), unheeded(config)) == ((), ())


def test_each_layer_is_named_with_its_line(desk: Desk) -> None:
    agent = desk.memory_search({"query": {"minScore": 0.2, "hybrid": {"mmr": {"enabled": True}}}})
    user = desk.user_file('{\n  cut: {relaxation: "none"},\n}')
    config = desk.resolve("query.maxResults=9", era="2026.3")
    assert told(config) == {
        "query.maxResults": (9, 6, "--set"),
        "query.minScore": (0.2, 0.35, "agent config"),
        f"{HYBRID}.mmr.enabled": (True, False, "agent config"),
        "cut.relaxation": ("none", "keyword", "user settings"),
    }
    places = {each.key: each.source for each in differences(config)}
    assert places["query.minScore"] == Provenance("agent config", agent, 6)
    assert places["cut.relaxation"] == Provenance("user settings", user, 2)


def test_what_is_set_to_what_the_profile_has_is_no_difference(desk: Desk) -> None:
    assert told(desk.resolve(f"{HYBRID}.temporalDecay.enabled=true", era="2026.9")) == {}
    off = desk.resolve(f"{HYBRID}.temporalDecay.enabled=false", era="2026.9")
    assert told(off) == {f"{HYBRID}.temporalDecay.enabled": (False, True, "--set")}


def test_a_setting_that_moves_two_is_told_for_both(desk: Desk) -> None:
    config = desk.resolve(f"{HYBRID}.textWeight=0.7", era="memlens")
    assert told(config) == {
        f"{HYBRID}.vectorWeight": (pytest.approx(0.5), 0.7, "--set"),
        f"{HYBRID}.textWeight": (pytest.approx(0.5), 0.3, "--set"),
    }
    config = desk.resolve(f"{HYBRID}.candidateMultiplier=3", era="2026.9")
    assert told(config) == {
        f"{HYBRID}.candidateMultiplier": (3, 4, "--set"),
        "pool": (None, 200, "--set"),
    }


def test_what_the_era_brings_into_another_profile_is_told(desk: Desk) -> None:
    config = desk.resolve(era="2026.3", profile="tuned")
    assert told(config) == {
        "decay.paths": ("strict", "wide", "era"),
        "snippet": ("head", "window", "era"),
    }


def test_tuned_says_which_settings_of_the_agent_it_does_not_hear(desk: Desk) -> None:
    agent = desk.memory_search({"query": {"minScore": 0.9}, "model": "m"})
    config = desk.resolve(f"{HYBRID}.mmr.lambda=0.5", era="memlens")
    assert told(config) == {f"{HYBRID}.mmr.lambda": (0.5, 0.7, "--set")}
    (deaf,) = unheeded(config)
    assert (deaf.key, deaf.value) == ("query.minScore", 0.9)
    assert deaf.source == Provenance("agent config", agent, 6)
    assert unheeded(config, "2026.3") == ()
    assert "query.minScore" in told(config, "2026.3")


def test_every_profile_can_be_asked_about(desk: Desk) -> None:
    config = desk.resolve(f"{HYBRID}.enabled=false")
    for name in PROFILES:
        assert told(config, name)[f"{HYBRID}.enabled"] == (False, True, "--set")
