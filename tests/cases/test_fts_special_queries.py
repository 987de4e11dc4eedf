"""Case fts-special-queries: ids, dates, paths and punctuation in a query."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.ranking.profiles import TUNED
from tests.cases.inputs import DATA
from tests.cases.searching import case_memory
from tests.engine.retrieval.memory import Memory

CASE = DATA / "fts-special-queries"
QUERIES = (CASE / "queries.txt").read_text("utf-8").splitlines()
WORDLESS = (CASE / "queries_without_words.txt").read_text("utf-8").splitlines()


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    built = case_memory("fts-special-queries", tmp_path_factory.mktemp("case"))
    yield built
    built.store.close()


def _paths(memory: Memory, query: str) -> list[str]:
    return [ranked.candidate.path for ranked in memory.search(query, TUNED).kept]


@pytest.mark.parametrize("query", QUERIES)
def test_what_stands_in_the_note_is_found(query: str, memory: Memory) -> None:
    assert _paths(memory, query) == ["MEMORY.md"]
    assert all(leg.error is None for leg in memory.pool(query, TUNED).legs)


@pytest.mark.parametrize("query", WORDLESS)
def test_a_query_without_words_has_nothing_to_search_for(query: str, memory: Memory) -> None:
    pool = memory.pool(query, TUNED)
    assert pool.candidates == ()
    assert pool.notices == ("Nothing to search for: the query holds no word.",)


def test_a_nul_separates_words(memory: Memory) -> None:
    assert memory.pool("a\0b", TUNED).terms == ("a", "b")
    assert _paths(memory, "gpt\0zzz") == ["MEMORY.md"]


def test_the_file_is_there(tmp_path: Path) -> None:
    assert len(QUERIES) == 20
    assert len(WORDLESS) == 7
