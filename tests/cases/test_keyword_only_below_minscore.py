"""Case keyword-only-below-minscore: an exact id, no similarity, the usual minimum."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.ranking.overrides import override
from engine.ranking.profiles import PROFILES
from engine.ranking.rank import rank
from engine.ranking.settings import RankSettings
from engine.ranking.trace import Lost, Ranking
from engine.retrieval.settings import flattened
from tests.cases.searching import case_json, case_memory, toy_embedding
from tests.engine.retrieval.memory import NOW_MS, Memory

CASE = "keyword-only-below-minscore"
QUERY = "ZX-8841-QP router"
CONFIG = case_json(f"{CASE}/config.json")["agents"]["defaults"]["memorySearch"]["query"]


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    built = case_memory(CASE, tmp_path, toy_embedding(CASE))
    yield built
    built.store.close()


def _recipe(profile: str) -> RankSettings:
    return override(PROFILES[profile], flattened("query", CONFIG))


def _lost(ranking: Ranking) -> dict[str, Lost]:
    ended = {r.candidate.path: r.trace.outcome for r in ranking.lost}
    return {path: end for path, end in ended.items() if isinstance(end, Lost)}


def test_the_exact_id_is_a_result_when_tuned(memory: Memory) -> None:
    ranking = memory.search(QUERY, _recipe("tuned"))
    assert [r.candidate.path for r in ranking.kept] == ["memory/ids.md"]
    hit = ranking.kept[0]
    assert (hit.vector_score, hit.text_score) == (0.0, 1.0)
    assert hit.score == pytest.approx(0.3)
    cut = hit.trace.step("cut")
    assert cut is not None
    assert "relaxed for keyword hits" in cut.formula


@pytest.mark.parametrize("profile", list(PROFILES))
def test_the_exact_id_is_never_out_of_sight(profile: str, memory: Memory) -> None:
    ranking = memory.search(QUERY, _recipe(profile))
    seen = {r.candidate.path for r in ranking.kept} | set(_lost(ranking))
    assert "memory/ids.md" in seen
    if profile == "documented":
        assert _lost(ranking)["memory/ids.md"].reason == "below the minimum .350 by .050"


def test_the_bread_note_is_below_the_minimum(memory: Memory) -> None:
    bread = _lost(memory.search(QUERY, _recipe("tuned")))["memory/far1.md"]
    assert bread.stage == "cut"
    assert bread.margin == pytest.approx(0.35 - 0.238, abs=1e-4)


def test_a_lower_minimum_changes_the_list_without_another_retrieval(memory: Memory) -> None:
    recipe = _recipe("tuned")
    pool = memory.pool(QUERY, recipe)
    lowered = rank(pool, override(recipe, {"query.minScore": 0.2}), NOW_MS)
    assert [r.candidate.path for r in lowered.kept] == ["memory/ids.md", "memory/far1.md"]
