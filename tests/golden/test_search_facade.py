"""Measured searches of 2026.9 through the facade: era and profile come from the version stamp."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.engine.agent_home import AgentHome
from tests.fakes.still_time import StillTime
from tests.golden.vectors import vectors

pytestmark = pytest.mark.golden

MEASURED = vectors("search-2026.9.json")
CASES = [case for case in MEASURED["cases"] if case["index"] == "annotated-fts"]
SECONDS = vectors("layout.json")["default_mtime_epoch_s"]
ANNOTATED: Mapping[str, str] = MEASURED["annotated_files"]


def _home(folder: Path, case: Mapping[str, Any]) -> AgentHome:
    home = AgentHome(folder, time=StillTime(float(case["nowMs"])))
    for path, text in ANNOTATED.items():
        os.utime(home.write(path, text), (SECONDS, SECONDS))
    home.configure({"provider": "none"}, meta={"lastTouchedVersion": "2026.9.6"})
    return home


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_an_agent_of_september_is_answered_as_by_its_release(
    case: Mapping[str, Any], tmp_path: Path
) -> None:
    settings = [
        f"query.maxResults={case['maxResults']}",
        f"query.minScore={case['minScore']}",
        f"activeProjects={json.dumps(case.get('activeProjectKeys', []))}",
    ]
    with _home(tmp_path, case).open(*settings) as engine:
        engine.sync("demand")
        recipe = engine.rank_settings()
        ranking = engine.rank(engine.retrieve(case["query"], recipe), recipe)
    expected = case["expected"]["2026.9.6"]["results"]
    got = [(ranked.candidate.path, ranked.score) for ranked in ranking.kept]
    assert [path for path, _ in got] == [row["path"] for row in expected]
    scores = [score for _, score in got]
    assert scores == pytest.approx([row["score"] for row in expected], abs=2e-6)


def test_what_a_profile_switches_on_stays_on_until_somebody_sets_it(tmp_path: Path) -> None:
    home = _home(tmp_path, CASES[0])
    with home.open() as engine:
        found = engine.rank_settings()
        assert (found.profile, found.decay.enabled, found.mmr.enabled) == ("2026.9", True, True)
        assert (found.pool_size, engine.rank_settings("2026.7").mmr.enabled) == (200, False)
    with home.open("query.hybrid.mmr.enabled=false", "query.hybrid.vectorWeight=0.3") as engine:
        found = engine.rank_settings()
        assert (found.mmr.enabled, found.decay.enabled) == (False, True)
        assert (found.vector_weight, found.text_weight) == (0.5, 0.5)
