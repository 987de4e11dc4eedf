"""Comments in notes that say how important a text is, what recalls it, whose it is."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.chunking.annotations import (
    INVALID_PROJECT,
    NO_ANNOTATIONS,
    Annotations,
    annotations_of,
    take_comments,
)
from engine.chunking.chunk import Chunk, ChunkingRules
from engine.chunking.chunker import chunk_file

RULES = ChunkingRules(400, 80, "2026.9")
DAY = "memory/2026-02-10.md"


def _of(text: str) -> Annotations:
    return annotations_of(take_comments(text)[1])


def _only(path: str, text: str, rules: ChunkingRules = RULES) -> Chunk:
    (chunk,) = chunk_file(path, text, rules)
    return chunk


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("- one <!-- importance: 9 -->", "- one"),
        ("- one\t <!--importance:9--> \t", "- one"),
        ("- one <!-- project: a --> <!-- trigger: b -->\r\nnext", "- one\r\nnext"),
        ("one <!-- trigger: b --> two", "one two"),
        ("<!-- importance: 3 -->\nnext", "\nnext"),
        ("one <!-- importance: 99 -->", "one"),
        ("one <!-- project: -->", "one"),
        ("one <!-- note: kept --> ", "one <!-- note: kept --> "),
        ("one <!-- trigger:\nof two lines -->", "one <!-- trigger:\nof two lines -->"),
        ("one <!-- trigger: open", "one <!-- trigger: open"),
        ("a <!-- trigger: x <!-- importance: 3 --> b", "a <!-- trigger: x b"),
        ("importance: 9", "importance: 9"),
    ],
)
def test_what_is_left_of_the_text(text: str, left: str) -> None:
    assert take_comments(text)[0] == left


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("no comment", NO_ANNOTATIONS),
        ("<!-- note: none of ours -->", NO_ANNOTATIONS),
        ("<!-- importance: 1 -->", Annotations(importance=1)),
        ("<!-- importance: 10 -->", Annotations(importance=10)),
        ("<!-- importance: 0 -->", Annotations()),
        ("<!-- importance: 11 -->", Annotations()),
        ("<!-- importance: high -->", Annotations()),
        ("<!-- importance: 4 --> <!-- importance: 8 -->", Annotations(importance=8)),
        ("<!-- trigger: budget, money; crane cost -->",
         Annotations(triggers=("budget", "money", "crane cost"))),
        ("<!-- trigger: a, a -->\n<!-- trigger: b;; -->", Annotations(triggers=("a", "b"))),
        ("<!-- trigger: -->", Annotations()),
        ("<!-- project: Acme/Other; acme/crane -->",
         Annotations(projects=("acme/other", "acme/crane"))),
        ("<!-- project: ; -->", Annotations(projects=(INVALID_PROJECT,))),
        ("<!-- project: a --> <!-- project: -->", Annotations(projects=("a", INVALID_PROJECT))),
    ],
)  # fmt: skip
def test_what_comments_say(text: str, said: Annotations) -> None:
    assert _of(text) == said


def test_a_dated_note_keeps_its_projects_only() -> None:
    text = "# Day\n- one <!-- importance: 9 --> <!-- trigger: t -->\n- two <!-- project: A -->\n"
    chunk = _only(DAY, text)
    assert chunk.text == "# Day\n- one\n- two\n"
    assert chunk.annotations == Annotations(projects=("a",))


def test_a_project_counts_for_the_chunks_that_hold_its_line() -> None:
    lines = [f"line {n} of the note" for n in range(12)]
    lines[9] += " <!-- project: crane -->"
    chunks = chunk_file(DAY, "\n".join(lines), ChunkingRules(25, 0, "2026.9"))
    assert [chunk.annotations.projects for chunk in chunks] == [(), ("crane",), ()]
    assert (chunks[1].start_line, chunks[1].end_line) == (6, 10)


def test_an_entry_speaks_for_all_its_chunks() -> None:
    entry = "- start\n" + "\n".join(f"  line {n} of the entry" for n in range(9))
    text = entry + " <!-- importance: 8 -->\n- next\n"
    *parts, last = chunk_file("MEMORY.md", text, ChunkingRules(25, 0, "2026.9"))
    assert len(parts) > 1
    assert {part.annotations.importance for part in parts} == {8}
    assert last.annotations == NO_ANNOTATIONS


@pytest.mark.parametrize("path", ["", "sessions/main/a.jsonl", "../notes.txt"])
def test_only_notes_are_annotated(path: str) -> None:
    chunk = _only(path, "User: <!-- importance: 9 -->")
    assert (chunk.text, chunk.annotations) == ("User: <!-- importance: 9 -->", NO_ANNOTATIONS)


@pytest.mark.parametrize("dialect", ["2026.3", "2026.7"])
def test_earlier_releases_know_no_annotations(dialect: str) -> None:
    chunk = _only("MEMORY.md", "- one <!-- importance: 9 -->", ChunkingRules(400, 80, dialect))
    assert (chunk.text, chunk.annotations) == ("- one <!-- importance: 9 -->", NO_ANNOTATIONS)


_COMMENTS = st.sampled_from(["", " <!-- importance: 3 -->", "\t<!--project: a; b-->",
                             " <!-- trigger: x --> <!-- project: -->"])  # fmt: skip


@given(
    st.lists(st.tuples(st.sampled_from(["- a", "# b", "", "c d", "路"]), _COMMENTS), max_size=30),
    st.sampled_from(["MEMORY.md", DAY]),
)
@settings(deadline=None)
def test_comments_change_no_border_and_no_text(lines: list[tuple[str, str]], path: str) -> None:
    rules = ChunkingRules(8, 3, "2026.9")
    plain = "\n".join(line for line, _ in lines)
    annotated = "\n".join(line + comment for line, comment in lines)
    expected = [(c.start_line, c.end_line, c.hash) for c in chunk_file(path, plain, rules)]
    found = [(c.start_line, c.end_line, c.hash) for c in chunk_file(path, annotated, rules)]
    assert found == expected


@pytest.mark.parametrize(
    "line", [" " * 200_000, "<!-- trigger:" * 20_000, "<!--" + " \t" * 100_000 + "x"]
)
def test_hostile_lines_are_read_once(line: str) -> None:
    """Taken at every position anew, each of these would need hours."""
    text = line + "<!-- importance: 3"
    assert take_comments(text) == (text, [])
