from __future__ import annotations

import pytest

from engine.ranking.decay import age_of, decay_factor, path_date
from engine.ranking.settings import DecayPaths, DecaySettings
from tests.engine.ranking.pools import NOW_MS

DAY_MS = 86_400_000.0
STRICT = DecaySettings(enabled=True, half_life_days=30, paths="strict")


def test_half_is_left_after_a_half_life() -> None:
    assert decay_factor(0, 30) == 1.0
    assert decay_factor(30, 30) == pytest.approx(0.5, abs=1e-15)


@pytest.mark.parametrize(
    ("path", "strict", "wide"),
    [
        ("memory/2026-02-06.md", "2026-02-06", "2026-02-06"),
        ("../extra/team/memory/2026-02-06.md", "2026-02-06", "2026-02-06"),
        ("memory/projects/2026-02-01.md", None, "2026-02-01"),
        ("memory/2026-02-09-evening.md", None, "2026-02-09"),
        ("memory/2026-2-9.md", None, None),
        ("memory/2026-02-30.md", None, None),
        ("notes/2026-02-06.md", None, None),
        ("memory/2026-02-06.md.md", None, None),
        ("memory/2026-02-06.md\n", None, None),
        ("memory/٢٠٢٦-02-06.md", None, None),
        ("memory/0000-01-01.md", None, None),
    ],
)
def test_dates_in_paths(path: str, strict: str | None, wide: str | None) -> None:
    assert path_date(path, "strict") == strict
    assert path_date(path, "wide") == wide


@pytest.mark.parametrize(
    ("path", "source", "by"),
    [
        ("MEMORY.md", "memory", "evergreen"),
        ("memory/network.md", "memory", "evergreen"),
        ("memory/projects/2026-02-01.md", "memory", "evergreen"),
        ("memory/2026-02-10.md", "memory", "dated by its name"),
        ("memory/2026-02-30.md", "memory", "dated by file time"),
        ("../extra/overview.md", "memory", "dated by file time"),
        ("sessions/x.jsonl", "sessions", "dated by file time"),
    ],
)
def test_what_a_file_is_dated_by(path: str, source: str, by: str) -> None:
    assert age_of(path, source, NOW_MS - DAY_MS, STRICT, NOW_MS).by == by


@pytest.mark.parametrize(("rule", "by"), [("strict", "dated by file time"), ("wide", "evergreen")])
def test_the_user_is_evergreen_since_wide_dates(rule: DecayPaths, by: str) -> None:
    settings = DecaySettings(enabled=True, half_life_days=30, paths=rule)
    assert age_of("USER.md", "memory", NOW_MS, settings, NOW_MS).by == by
    assert age_of("../extra/USER.md", "memory", NOW_MS, settings, NOW_MS).by == "dated by file time"


def test_an_impossible_date_ages_by_file_time_under_both_rules() -> None:
    for rule in ("strict", "wide"):
        paths: DecayPaths = "strict" if rule == "strict" else "wide"
        settings = DecaySettings(enabled=True, half_life_days=1, paths=paths)
        age = age_of("memory/2026-02-30.md", "memory", NOW_MS - DAY_MS, settings, NOW_MS)
        assert age.factor == pytest.approx(0.5)


def test_the_future_does_not_decay() -> None:
    age = age_of("memory/2026-12-31.md", "memory", None, STRICT, NOW_MS)
    assert (age.factor, age.days, age.date) == (1.0, 0.0, "2026-12-31")


def test_a_file_without_time_does_not_decay() -> None:
    age = age_of("../extra/a.md", "memory", None, STRICT, NOW_MS)
    assert (age.by, age.factor) == ("no file time", 1.0)


def test_a_file_time_beyond_the_calendar_is_survived() -> None:
    assert age_of("../a.md", "memory", 1e18, STRICT, NOW_MS).factor == 1.0


def test_a_pinned_file_never_grows_old() -> None:
    pinned = DecaySettings(True, 30, "wide", evergreen=("memory/2025-01-01-plan.md",))
    age = age_of("memory/2025-01-01-plan.md", "memory", None, pinned, NOW_MS)
    assert (age.by, age.factor) == ("pinned", 1.0)
