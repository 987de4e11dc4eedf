"""What this part promises to its neighbours: names that ranking knows, light imports."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

from engine.config.expectation import expected_words
from engine.config.key_table import OWN, OWN_FILE
from engine.config.own_layers import is_ranking
from engine.ranking import settings as ranking
from engine.ranking.overrides import override, ranking_keys
from engine.ranking.profiles import PROFILES
from tests.engine.config.desk import Desk

CHOICES = {
    "join": ranking.Join,
    "textScore": ranking.TextScore,
    "fusion": ranking.Fusion,
    "singleLeg": ranking.SingleLeg,
    "snippet": ranking.SnippetRule,
    "cut.rule": ranking.CutRule,
    "cut.relaxation": ranking.Relaxation,
    "cut.weak": ranking.WeakHits,
    "decay.paths": ranking.DecayPaths,
    "mmr.relevance": ranking.MmrRelevance,
    "mmr.tokens": ranking.MmrTokens,
}


def test_every_ranking_key_can_be_written_and_counts_as_one() -> None:
    assert set(ranking_keys()) == {name for name in OWN_FILE.keys if is_ranking(name)}


@pytest.mark.parametrize("key", CHOICES)
def test_a_choice_takes_the_words_that_ranking_takes(key: str) -> None:
    (words,) = [kind for kind in OWN.keys[key].kinds if kind is not type(None)]
    assert set(get_args(words)) == set(get_args(CHOICES[key]))


def test_resolved_overrides_are_taken_by_ranking(desk: Desk) -> None:
    keys = ["query.maxResults=3", "cut.weak=hide", "decay.evergreen=['a.md']", "completion=false"]
    config = desk.resolve(*keys)
    settings = override(PROFILES["tuned"], config.ranking_overrides)
    assert settings.max_results == 3
    assert settings.decay.evergreen == ("a.md",)
    assert not settings.completion


def test_contracts_import_nothing_heavy() -> None:
    modules = "engine.config.request, engine.config.resolved, engine.config.eras"
    code = f"import sys, {modules}; print([m for m in ('pydantic', 'json5') if m in sys.modules])"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


def test_every_key_says_what_it_is_for() -> None:
    for key in OWN_FILE.keys.values():
        assert key.about.endswith("."), key.name
        assert expected_words(key), key.name


@pytest.mark.parametrize(
    ("options", "loaded"),
    [
        ("demo=True", []),
        ("workspace=here / 'notes'", []),
        ("workspace=here, settings=('query.maxResults=3',)", ["pydantic"]),
        ("workspace=here, settings=('query={maxResults: 3}',)", ["json5", "pydantic"]),
        ("state_dir=here", ["engine.config.sections"]),
    ],
)
def test_a_start_loads_only_what_it_has_something_for(
    options: str, loaded: list[str], tmp_path: Path
) -> None:
    code = (
        "import pathlib, sys; here = pathlib.Path(sys.argv[1])\n"
        "from engine.config.request import EngineOptions, Places\n"
        "from engine.config.resolve import resolve\n"
        f"options = EngineOptions({options})\n"
        "resolve(options, {}, Places(here, here / 'data', here / 'settings'), here / 'demo')\n"
        "names = 'json5', 'pydantic', 'engine.config.sections'\n"
        "print(*(name for name in names if name in sys.modules))"
    )
    arguments = [sys.executable, "-c", code, str(tmp_path)]
    ran = subprocess.run(arguments, capture_output=True, text=True, check=True)
    assert ran.stdout.split() == loaded
