"""Case snippet-window: the answer is on line 50, the snippet must not be line 1."""

from __future__ import annotations

from pathlib import Path

from engine.chunking.chunk import ChunkingRules
from engine.ranking.profiles import TUNED
from engine.ranking.snippet import Snippet, window_snippet
from engine.retrieval.words import spans
from tests.cases.inputs import DATA
from tests.cases.searching import case_json, case_memory

CHUNKING = case_json("snippet-window/config.json")["agents"]["defaults"]["memorySearch"]["chunking"]
FAMILY = "👨‍👩‍👧‍👦"


def _snippet(query: str, tmp_path: Path) -> Snippet:
    rules = ChunkingRules(CHUNKING["tokens"], CHUNKING["overlap"])
    memory = case_memory("snippet-window", tmp_path, rules=rules)
    ranked = memory.search(query, TUNED).kept[0]
    chunk = ranked.candidate
    found = spans(chunk.text, memory.pool(query, TUNED).terms)
    return window_snippet(chunk.text, chunk.start_line, found)


def test_the_snippet_holds_the_line_with_the_answer(tmp_path: Path) -> None:
    snippet = _snippet("Bella", tmp_path)
    assert "Bella" in snippet.text
    assert snippet.start_line <= 50 <= snippet.end_line
    assert snippet.hit_line == 50


def test_the_snippet_is_short_and_never_cuts_a_family(tmp_path: Path) -> None:
    snippet = _snippet("end", tmp_path)
    assert "end" in snippet.text
    whole = (DATA / "snippet-window/workspace/memory/family.md").read_text("utf-8")
    for text in (snippet.text, window_snippet(whole, 1, []).text):
        assert 600 < len(text.encode("utf-16-le")) // 2 <= 700
        assert text.replace(FAMILY, "").isascii()
