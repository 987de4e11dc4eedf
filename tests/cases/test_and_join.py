"""Case and-join: three words that never share a chunk."""

from __future__ import annotations

from pathlib import Path

from engine.ranking.profiles import MARCH, TUNED
from engine.retrieval.words import word_report
from tests.cases.searching import case_memory
from tests.engine.retrieval.memory import Memory

QUERY = "meeting budget review"


def _paths(memory: Memory) -> list[str]:
    return [ranked.candidate.path for ranked in memory.search(QUERY, TUNED).kept]


def test_partial_matches_follow_the_whole_one(tmp_path: Path) -> None:
    memory = case_memory("and-join", tmp_path)
    paths = _paths(memory)
    assert paths[0] == "memory/c.md"
    assert set(paths[1:]) == {"memory/a.md", "memory/b.md"}
    with memory.store.write() as writer:
        writer.delete(["memory/c.md"])
    assert _paths(memory) == ["memory/b.md", "memory/a.md"]


def test_matched_and_missing_words_are_told(tmp_path: Path) -> None:
    memory = case_memory("and-join", tmp_path)
    pool = memory.pool(QUERY, TUNED)
    told = {c.path: word_report(pool, c) for c in pool.candidates}
    assert told["memory/c.md"].missing == ()
    assert told["memory/b.md"].matched == ("meeting", "review")
    assert told["memory/a.md"].missing == ("meeting", "review")


def test_the_join_of_the_originals_finds_the_whole_match_only(tmp_path: Path) -> None:
    memory = case_memory("and-join", tmp_path, lambda text: [1.0, 0.0])
    pool = memory.pool(QUERY, MARCH)
    assert [c.path for c in pool.candidates if "and" in c.legs] == ["memory/c.md"]
