"""Case abstain: nothing relevant, and it is said."""

from __future__ import annotations

from pathlib import Path

from engine.ranking.overrides import override
from engine.ranking.profiles import TUNED
from engine.retrieval.settings import flattened
from tests.cases.searching import case_json, case_memory, toy_embedding

CONFIG = case_json("abstain/config.json")["agents"]["defaults"]["memorySearch"]["query"]
QUERY = "zxqv unrelated"


def test_weak_hits_come_with_a_warning(tmp_path: Path) -> None:
    memory = case_memory("abstain", tmp_path, toy_embedding("abstain"))
    ranking = memory.search(QUERY, override(TUNED, flattened("query", CONFIG)))
    assert ranking.weak
    assert [r.candidate.path for r in ranking.kept] == ["MEMORY.md", "memory/a.md"]
    assert ranking.notices[0].startswith("Nothing seems relevant: no keyword matched")


def test_weak_hits_can_be_turned_off_with_a_reason(tmp_path: Path) -> None:
    memory = case_memory("abstain", tmp_path, toy_embedding("abstain"))
    recipe = override(TUNED, flattened("query", CONFIG) | {"cut.weak": "hide"})
    ranking = memory.search(QUERY, recipe)
    assert ranking.kept == ()
    assert len(ranking.lost) == 2
    assert "the best similarity .450 is weak" in ranking.notices[0]
