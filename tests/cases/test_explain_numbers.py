"""Case explain-numbers: every number of a hit can be re-computed."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from engine.ranking.pool import CandidatePool
from engine.ranking.profiles import DOCUMENTED, MARCH
from engine.ranking.rank import rank
from engine.ranking.settings import RankSettings
from engine.ranking.trace import Lost, Ranked, Ranking
from tests.cases.searching import case_json
from tests.engine.ranking.pools import candidate, pool

EXPECT = case_json("explain-numbers/expect.json")
NOW_MS = datetime.fromisoformat(EXPECT["now"]).timestamp() * 1000
RECIPES = {"documented": DOCUMENTED, "later": MARCH}


def _pool() -> CandidatePool:
    items = case_json("explain-numbers/items.json")
    return pool(
        [
            candidate(i["id"], path=i["path"], cosine=i["vector"], bm25=i["rank"] or None)
            for i in items
        ]
    )


def _ranking(mode: str) -> Ranking:
    recipe: RankSettings = RECIPES[mode]
    half_life = EXPECT["halfLifeDays"]
    decay = replace(recipe.decay, enabled=True, half_life_days=half_life)
    return rank(_pool(), replace(recipe, decay=decay), NOW_MS)


def _number(ranked: Ranked, name: str) -> float | None:
    fusion = ranked.trace.step("fusion")
    return {
        "text": ranked.text_score,
        "sum": fusion.after if fusion else None,
        "decay": ranked.decay,
        "final": ranked.score,
    }[name]


@pytest.mark.parametrize("mode", list(RECIPES))
def test_numbers_are_those_worked_out_by_hand(mode: str) -> None:
    ranking, expected = _ranking(mode), EXPECT[mode]
    assert [ranked.candidate.chunk_id for ranked in ranking.kept] == expected["order"]
    for ranked in (*ranking.kept, *ranking.lost):
        numbers: dict[str, Any] = dict(expected[ranked.candidate.chunk_id])
        filtered = numbers.pop("filtered", False)
        assert isinstance(ranked.trace.outcome, Lost) == filtered
        for name, value in numbers.items():
            assert _number(ranked, name) == pytest.approx(value, abs=5e-5), name


@pytest.mark.parametrize("mode", list(RECIPES))
def test_the_filtered_one_names_its_score_and_the_minimum(mode: str) -> None:
    filtered = _ranking(mode).lost[0]
    assert isinstance(filtered.trace.outcome, Lost)
    assert filtered.trace.outcome.stage == "cut"
    step = filtered.trace.step("cut")
    assert step is not None
    assert step.inputs["minimum"] == EXPECT["minScore"]
    assert step.inputs["relaxed"] is False
    assert step.formula == f"{filtered.score:.3f} misses the minimum .350".replace("0.", ".", 1)


def test_the_two_modes_differ_by_the_text_formula_alone() -> None:
    firsts = {mode: _ranking(mode).kept[0] for mode in RECIPES}
    assert firsts["documented"].candidate.chunk_id != firsts["later"].candidate.chunk_id
    rules = []
    for mode in RECIPES:
        hit = next(r for r in _ranking(mode).kept if r.candidate.chunk_id == "A")
        step = hit.trace.step("text")
        assert step is not None
        rules.append(step.inputs["rule"])
    assert rules == ["documented", "saturating"]
