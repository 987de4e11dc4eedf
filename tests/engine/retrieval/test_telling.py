from __future__ import annotations

from pathlib import Path

import pytest

from engine.ranking.profiles import TUNED
from engine.retrieval.query import query_terms
from engine.retrieval.telling import MANY_CHUNKS, Asking, asking, inverse_frequency
from tests.engine.retrieval.memory import Memory, Note, build


def _memory(folder: Path, texts: list[str]) -> Memory:
    notes = [Note(f"memory/{at}.md", text) for at, text in enumerate(texts)]
    return build(folder / "index.sqlite", notes)


def _asking(memory: Memory, query: str) -> Asking:
    with memory.store.reader.snapshot() as now:
        return asking(now, query_terms(query))


def test_in_a_small_index_every_word_is_asked_for_and_every_two_near_each_other(
    tmp_path: Path,
) -> None:
    memory = _memory(tmp_path, ["router cable", "router lamp", "router", "chair"])
    asked = _asking(memory, "router cable absent")
    assert asked.match == ('body : ("router" OR "cable" OR "absent" OR NEAR("router" "cable", 12))')


def test_full_is_what_a_chunk_with_every_word_scores(tmp_path: Path) -> None:
    memory = _memory(tmp_path, ["cable", "lamp", *["chair"] * 8])
    asked = _asking(memory, "cable absent")
    assert asked.full == pytest.approx(inverse_frequency(1, 10) + inverse_frequency(0, 10))


def test_a_pair_of_cjk_characters_counts_half_and_an_absent_one_not(tmp_path: Path) -> None:
    memory = _memory(tmp_path, ["路由", "lamp", *["chair"] * 8])
    assert _asking(memory, "路由器").full == pytest.approx(inverse_frequency(1, 10) / 2)


def test_words_of_more_than_half_the_chunks_are_left_out_of_a_large_index(tmp_path: Path) -> None:
    texts = [f"ticket router{' lamp' if at % 3 else ''} n{at}" for at in range(MANY_CHUNKS)]
    memory = _memory(tmp_path, texts)
    assert _asking(memory, "ticket n7").match == 'body : ("n7")'
    assert _asking(memory, "ticket lamp").match == 'body : ("lamp")'  # the rarer of two
    assert _asking(memory, "absent").match == 'body : ("absent")'


def test_words_that_stand_together_come_first(tmp_path: Path) -> None:
    between = " ".join(f"w{n}" for n in range(40))
    apart, together = f"boiler {between} valve", f"{between} boiler valve"
    memory = _memory(tmp_path, [apart, together, *["chair"] * 8])
    ranking = memory.search("boiler valve", TUNED)
    assert [ranked.candidate.path for ranked in ranking.kept[:2]] == ["memory/1.md", "memory/0.md"]


def test_one_weak_word_of_many_does_not_score_like_a_whole_answer(tmp_path: Path) -> None:
    memory = _memory(tmp_path, ["the day was long", *[f"chair {n}" for n in range(20)]])
    whole = memory.search("long day", TUNED).kept[0]
    weak = memory.search("which day do we bury the old cat", TUNED).kept[0]
    assert whole.text_score == 1.0
    assert weak.text_score is not None
    assert weak.text_score < 0.1
