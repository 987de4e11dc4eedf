"""Case diacritics: people type with and without marks, and letters with strokes fold too."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from engine.ranking.profiles import MARCH, TUNED
from engine.retrieval.words import word_report
from tests.cases.searching import case_json, case_memory
from tests.engine.retrieval.memory import Memory

QUERIES = case_json("diacritics/queries.json")
STROKES = {"lodz": ["memory/pl.md"], "strasse": ["memory/de.md"]}
"""What ``tuned`` finds beyond the listed answers, because it folds strokes and the sharp s."""


@pytest.fixture(scope="module")
def memory(tmp_path_factory: Any) -> Iterator[Memory]:
    made = case_memory("diacritics", tmp_path_factory.mktemp("marks"))
    yield made
    made.store.close()


def _matched(memory: Memory, query: str) -> list[str]:
    kept = memory.search(query, TUNED).kept
    return sorted(ranked.candidate.path for ranked in kept if ranked.text_score)


@pytest.mark.parametrize("case", QUERIES, ids=lambda case: ascii(case["q"]))
def test_each_spelling_finds_the_listed_notes(case: dict[str, Any], memory: Memory) -> None:
    assert _matched(memory, case["q"]) == sorted(STROKES.get(case["q"], case["paths"]))


@pytest.mark.parametrize("case", QUERIES, ids=lambda case: ascii(case["q"]))
def test_the_documented_table_stays_as_the_original(case: dict[str, Any], memory: Memory) -> None:
    pool = memory.pool(case["q"], MARCH)
    found = sorted(c.path for c in pool.candidates)
    assert found == sorted(case["paths"])


def test_the_folded_word_counts_as_matched(memory: Memory) -> None:
    pool = memory.pool("lodz", TUNED)
    assert word_report(pool, pool.candidates[0]).matched == ("lodz",)
