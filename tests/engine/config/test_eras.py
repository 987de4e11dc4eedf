"""Which release is followed, and what follows from it."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.config.eras import (
    ERAS,
    NAMED_PROFILES,
    STAMPLESS,
    era_of_stamp,
)
from engine.config.own_settings import EraName, ProfileName
from engine.errors import ConfigError
from engine.ranking.profiles import PROFILES
from tests.engine.config.desk import Desk, problem, value
from tests.engine.config.examples import MANY


@pytest.mark.parametrize(
    ("stamp", "era"),
    [
        ("2026.2.26", "2026.2"),
        ("2026.3.13", "2026.3"),
        ("v2026.3.1-beta.2", "2026.3"),
        ("2026.5", "2026.3"),
        ("2026.6.11", "2026.3"),
        ("2026.7.35", "2026.7"),
        ("2026.8.1", "2026.9"),
        ("2026.9.6", "2026.9"),
        ("2026.12.1", "2026.9"),
        ("2027.1.1", "2026.9"),
        ("2026.1.30", "2026.2"),
        ("2025.12.1", "2026.2"),
        ("latest", None),
        ("", None),
        ("3.13", None),
        ("2026.333", None),
    ],
)
def test_a_stamp_takes_the_latest_era_not_after_it(stamp: str, era: str | None) -> None:
    assert era_of_stamp(stamp) == era


@MANY
@given(st.text())
def test_any_stamp_is_an_era_or_none(stamp: str) -> None:
    assert era_of_stamp(stamp) in (*ERAS, None)


def test_the_stamp_of_a_configuration_decides(desk: Desk) -> None:
    desk.config('{\n "meta": {\n  "lastTouchedVersion": "2026.2.26"\n }\n}')
    config = desk.resolve()
    assert (config.era.name, config.profile) == ("2026.2", "documented")
    source = value(config, "era").source
    assert (source.layer, source.line) == ("agent config", 3)
    assert value(config, "profile").source.layer == "era"


def test_without_a_stamp(desk: Desk) -> None:
    desk.config({})
    assert desk.resolve().era.name == STAMPLESS == "2026.3"


@pytest.mark.parametrize("stamp", ["newest", 2026.3, ["2026.3"]])
def test_a_stamp_that_is_none_is_told(desk: Desk, stamp: object) -> None:
    desk.config({"meta": {"lastTouchedVersion": stamp}})
    config = desk.resolve()
    assert config.era.name == STAMPLESS
    assert "no version such as 2026.3.13" in problem(config, "lastTouchedVersion").message


def test_our_settings_and_the_option_beat_the_stamp(desk: Desk) -> None:
    desk.config({"meta": {"lastTouchedVersion": "2026.2.26"}})
    desk.user_file({"era": "memlens", "profile": "documented"})
    config = desk.resolve()
    assert (config.era.name, config.profile) == ("memlens", "documented")
    config = desk.resolve("profile=tuned", era="2026.3")
    assert (config.era.name, config.profile) == ("2026.3", "tuned")
    assert value(config, "era").source.layer == "--era"
    assert desk.resolve(profile="2026.3").profile == "2026.3"


@pytest.mark.parametrize(("option", "names"), [("era", ERAS), ("profile", NAMED_PROFILES)])
def test_a_name_that_there_is_not(desk: Desk, option: str, names: tuple[str, ...]) -> None:
    with pytest.raises(ConfigError) as caught:
        desk.resolve(**{option: "2030.1"})
    assert caught.value.hint == f"Valid names: {', '.join(names)}."


@pytest.mark.parametrize("era", ["2026.7", "2026.9"])
def test_the_later_eras_rank_by_their_own_profiles(desk: Desk, era: str) -> None:
    config = desk.resolve(era=era)
    assert (config.era.name, config.era.chunking, config.profile) == (era, era, era)
    assert config.problems == ()
    assert config.era.failing_provider == "unavailable"


def test_the_eras_of_the_first_documents_differ_from_ours_where_they_should() -> None:
    march, ours = ERAS["2026.3"], ERAS["memlens"]
    assert march.both_root_spellings
    assert not ours.both_root_spellings
    assert (march.snippet, ours.snippet) == ("head", "window")
    assert (march.decay_paths, ours.decay_paths) == ("strict", "wide")
    assert (march.get_lines, ours.get_lines, ours.get_chars) == (None, 120, 12_000)
    assert ours.failing_provider == "keyword"
    assert (march.chunking, ours.chunking) == ("2026.3", "memlens")


def test_the_user_is_memory_since_september_and_with_us() -> None:
    since = {name for name, era in ERAS.items() if "USER.md" in era.root_files}
    assert since == {"2026.9", "memlens"}
    assert {era.root_files[:2] for era in ERAS.values()} == {("MEMORY.md", "memory.md")}


def test_every_name_that_a_file_may_write_is_known() -> None:
    assert get_args(EraName) == tuple(ERAS)
    assert get_args(ProfileName) == NAMED_PROFILES
    assert {era.profile for era in ERAS.values()} == set(NAMED_PROFILES)
    assert tuple(PROFILES) == NAMED_PROFILES
