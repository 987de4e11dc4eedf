"""USER.md is memory in the eras whose original says so: indexed, found, read, never old."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.errors import PathError
from tests.engine.agent_home import AgentHome

STAMPS = {"2026.2": "2026.2.26", "2026.3": "2026.3.13", "2026.7": "2026.7.35", "2026.9": "2026.9.6"}


def home_of(folder: Path, era: str) -> AgentHome:
    """A machine whose agent prefers tea, by the version stamp of an original or with ours."""
    home = AgentHome(folder)
    home.write("MEMORY.md", "The pier has two lamps.\n")
    home.write("USER.md", "Prefers green tea at the pier.\n")
    meta = {"lastTouchedVersion": STAMPS[era]} if era in STAMPS else {}
    home.configure({"provider": "none"}, meta=meta)
    return home


@pytest.mark.parametrize("era", ["2026.9", "memlens"])
def test_later_eras_know_the_user(tmp_path: Path, era: str) -> None:
    options = {} if era in STAMPS else {"era": era}
    with home_of(tmp_path, era).open(**options) as engine:
        engine.sync("demand")
        recipe = engine.rank_settings()
        kept = engine.rank(engine.retrieve("green tea", recipe), recipe).kept
        assert [each.candidate.path for each in kept] == ["USER.md"]
        assert engine.get("USER.md").text.rstrip() == "Prefers green tea at the pier."
        assert {state.path for state in engine.scan()} == {"MEMORY.md", "USER.md"}


@pytest.mark.parametrize("era", ["2026.2", "2026.3", "2026.7"])
def test_earlier_eras_do_not(tmp_path: Path, era: str) -> None:
    with home_of(tmp_path, era).open() as engine:
        engine.sync("demand")
        assert {state.path for state in engine.scan()} == {"MEMORY.md"}
        with pytest.raises(PathError, match="outside the memory") as refused:
            engine.get("USER.md")
        assert "USER.md" not in refused.value.hint


def test_changing_to_a_later_era_brings_it_in(tmp_path: Path) -> None:
    home = home_of(tmp_path, "2026.7")
    with home.open() as engine:
        engine.sync("demand")
    with home.open(era="2026.9") as engine:
        report = engine.sync("demand")
        assert "USER.md" in {change.path for change in report.changes}
        assert engine.chunks("USER.md")
