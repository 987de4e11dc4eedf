"""The door for text: nothing that comes through it can act, hide or break a line."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from textual.content import Content

from tests.shared import shared
from tui import text

ANY_TEXT = st.text(st.characters(codec=None))
HOSTILE = [*range(0x20), 0x7F, *range(0x80, 0xA0), 0x202E, 0x2066, 0x200B, 0xFEFF, 0x2028, 0xD800]


@given(ANY_TEXT)
def test_safe_text_keeps_every_offset_and_holds_nothing_that_acts(raw: str) -> None:
    shown = text.safe(raw)
    assert len(shown) == len(raw)
    assert not {ord(char) for char in shown} & (set(HOSTILE) - {0x09, 0x0A})
    shown.encode("utf-8")


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("\x1b]52;c;AAAA\x07", "␛]52;c;AAAA␇"),
        ("\x9b31mred", "▯31mred"),
        ("pay\u202egpj.exe", "pay⇄gpj.exe"),
        ("a\u200bb", "a◊b"),
        ("\ud83d!", "\ufffd!"),
        ("line\n\ttab", "line\n\ttab"),
        ("👩\u200d🔬", "👩\u200d🔬"),
    ],
)
def test_pictures(raw: str, shown: str) -> None:
    assert text.safe(raw) == shown


@given(ANY_TEXT, st.integers(0, 40))
def test_cut_fits_and_pad_fills(raw: str, cells: int) -> None:
    assert cell_len(text.cut(raw, cells)) <= cells
    assert cell_len(text.cut_left(raw, cells)) <= cells
    assert cell_len(text.pad(raw, cells)) == cells
    assert cell_len(text.pad(raw, cells, align="right", ellipsis="...")) == cells


def test_cutting_keeps_wide_characters_whole() -> None:
    assert text.cut("日本語のメモ", 5) == "日本…"
    assert text.cut("日本語のメモ", 12) == "日本語のメモ"
    assert text.cut_left("memory/日本語.md", 9) == "…本語.md"
    assert text.cut("👩\u200d🔬👩\u200d🔬👩\u200d🔬", 5) == "👩\u200d🔬👩\u200d🔬…"
    assert text.cut("abcdef", 2, "...") == ".."


def test_a_line_has_no_newline_and_single_blanks() -> None:
    assert text.line(" one\n\ttwo\r\nthree ") == "one two three"


@given(ANY_TEXT)
def test_content_is_never_read_as_markup(raw: str) -> None:
    assert text.plain(raw).plain == text.safe(raw)
    assert text.plain(raw).spans == []
    made = text.assemble("<", (raw, "bold"), ">")
    assert made.plain == f"<{text.safe(raw)}>"
    assert all(span.style == "bold" for span in made.spans)


def test_the_strings_of_the_markup_case_are_shown_letter_for_letter() -> None:
    for raw in json.loads(shared("cases", "markup-text", "texts.json").read_text("utf-8")):
        made = text.assemble(raw, Content(" end"))
        assert made.plain == f"{text.safe(raw)} end"
        assert made.spans == []
