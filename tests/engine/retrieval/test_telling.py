from __future__ import annotations

from pathlib import Path

import pytest

from engine.ranking.profiles import TUNED
from engine.retrieval.query import query_terms
from engine.retrieval.telling import LONG_CHUNK, MANY_CHUNKS, Asking, asking, inverse_frequency
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
    assert asked.full == pytest.approx(
        LONG_CHUNK * (inverse_frequency(1, 10) + inverse_frequency(0, 10))
    )


def test_a_pair_of_cjk_characters_counts_half_and_an_absent_one_not(tmp_path: Path) -> None:
    memory = _memory(tmp_path, ["路由", "lamp", *["chair"] * 8])
    assert _asking(memory, "路由器").full == pytest.approx(
        LONG_CHUNK * inverse_frequency(1, 10) / 2
    )


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


def test_in_an_index_of_two_chunks_the_only_hit_still_counts(tmp_path: Path) -> None:
    memory = _memory(tmp_path, ["Nothing here. " * 40 + "Bella, the dog.", "The router."])
    hit = memory.search("Bella", TUNED).kept[0]
    assert hit.candidate.path == "memory/0.md"
    assert hit.text_score is not None
    assert hit.text_score > 0.5


def test_a_word_that_stands_everywhere_says_next_to_nothing(tmp_path: Path) -> None:
    memory = _memory(tmp_path, [f"ticket n{at}" for at in range(60)])
    assert (memory.search("ticket", TUNED).kept[0].text_score or 0.0) < 0.01
    assert memory.search("n7", TUNED).kept[0].text_score == 1.0


def test_one_weak_word_of_many_does_not_score_like_a_whole_answer(tmp_path: Path) -> None:
    memory = _memory(tmp_path, ["the day was long", *[f"chair {n}" for n in range(20)]])
    whole = memory.search("long day", TUNED).kept[0]
    weak = memory.search("which day do we bury the old cat", TUNED).kept[0]
    assert whole.text_score == 1.0
    assert weak.text_score is not None
    assert weak.text_score < 0.1
