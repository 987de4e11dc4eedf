"""The dialects of July and September 2026 and our own: what holds for every text."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.chunking.chunk import Chunk, ChunkingRules
from engine.chunking.chunker import MAX_CHUNK_BYTES, chunk_file, chunk_text
from engine.chunking.dialects import DIALECTS
from engine.chunking.utf16 import well_formed
from engine.config.eras import ERAS
from tests.engine.chunking.texts import notes, paths, rules, texts
from tests.engine.chunking.weighing import july, limit_of, september, told, units_of, weight_of


def _in(dialect: str, rules: ChunkingRules) -> ChunkingRules:
    return ChunkingRules(rules.tokens, rules.overlap, dialect)


def _told(chunks: list[Chunk]) -> list[tuple[int, int, str]]:
    return [(chunk.start_line, chunk.end_line, chunk.text) for chunk in chunks]


def test_every_era_names_a_dialect_that_there_is() -> None:
    assert {era.chunking for era in ERAS.values()} == set(DIALECTS)


@given(notes, rules)
@settings(max_examples=150, deadline=None)
def test_july_cuts_as_the_rules_say(text: str, rules: ChunkingRules) -> None:
    expected = told(july(well_formed(text), rules))
    assert _told(chunk_text(text, _in("2026.7", rules))) == expected


@given(notes, rules)
@settings(max_examples=150, deadline=None)
def test_september_cuts_as_the_rules_say(text: str, rules: ChunkingRules) -> None:
    expected = told(september(well_formed(text), rules))
    assert _told(chunk_text(text, _in("2026.9", rules))) == expected


@given(st.text(st.sampled_from("ab ż\n\r-#"), max_size=500), rules)
def test_july_cuts_narrow_texts_as_march_did(text: str, rules: ChunkingRules) -> None:
    assert chunk_text(text, _in("2026.7", rules)) == chunk_text(text, _in("2026.3", rules))


@pytest.mark.parametrize("dialect", ["2026.7", "2026.9", "memlens"])
@given(notes, paths, rules)
@settings(deadline=None)
def test_every_chunk_is_sound(dialect: str, text: str, path: str, rules: ChunkingRules) -> None:
    chunks = chunk_file(path, text, _in(dialect, rules))
    assert [chunk.index for chunk in chunks] == list(range(len(chunks)))
    for chunk in chunks:
        data = chunk.text.encode()
        assert chunk.hash == sha256(data).hexdigest()
        assert chunk.utf16 == units_of(chunk.text)
        assert 0 < len(data) <= MAX_CHUNK_BYTES
        assert 1 <= chunk.start_line <= chunk.end_line <= text.count("\n") + 1
    for before, after in pairwise(chunks):
        assert before.start_line <= after.start_line
        assert before.end_line <= after.end_line


@pytest.mark.parametrize("dialect", ["2026.7", "2026.9", "memlens"])
@given(notes, st.integers(1, 40))
@settings(deadline=None)
def test_without_overlap_nothing_is_lost_or_doubled(dialect: str, text: str, tokens: int) -> None:
    chunks = chunk_text(text, ChunkingRules(tokens, 0, dialect))
    assert _said("".join(chunk.text for chunk in chunks)) == _said(well_formed(text))


def _said(text: str) -> str:
    return "".join(char for char in text if not char.isspace() and char != "\ufeff")


@pytest.mark.parametrize("dialect", ["2026.9", "memlens"])
@given(notes, paths, rules)
@settings(deadline=None)
def test_no_chunk_exceeds_its_size(
    dialect: str, text: str, path: str, rules: ChunkingRules
) -> None:
    for chunk in chunk_file(path, text, _in(dialect, rules)):
        assert weight_of(chunk.text) <= limit_of(rules)


@pytest.mark.parametrize("dialect", ["2026.7", "2026.9", "memlens"])
@given(texts, rules)
@settings(deadline=None)
def test_characters_stay_whole(dialect: str, text: str, rules: ChunkingRules) -> None:
    text = well_formed(text)
    for chunk in chunk_text(text, _in(dialect, rules)):
        assert chunk.text.count("\ufffd") == 0 or "\ufffd" in text
        assert all(piece in text for piece in chunk.text.split("\n"))


def _entries(text: str) -> Iterator[tuple[int, str]]:
    """First line and text of each entry, told by its first characters."""
    first, gathered = 1, list[str]()
    for number, line in enumerate(text.split("\n"), start=1):
        marks = len(line) - len(line.lstrip("#"))
        heading = 1 <= marks <= 6 and line[marks:].removesuffix("\r")[:1] in ("", " ", "\t")
        if gathered and (heading or line.startswith("- ")):
            yield first, "\n".join(gathered)
            first, gathered = number, []
        gathered.append(line)
    yield first, "\n".join(gathered)


@given(notes.map(lambda text: text.replace("<!--", "")), rules)
@settings(deadline=None)
def test_curated_files_are_cut_entry_by_entry(text: str, rules: ChunkingRules) -> None:
    september = _in("2026.9", rules)
    expected = [
        (start + first - 1, end + first - 1, piece)
        for first, entry in _entries(well_formed(text))
        for start, end, piece in _told(chunk_text(entry, september))
    ]
    assert _told(chunk_file("MEMORY.md", text, september)) == expected
    assert chunk_file("USER.md", text, september) == chunk_file("MEMORY.md", text, september)


@pytest.mark.parametrize("path", ["memory/MEMORY.md", "../extra/USER.md", "memory.md", "a.md"])
def test_only_the_files_at_the_root_are_curated(path: str) -> None:
    september = ChunkingRules(400, 80, "2026.9")
    assert len(chunk_file(path, "# A\n- b\n- c\n", september)) == 1
    assert len(chunk_file("USER.md", "# A\n- b\n- c\n", september)) == 3


def test_an_entry_longer_than_a_chunk_overlaps_within_itself_only() -> None:
    text = "- short\n- " + "\n  ".join(f"line {n} of the long entry" for n in range(9)) + "\n- end"
    chunks = chunk_file("MEMORY.md", text, ChunkingRules(25, 8, "2026.9"))
    spans = [(chunk.start_line, chunk.end_line) for chunk in chunks]
    assert spans == [(1, 1), (2, 4), (4, 6), (6, 8), (8, 10), (11, 11)]


def test_july_splits_a_chunk_of_many_bytes() -> None:
    text = "\n".join(["ż" * 3000] * 5)
    chunks = chunk_text(text, ChunkingRules(4000, 0, "2026.7"))
    assert [len(chunk.text.encode()) for chunk in chunks] == [7999, 7999, 7999, 6007]
    assert {(chunk.start_line, chunk.end_line) for chunk in chunks} == {(1, 5)}
