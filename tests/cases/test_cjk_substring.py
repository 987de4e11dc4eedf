"""Case cjk-substring: words inside unbroken Chinese, Japanese and Korean text."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.ranking.profiles import JULY, MARCH, SEPTEMBER, TUNED
from engine.ranking.settings import RankSettings
from engine.retrieval.unbroken import SENTENCE
from tests.cases.searching import case_json, case_memory
from tests.engine.retrieval.memory import Memory

QUERIES = case_json("cjk-substring/queries.json")
COMPOUND = "飞书插件配置"
"""Only a part of it stands in the note as one piece: beyond the originals' rules."""
IN_ONE_PIECE = [case for case in QUERIES if case["q"] != COMPOUND]
ABSENT = "机场"


@pytest.fixture(scope="module", params=["unicode61", "trigram"])
def any_index(request: pytest.FixtureRequest, tmp_path_factory: Any) -> Iterator[Memory]:
    folder = tmp_path_factory.mktemp(request.param)
    memory = case_memory("cjk-substring", folder, tokenizer=request.param)
    yield memory
    memory.store.close()


@pytest.fixture(scope="module")
def trigram(tmp_path_factory: Any) -> Iterator[Memory]:
    memory = case_memory("cjk-substring", tmp_path_factory.mktemp("three"), tokenizer="trigram")
    yield memory
    memory.store.close()


@pytest.mark.parametrize("case", QUERIES, ids=lambda case: case["q"])
def test_tuned_finds_every_word_whatever_the_tokenizer(
    case: dict[str, Any], any_index: Memory
) -> None:
    kept = any_index.search(case["q"], TUNED).kept
    assert kept[0].candidate.path == case["path"]
    assert (kept[0].text_score or 0) > 0


@pytest.mark.parametrize("recipe", [JULY, SEPTEMBER], ids=lambda recipe: recipe.profile)
@pytest.mark.parametrize("case", IN_ONE_PIECE, ids=lambda case: case["q"])
def test_trigrams_and_parts_of_the_text_find_what_stands_in_one_piece(
    case: dict[str, Any], recipe: RankSettings, trigram: Memory
) -> None:
    pool = trigram.pool(case["q"], recipe)
    assert any(leg.hits for leg in pool.legs)
    assert trigram.search(case["q"], recipe).kept[0].candidate.path == case["path"]


@pytest.mark.parametrize("recipe", [JULY, SEPTEMBER, TUNED], ids=lambda recipe: recipe.profile)
def test_a_word_of_no_note_has_no_keyword_hit(recipe: RankSettings, any_index: Memory) -> None:
    assert not any(leg.hits for leg in any_index.pool(ABSENT, recipe).legs)


@pytest.mark.parametrize("recipe", [MARCH, JULY, SEPTEMBER], ids=lambda recipe: recipe.profile)
def test_unicode61_says_what_it_cannot_match(recipe: RankSettings, tmp_path: Path) -> None:
    memory = case_memory("cjk-substring", tmp_path)
    assert SENTENCE in memory.pool("成语", recipe).notices
    assert SENTENCE not in memory.pool("成语", TUNED).notices
    assert SENTENCE not in memory.pool("nothing", recipe).notices
    memory.store.close()


def test_short_latin_words_are_parts_of_the_text_in_september_only(trigram: Memory) -> None:
    assert trigram.pool("tg", JULY).legs[0].hits == 0
    assert trigram.pool("tg", SEPTEMBER).legs[0].hits == 1
    ranked = trigram.search("tg", SEPTEMBER).kept[0]
    assert (ranked.candidate.path, ranked.text_score) == ("memory/zh.md", 0.0)


@pytest.mark.parametrize("wild", ["%", "_", "\\", "a_", "%%"])
def test_signs_of_like_stand_for_themselves(wild: str, trigram: Memory) -> None:
    with trigram.store.reader.snapshot() as now:
        assert now.containing(None, [wild], 10) == []
