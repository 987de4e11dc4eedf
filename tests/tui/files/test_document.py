"""Lines are those of editors and of memory_get, whatever separators a text holds."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engine.sources.ranges import take_range
from tests.cases.inputs import DATA
from tui.widgets.files.chunk_map import ChunkMap
from tui.widgets.files.document import Document, fences
from tui.widgets.files.row_map import RowMap
from tui.widgets.files.sections import section_at, sections

SEPARATORS = ["\n", "\r\n", "\r", "\x0b", "\x0c", "\x1c", "\x1d", "\x85", "\u2028", "\u2029", "\0"]
TEXTS = st.lists(st.sampled_from([*SEPARATORS, "a", "# h", "```", "字", " "])).map("".join)


@given(TEXTS)
def test_lines_are_the_text_split_at_line_feeds(text: str) -> None:
    document = Document.of("x.md", text)
    wanted = text.split("\n")
    if wanted[-1] == "" and len(wanted) > 1:
        wanted.pop()
    assert list(document.lines) == wanted
    assert document.extract(1, len(wanted)) == text.removesuffix("\n") or text in ("", "\n")


@given(TEXTS.filter(bool))
def test_lines_count_as_memory_get_counts_them(text: str) -> None:
    document = Document.of("x.md", text)
    for number in range(1, len(document.lines) + 1):
        taken = take_range(text, number, 1, default_lines=None, max_chars=None, style="memlens")
        assert taken.lines == (document.lines[number - 1],)


@given(TEXTS, st.sampled_from(["a", "字", "# h", "\r"]))
def test_every_place_of_a_text_is_found_where_it_is(text: str, needle: str) -> None:
    document = Document.of("x.md", text)
    places = [document.match(offset, len(needle)) for offset in document.find(needle)]
    assert len(places) == text.count(needle)
    assert all(document.lines[at.line][at.start : at.end] == needle for at in places)


@given(TEXTS)
def test_every_line_is_in_exactly_one_section(text: str) -> None:
    document = Document.of("x.md", text)
    found = sections(document)
    assert [n for s in found for n in range(s.first, s.last + 1)] == list(
        range(1, len(document.lines) + 1)
    )
    for line in range(1, len(document.lines) + 1):
        section = found[section_at(found, line)]
        assert section.first <= line <= section.last


@given(TEXTS, st.none() | st.integers(8, 20))
def test_rows_show_every_line_once_in_order(text: str, cells: int | None) -> None:
    rows = RowMap.of(Document.of("x.md", text), ChunkMap(), cells)
    firsts = [rows.row(n).line for n in range(len(rows)) if rows.row(n).first]
    assert firsts == list(range(len(rows.document.lines)))
    assert all(rows.line_at(rows.first_row(line)) == line for line in firsts)


def test_capitals_count_only_when_typed() -> None:
    document = Document.of("x.md", "Router\nrouter\nROUTER\n")
    assert len(document.find("router")) == 3
    assert document.find("Router") == [0]


def test_a_fence_is_closed_by_its_own_kind() -> None:
    lines = ["a", "```py", "# no heading", "~~~", "```", "b"]
    assert list(fences(lines)) == [0, 1, 1, 1, 1, 0]


def test_the_words_of_the_case_stand_on_their_lines() -> None:
    for name, word, line in (("odd.md", "tamarind", 6), ("cr.md", "sumac", 3)):
        file = DATA / "line-count" / "workspace" / "memory" / name
        document = Document.of(name, file.read_bytes().decode("utf-8", "replace"))
        (offset,) = document.find(word)
        assert document.line_at(offset) + 1 == line


def test_a_long_section_comes_in_parts_and_front_matter_apart() -> None:
    body = "word " * 2_000
    text = f"---\ntitle: x\n---\nintro\n# Big\n{body}\n{body}\n{body}\n## Small\nend\n"
    found = sections(Document.of("x.md", text))
    assert [(s.title, s.part, s.parts, s.first, s.last) for s in found] == [
        ("front matter", 1, 1, 1, 3),
        ("", 1, 1, 4, 4),
        ("Big", 1, 3, 5, 6),
        ("Big", 2, 3, 7, 7),
        ("Big", 3, 3, 8, 8),
        ("Small", 1, 1, 9, 10),
    ]
