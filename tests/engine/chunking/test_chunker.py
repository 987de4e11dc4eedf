"""The chunker: what holds for every text."""

from __future__ import annotations

from hashlib import sha256
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.chunking.chunk import Chunk, ChunkingRules
from engine.chunking.chunker import MAX_CHUNK_BYTES, chunk_id, chunk_text
from engine.errors import EngineError
from tests.engine.chunking.literal import literal_chunks
from tests.engine.chunking.texts import rules, texts

PLAIN = ChunkingRules(400, 80)


@given(texts, rules)
@settings(max_examples=400)
def test_every_text_is_cut_as_the_rules_say(text: str, rules: ChunkingRules) -> None:
    assert chunk_text(text, rules) == literal_chunks(text, rules)


@given(texts, rules)
def test_lines_that_say_something_are_covered_in_order(text: str, rules: ChunkingRules) -> None:
    chunks = chunk_text(text, rules)
    lines = text.split("\n")
    covered = {n for c in chunks for n in range(c.start_line, c.end_line + 1)}
    saying = {n for n, line in enumerate(lines, 1) if any(map(str.isalnum, line))}
    assert saying <= covered
    assert covered <= set(range(1, len(lines) + 1))
    assert [chunk.index for chunk in chunks] == list(range(len(chunks)))
    for before, after in pairwise(chunks):
        assert before.start_line <= after.start_line
        assert before.end_line <= after.end_line


@given(texts, rules)
def test_text_hash_and_length_agree(text: str, rules: ChunkingRules) -> None:
    for chunk in chunk_text(text, rules):
        data = chunk.text.encode()
        assert chunk.hash == sha256(data).hexdigest()
        assert chunk.utf16 == len(chunk.text.encode("utf-16-le")) // 2
        assert 0 < len(data) <= MAX_CHUNK_BYTES
        assert chunk.text


@given(st.lists(st.text(st.sampled_from("ab 🟢ż"), max_size=8)), st.integers(0, 7))
def test_chunks_of_short_lines_are_the_lines_themselves(lines: list[str], overlap: int) -> None:
    text = "\n".join(lines)
    for chunk in chunk_text(text, ChunkingRules(8, overlap)):
        assert chunk.text == "\n".join(lines[chunk.start_line - 1 : chunk.end_line])


def _cost(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2 + 1


@given(
    st.lists(st.text(st.sampled_from("ab🟢"), min_size=1, max_size=12), min_size=1, max_size=60),
    st.integers(8, 30).flatmap(lambda t: st.tuples(st.just(t), st.integers(0, t - 1))),
)
def test_overlap_is_the_shortest_sufficient_tail(lines: list[str], sizes: tuple[int, int]) -> None:
    tokens, overlap = sizes
    for before, after in pairwise(chunk_text("\n".join(lines), ChunkingRules(tokens, overlap))):
        shared = lines[after.start_line - 1 : before.end_line]
        cost = sum(map(_cost, shared))
        whole = after.start_line == before.start_line
        assert cost >= overlap * 4 or whole
        assert not shared or cost - _cost(shared[0]) < overlap * 4
        assert after.end_line > before.end_line


def _only(text: str, rules: ChunkingRules = PLAIN) -> Chunk:
    (chunk,) = chunk_text(text, rules)
    return chunk


def test_a_chunk_shorter_than_the_overlap_is_carried_over_whole() -> None:
    chunks = chunk_text("# Title\n" + "x" * 90, ChunkingRules(24, 20))
    assert [(chunk.start_line, chunk.end_line) for chunk in chunks] == [(1, 1), (1, 2)]


def test_a_final_line_feed_is_followed_by_an_empty_line() -> None:
    chunk = _only("one\ntwo\n")
    assert (chunk.start_line, chunk.end_line, chunk.text) == (1, 3, "one\ntwo\n")


def test_carriage_returns_stay() -> None:
    assert _only("one\r\ntwo\r").text == "one\r\ntwo\r"


def test_only_line_feeds_end_a_line() -> None:
    chunk = _only("a\u2028b\x0cc\x85d\x1ce\rf\ng")
    assert (chunk.start_line, chunk.end_line) == (1, 2)


@pytest.mark.parametrize("text", ["", "\n", " \t\r\n\n", "\ufeff", "\u2028\u3000\u00a0"])
def test_blank_texts_have_no_chunk(text: str) -> None:
    assert chunk_text(text, PLAIN) == []


@pytest.mark.parametrize("text", ["\x1c", "\x85", "\x00", "\u200b"])
def test_marks_that_the_original_does_not_trim_are_text(text: str) -> None:
    assert _only(text).text == text


def test_a_pair_cut_in_two_becomes_two_replacement_characters() -> None:
    first, second = chunk_text("x" * 31 + "🟢" + "y", ChunkingRules(8, 0))
    assert first.text == "x" * 31 + "\ufffd"
    assert second.text == "\ufffdy"
    assert (first.utf16, second.utf16) == (32, 2)


def test_halves_of_a_pair_are_stored_as_replacement_characters() -> None:
    assert _only("broken \ud83d here").text == "broken \ufffd here"
    assert _only("\ude80\ud83d").text == "\ufffd\ufffd"
    assert _only("\ud83d\ude80").text == "🚀"


def test_a_chunk_of_many_bytes_is_cut_at_character_borders() -> None:
    chunks = chunk_text("路" * 5000, ChunkingRules(4000, 80))
    assert [len(chunk.text.encode()) for chunk in chunks] == [7998, 7002]
    assert {(chunk.start_line, chunk.end_line) for chunk in chunks} == {(1, 1)}
    assert "".join(chunk.text for chunk in chunks) == "路" * 5000


def test_equal_slices_of_one_line_share_an_id() -> None:
    chunks = chunk_text("a" * 400, ChunkingRules(10, 0))
    assert len(chunks) == 10
    assert len({chunk_id("memory", "MEMORY.md", chunk, "m") for chunk in chunks}) == 1


def test_ids_depend_on_everything_that_names_a_chunk() -> None:
    chunk = _only("text")
    ids = {
        chunk_id(source, path, chunk, model)
        for source in ("memory", "sessions")
        for path in ("a.md", "b.md", "\udce9.md")
        for model in ("m", "n")
    }
    assert len(ids) == 12


def test_an_unknown_dialect_is_refused() -> None:
    with pytest.raises(EngineError, match="2031") as caught:
        chunk_text("text", ChunkingRules(400, 80, "2031.1"))
    assert isinstance(caught.value, ValueError)
