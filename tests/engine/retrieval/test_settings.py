"""Whose keys move which profile."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.errors import ConfigError
from engine.ranking.settings import RankSettings
from tests.engine.agent_home import AgentHome

AGENT = {
    "query": {
        "maxResults": 9,
        "minScore": 0.2,
        "hybrid": {"vectorWeight": 0.5, "textWeight": 0.5, "mmr": {"enabled": True}},
    }
}


def _settings(tmp_path: Path, profile: str, *own: str, stamp: str | None = None) -> RankSettings:
    home = AgentHome(tmp_path)
    others = {"meta": {"lastTouchedVersion": stamp}} if stamp else {}
    home.configure({"provider": "none", **AGENT}, **others)
    with home.open(*own) as engine:
        return engine.rank_settings(profile)


def test_the_agents_keys_move_the_parity_profiles(tmp_path: Path) -> None:
    for profile in ("documented", "2026.3"):
        found = _settings(tmp_path, profile)
        assert (found.profile, found.max_results, found.cut.min_score) == (profile, 9, 0.2)
        assert (found.vector_weight, found.text_weight, found.mmr.enabled) == (0.5, 0.5, True)


def test_tuned_listens_only_to_our_own_settings(tmp_path: Path) -> None:
    found = _settings(tmp_path, "tuned")
    assert (found.max_results, found.vector_weight, found.mmr.enabled) == (6, 0.7, False)
    found = _settings(tmp_path, "tuned", "query.maxResults=3", "query.hybrid.textWeight=0.7")
    assert found.max_results == 3
    assert found.text_weight == pytest.approx(0.5)


def test_our_own_settings_move_every_profile_last(tmp_path: Path) -> None:
    found = _settings(tmp_path, "2026.3", "query.maxResults=3", "join=or", "cut.weak=hide")
    assert (found.max_results, found.join, found.cut.weak) == (3, "or", "hide")
    assert found.cut.min_score == 0.2


def test_the_era_brings_snippet_and_dated_names_unless_set_by_hand(tmp_path: Path) -> None:
    found = _settings(tmp_path, "tuned", stamp="2026.2.9")
    assert (found.snippet, found.decay.paths) == ("head", "strict")
    found = _settings(tmp_path, "tuned", "era=memlens")
    assert (found.snippet, found.decay.paths) == ("window", "wide")
    found = _settings(tmp_path, "tuned", "snippet=window", "decay.paths=wide", stamp="2026.2.9")
    assert (found.snippet, found.decay.paths) == ("window", "wide")


def test_an_unknown_profile_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no ranking profile"):
        _settings(tmp_path, "nonsense")
