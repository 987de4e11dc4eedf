"""Cells, wrapping and windows of single lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from tui.widgets.files.cells import CellLine, shown_line, surely_fits

PIECES = st.sampled_from(
    [
        "word",
        " ",
        "  ",
        "x",
        "字",
        "한글",
        "é",
        "e\u0301",
        "👩‍👩‍👧",
        "🐘",
        "\t",
        "\x1b",
        "ｗ",
        "，",
        "…",
    ]
)
LINES = st.lists(PIECES, max_size=60).map("".join)
WIDTHS = st.integers(min_value=4, max_value=40)


@given(LINES, WIDTHS)
def test_rows_hold_the_whole_line_and_fit(raw: str, cells: int) -> None:
    line = CellLine(shown_line(raw))
    breaks = line.breaks(cells)
    ends = [*breaks, len(line.shown)]
    rows = [line.shown[a:b] for a, b in zip([0, *breaks], ends, strict=True)]
    assert "".join(rows) == line.shown
    assert all(cell_len(row.rstrip(" ")) <= cells for row in rows)
    assert all(rows) or not raw


@given(LINES)
def test_the_width_is_that_of_the_terminal(raw: str) -> None:
    line = CellLine(shown_line(raw))
    assert line.cells == cell_len(line.shown)


@given(LINES, st.integers(0, 80), WIDTHS)
def test_a_window_fits_and_lies_where_it_should(raw: str, first: int, cells: int) -> None:
    line = CellLine(shown_line(raw))
    start, end = line.window(first, cells)
    assert cell_len(line.shown[start:end]) <= cells
    if start < end:
        assert line.cell_of(start) >= first
        assert line.cell_of(start) + cell_len(line.shown[start:end]) <= first + cells


@given(LINES, WIDTHS)
def test_what_surely_fits_does(raw: str, cells: int) -> None:
    if surely_fits(raw, cells):
        assert CellLine(shown_line(raw)).breaks(cells) == []


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("a\tb", "a   b"),
        ("字\tb", "字  b"),
        ("\t\tx", "        x"),
        ("text\r", "text"),
        ("a\rb", "a␍b"),
        ("\x1b[31mred\x9b0m", "␛[31mred▯0m"),
        ("[/bold] [@click=app.quit]x[/]", "[/bold] [@click=app.quit]x[/]"),
    ],
)
def test_lines_are_shown_letter_for_letter(raw: str, shown: str) -> None:
    assert shown_line(raw) == shown


def test_words_stay_whole_where_they_can() -> None:
    line = CellLine("one two three four five six")
    assert [line.shown[a:] for a in line.breaks(10)] == [
        "three four five six",
        "five six",
    ]
