"""Our own dialect: chunks begin at headings where they can."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from engine.chunking.chunk import ChunkingRules
from engine.chunking.chunker import chunk_file, chunk_text
from engine.chunking.headings import section_lines
from engine.chunking.utf16 import well_formed
from tests.engine.chunking.texts import notes, rules
from tests.engine.chunking.weighing import memlens, told

RULES = ChunkingRules(25, 8, "memlens")
"""Chunks of 100 characters, 32 carried over."""

LINE = "nineteen characters"  # with its line feed a fifth of a chunk


def _spans(text: str, rules: ChunkingRules = RULES) -> list[tuple[int, int]]:
    return [(chunk.start_line, chunk.end_line) for chunk in chunk_text(text, rules)]


def _note(*lines: str) -> str:
    return "\n".join(lines)


def test_a_heading_in_the_last_quarter_begins_a_chunk() -> None:
    assert len(LINE) == 19
    text = _note(LINE, LINE, LINE, LINE, "# Part", LINE, LINE)
    assert _spans(text) == [(1, 4), (5, 7)]


def test_a_heading_before_the_last_quarter_does_not() -> None:
    text = _note(LINE, LINE, LINE, "# Part", LINE, LINE, LINE)
    assert _spans(text) == [(1, 5), (4, 7)]


def test_a_text_that_fits_is_one_chunk() -> None:
    assert _spans(_note(LINE, LINE, LINE, LINE, "# Part")) == [(1, 5)]


def test_nothing_is_carried_over_to_a_heading_that_comes_next_anyhow() -> None:
    assert _spans(_note(*[LINE] * 5, "# Part", LINE)) == [(1, 5), (6, 7)]
    assert _spans(_note(*[LINE] * 5, "part", LINE)) == [(1, 5), (5, 7)]


def test_the_last_of_several_headings_wins() -> None:
    text = _note(LINE, LINE, LINE, LINE, "# A", "a", "# B", LINE, LINE)
    assert _spans(text) == [(1, 6), (7, 9)]


def test_a_chapter_stays_with_its_first_part() -> None:
    text = _note(LINE, LINE, LINE, LINE, "# A", "", "## B", LINE, LINE)
    assert _spans(text) == [(1, 4), (5, 9)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# A\ntext\n## B\n", [1, 3]),
        ("text\n\n# A\n## B\n\n### C\ntext\n# D", [3, 8]),
        ("#A\n #A\n# A\r\n", [3]),
        ("####### A\n###### B", [2]),
        ("#\ntext\n#\r\ntext\n#\t", [1, 3, 5]),
        ("```\n# no\n```\n# yes", [4]),
        ("~~~~\n```\n# no\n~~~\n# no\n~~~~~\n# yes", [7]),
        ("   ```sh\n# no", []),
        ("", []),
        ("text # no", []),
    ],
)
def test_where_sections_begin(text: str, expected: list[int]) -> None:
    assert list(section_lines(text)) == expected


@given(notes, rules)
@settings(max_examples=200, deadline=None)
def test_every_text_is_cut_as_the_rules_say(text: str, rules: ChunkingRules) -> None:
    own = ChunkingRules(rules.tokens, rules.overlap, "memlens")
    text = well_formed(text)
    read = text.removeprefix("\ufeff").removesuffix("\n")
    expected = told(memlens(read, own, set(section_lines(read))))
    chunks = chunk_text(text, own)
    assert [(chunk.start_line, chunk.end_line, chunk.text) for chunk in chunks] == expected


@given(notes.filter(lambda text: "#" not in text), rules)
@settings(deadline=None)
def test_without_headings_it_cuts_as_september_did(text: str, rules: ChunkingRules) -> None:
    sizes = (rules.tokens, rules.overlap)
    read = text.removeprefix("\ufeff").removesuffix("\n")
    assert chunk_text(text, ChunkingRules(*sizes, "memlens")) == chunk_text(
        read, ChunkingRules(*sizes, "2026.9")
    )


def test_comments_stay_in_the_text() -> None:
    (chunk,) = chunk_file("MEMORY.md", "- one <!-- importance: 9 -->\n- two\n", RULES)
    assert chunk.text == "- one <!-- importance: 9 -->\n- two"
    assert (chunk.start_line, chunk.end_line) == (1, 2)
    assert chunk.annotations.importance is None
