"""Case bm25-scale: what a BM25 rank is worth."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from engine.ranking.profiles import TUNED
from engine.ranking.settings import TextScore
from engine.ranking.text_score import text_score
from tests.cases.searching import case_json, case_memory

RANKS = case_json("bm25-scale/ranks.json")


@pytest.mark.parametrize("row", RANKS, ids=lambda row: str(row["rank"]))
def test_ranks_are_mapped_as_by_hand(row: dict[str, float]) -> None:
    rank = float(row["rank"])
    assert text_score(rank, "saturating", rank) == pytest.approx(row["later"], abs=5e-5)
    documented = text_score(rank, "documented", rank)
    assert documented == pytest.approx(row["documented"], abs=5e-5)


@pytest.mark.parametrize("rule", ["documented", "saturating", "best", "covered"])
@pytest.mark.parametrize("minimum", [0.0, 0.35, 1.0])
def test_the_only_note_is_found_whatever_the_minimum_says(
    rule: TextScore, minimum: float, tmp_path: Path
) -> None:
    memory = case_memory("bm25-scale", tmp_path)
    recipe = replace(TUNED, text_score=rule, cut=replace(TUNED.cut, min_score=minimum))
    ranked = memory.search("gateway", recipe).kept[0]
    assert ranked.candidate.path == "MEMORY.md"
    step = ranked.trace.step("text")
    assert step is not None
    assert f"({rule})" in step.formula
    if rule == "documented":
        assert "gives every keyword hit 1" in step.formula
    else:
        assert "the words stand in half or more of all chunks" in step.formula
