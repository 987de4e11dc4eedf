"""Case decay-paths: which files grow old."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import pytest

from engine.ranking.decay import age_of, path_date
from engine.ranking.profiles import TUNED
from engine.ranking.settings import DecaySettings
from tests.cases.searching import case_json

PATHS = case_json("decay-paths/paths.json")
FACTORS = case_json("decay-paths/factors.json")
NOW_MS = datetime.fromisoformat(FACTORS["now"]).timestamp() * 1000


@pytest.mark.parametrize("row", PATHS, ids=lambda row: row["path"])
def test_dates_by_both_rules(row: dict[str, str | None]) -> None:
    assert path_date(str(row["path"]), "strict") == row["strict"]
    assert path_date(str(row["path"]), "wide") == row["wide"]


@pytest.mark.parametrize(("day", "factor"), FACTORS["factors"].items())
def test_factors(day: str, factor: float) -> None:
    recipe = DecaySettings(True, FACTORS["halfLifeDays"], "strict")
    age = age_of(f"memory/{day}.md", "memory", None, recipe, NOW_MS)
    assert age.factor == pytest.approx(factor, abs=2e-3)
    assert (age.factor == 1.0) == (day >= "2026-02-10")


def test_a_dated_plan_can_be_pinned() -> None:
    path = "memory/2025-01-01-project-plan.md"
    wide = replace(TUNED.decay, enabled=True)
    assert age_of(path, "memory", None, wide, NOW_MS).factor < 0.001
    pinned = replace(wide, evergreen=(path,))
    assert age_of(path, "memory", None, pinned, NOW_MS).by == "pinned"
