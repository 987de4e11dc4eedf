"""Case mmr-non-ascii: the diversity step and texts without ASCII letters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from engine.ranking.mmr import overlaps, pick_order
from engine.ranking.profiles import TUNED
from engine.ranking.rank import rank
from engine.ranking.settings import MmrRelevance
from engine.ranking.tokens import mmr_tokens, numbered
from engine.ranking.trace import Ranked
from tests.cases.searching import case_json
from tests.engine.ranking.pools import NOW_MS, candidate, pool

PAIRS = case_json("mmr-non-ascii/pairs.json")
CANDIDATES = case_json("mmr-non-ascii/candidates.json")
WEAK = {"id": "weak", "score": 0.01, "text": "nothing of the kind"}


def _similarity(a: str, b: str) -> float:
    sets = numbered({"a": mmr_tokens(a, "unicode"), "b": mmr_tokens(b, "unicode")})
    rows = overlaps([sets["a"], sets["b"]])
    return pick_order([1.0, 0.0], rows.__getitem__, 0.5, "raw")[1].overlap


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair["a"] or "empty")
def test_only_the_same_is_identical(pair: dict[str, Any]) -> None:
    assert (_similarity(pair["a"], pair["b"]) == 1) == pair["same"]


def test_sentences_with_a_common_beginning_are_somewhat_alike() -> None:
    assert 0 < _similarity(PAIRS[0]["a"], PAIRS[0]["b"]) < 1


def _ranked(relevance: MmrRelevance, items: Sequence[dict[str, Any]]) -> list[Ranked]:
    held = pool([candidate(i["id"], cosine=i["score"], text=i["text"]) for i in items])
    mmr = replace(TUNED.mmr, enabled=True, lambda_=CANDIDATES["lambda"], relevance=relevance)
    recipe = replace(TUNED, vector_weight=1.0, text_weight=0.0, mmr=mmr)
    recipe = replace(recipe, cut=replace(recipe.cut, min_score=0.0))
    return list(rank(held, recipe, NOW_MS).kept)


def _order(relevance: MmrRelevance, items: Sequence[dict[str, Any]]) -> list[str]:
    return [ranked.candidate.chunk_id for ranked in _ranked(relevance, items)]


def test_the_order_depends_on_how_relevance_is_taken() -> None:
    items = CANDIDATES["items"]
    assert _order("raw", items) == ["r1", "dns", "ref", "r2"]
    assert _order("minmax", items) == ["r1", "r2", "ref", "dns"]


def test_a_weak_candidate_changes_nothing_as_long_as_relevance_is_raw() -> None:
    items = [*CANDIDATES["items"], WEAK]
    assert [name for name in _order("raw", items) if name != "weak"] == ["r1", "dns", "ref", "r2"]


def test_the_mode_and_what_it_was_stretched_over_stand_in_the_explanation() -> None:
    step = _ranked("minmax", [*CANDIDATES["items"], WEAK])[1].trace.step("mmr")
    assert step is not None
    assert "relevance stretched from .010 to .920 (minmax)" in step.formula
    raw = _ranked("raw", CANDIDATES["items"])[1].trace.step("mmr")
    assert raw is not None
    assert raw.formula.endswith("(raw)")


def test_many_long_candidates_all_get_a_place() -> None:
    words = [f"word{n}" for n in range(900)]
    texts = [" ".join(words[n : n + 400]) for n in range(0, 400, 2)]
    many = enumerate(texts)
    held = pool([candidate(f"c{n}", cosine=0.9 - n / 1000, text=t) for n, t in many])
    mmr = replace(TUNED.mmr, enabled=True)
    recipe = replace(TUNED, max_results=200, mmr=mmr, cut=replace(TUNED.cut, min_score=0.0))
    ranking = rank(held, recipe, NOW_MS)
    assert sorted(r.mmr_rank or 0 for r in ranking.kept) == list(range(1, 201))
