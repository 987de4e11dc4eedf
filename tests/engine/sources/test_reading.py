"""Reading: decoding, hashes, ranges, and files that change under the reader."""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import PathError
from engine.sources.found import FoundFile, SourceRoots
from engine.sources.ranges import take_range
from engine.sources.reading import decode, file_hash, read_found, read_memory, read_range
from engine.sources.scan import scan


@pytest.fixture
def roots(tmp_path: Path) -> SourceRoots:
    (tmp_path / "ws/memory/sub").mkdir(parents=True)
    (tmp_path / "ws/memory/sub/a.md").write_bytes("\ufeffone\r\ntwo\n".encode())
    return SourceRoots(tmp_path / "ws")


def _only(roots: SourceRoots) -> FoundFile:
    (found,) = scan(roots).files
    return found


def test_bad_bytes_become_replacement_characters_and_nothing_else_changes() -> None:
    assert (
        decode(b"caf\xe9 \xf0\x9f\x9f \xed\xa0\x80 ok") == "caf\ufffd \ufffd \ufffd\ufffd\ufffd ok"
    )
    assert decode(b"\xef\xbb\xbfa\r\n\x00\x1b[31m") == "\ufeffa\r\n\x00\x1b[31m"


@given(st.binary(max_size=200))
def test_any_bytes_have_a_text_and_a_hash(data: bytes) -> None:
    text = decode(data)
    assert file_hash(text) == sha256(text.encode()).hexdigest()


def test_halves_of_characters_hash_like_their_replacement() -> None:
    assert file_hash("a\ud83d") == file_hash("a\ufffd")
    assert file_hash("\ud83d\ude80") == file_hash("🚀")


def test_a_found_file_is_read_as_it_is(roots: SourceRoots) -> None:
    text, digest = read_found(_only(roots))
    assert text == "\ufeffone\r\ntwo\n"
    assert digest == sha256(text.encode()).hexdigest()


def test_a_found_file_without_a_base_is_read_too(roots: SourceRoots) -> None:
    found = _only(roots)
    bare = FoundFile(found.path, found.location, found.source, found.size, found.mtime_ms)
    assert read_found(bare) == read_found(found)


def test_a_vanished_file_is_named(roots: SourceRoots) -> None:
    found = _only(roots)
    found.absolute.unlink()
    with pytest.raises(PathError, match=r"memory/sub/a\.md is not there"):
        read_found(found)


def test_a_file_that_became_a_link_is_refused(roots: SourceRoots, tmp_path: Path) -> None:
    found = _only(roots)
    (tmp_path / "secret.md").write_text("secret", "utf-8")
    found.absolute.unlink()
    found.absolute.symlink_to(tmp_path / "secret.md")
    with pytest.raises(PathError, match=r"memory/sub/a\.md cannot be read"):
        read_found(found)


def test_a_folder_that_became_a_link_is_refused(roots: SourceRoots, tmp_path: Path) -> None:
    found = _only(roots)
    (tmp_path / "ws/memory/sub").rename(tmp_path / "elsewhere")
    (tmp_path / "ws/memory/sub").symlink_to(tmp_path / "elsewhere")
    assert found.absolute.read_bytes()
    with pytest.raises(PathError, match="cannot be read"):
        read_found(found)


def test_a_file_that_became_a_pipe_does_not_hold_the_reader(roots: SourceRoots) -> None:
    found = _only(roots)
    found.absolute.unlink()
    os.mkfifo(found.absolute)
    with pytest.raises(PathError, match="not a regular file"):
        read_found(found)


def test_a_whole_file_is_read_or_named(roots: SourceRoots) -> None:
    assert read_memory(roots, "memory/sub/a.md") == "\ufeffone\r\ntwo\n"
    with pytest.raises(PathError, match=r"memory/none\.md is not there"):
        read_memory(roots, "memory/none.md")


def test_a_missing_allowed_file_is_an_empty_text(roots: SourceRoots) -> None:
    got = read_range(roots, "memory/2027-01-01.md", 3, 5)
    assert (got.path, got.text, got.lines) == ("memory/2027-01-01.md", "", 0)


def _notes(roots: SourceRoots, text: str) -> str:
    (roots.workspace / "MEMORY.md").write_text(text, "utf-8")
    return "MEMORY.md"


def test_long_files_come_in_pieces_of_whole_lines(roots: SourceRoots) -> None:
    path = _notes(roots, "".join(f"line {number}\n" for number in range(1, 301)))
    got = read_range(roots, path, default_lines=120, max_chars=12_000)
    assert (got.lines, got.truncated, got.next_from) == (120, True, 121)
    assert got.text.endswith("line 120")
    got = read_range(roots, path, 121, 200, default_lines=120, max_chars=12_000)
    assert (got.from_, got.lines, got.truncated, got.next_from) == (121, 180, False, None)
    assert got.citation == "MEMORY.md#L121-L300"


def test_a_first_line_above_the_limit_is_cut_between_characters(roots: SourceRoots) -> None:
    path = _notes(roots, "🟢" * 10 + "\nnext\n")
    got = read_range(roots, path, default_lines=120, max_chars=7)
    assert (got.text, got.lines, got.truncated, got.next_from) == ("🟢" * 3, 1, True, 2)
    last = read_range(roots, path, 2, max_chars=3)
    assert (last.text, last.truncated, last.next_from) == ("nex", True, None)


def test_a_text_that_just_fits_is_not_truncated(roots: SourceRoots) -> None:
    path = _notes(roots, "abc\ndef\n")
    assert not read_range(roots, path, max_chars=7).truncated
    assert read_range(roots, path, max_chars=6).next_from == 2


@given(
    st.text(st.sampled_from("ab\n🟢\r"), max_size=80),
    st.integers(1, 5),
    st.integers(1, 9),
)
def test_reading_on_from_where_it_says_gives_every_line(
    text: str, default_lines: int, max_chars: int
) -> None:
    lines: list[str] = []
    at: int | None = 1
    while at is not None:
        piece = take_range(
            text, at, None, default_lines=default_lines, max_chars=max_chars, style="memlens"
        )
        assert piece.first == at
        assert len(piece.lines) <= default_lines
        assert len("\n".join(piece.lines).encode("utf-16-le")) <= 2 * max_chars
        lines += piece.lines
        at = piece.next_from
    whole = take_range(text, None, None, default_lines=None, max_chars=None, style="memlens")
    assert len(lines) == len(whole.lines)
    for got, line in zip(lines, whole.lines, strict=True):
        assert line.startswith(got)


@given(st.text(st.sampled_from("ab\n"), max_size=40), st.integers(-3, 9), st.integers(-3, 9))
def test_the_originals_bend_numbers_into_range(text: str, from_: int, lines: int) -> None:
    got = take_range(text, from_, lines, default_lines=None, max_chars=None, style="original").lines
    everything = text.split("\n")
    if from_ == lines == 0:
        assert list(got) == everything
    else:
        first = max(1, from_)
        assert list(got) == everything[first - 1 : first - 1 + max(1, lines)]
