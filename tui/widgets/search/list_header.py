"""The rule above the results: what each column holds and what the bar's glyphs mean."""

from __future__ import annotations

import re
from collections.abc import Mapping

from textual.content import Content

from tui.glyphs import Glyphs
from tui.text import cut, plain, width
from tui.widgets.search.columns import NUMBER_COLUMNS, Columns


def header(columns: Columns, glyphs: Glyphs, *, pinned: bool = False) -> Content:
    """One line of the list's width; ``pinned`` says what the changes are told against."""
    change = "Δ" if glyphs.name == "unicode" else "+-"
    where = f"path:lines {glyphs.dot} {change} against pin" if pinned else "path:lines"
    legend = f"{glyphs.bar}vec {glyphs.bar_text}txt {glyphs.bar_lost}aged"
    line = _Rule(columns.total, glyphs.rule)
    line.put(2, "#", 1)
    line.put(4, change, 2)
    line.put(8, "score", 5)
    at = 14
    if columns.bar:
        if width(legend) <= columns.bar:
            line.put(at, legend, columns.bar)
        at += columns.bar + 1
    if columns.numbers:
        for name, cells in NUMBER_COLUMNS:
            line.put(at + cells - len(name), name, cells)
            at += cells
        at += 1
    line.put(at, where, columns.where)
    at += columns.where
    if columns.age:
        line.put(at + columns.age - 5, "age", 3)
        at += columns.age
    if columns.text:
        in_bar = not columns.bar or width(legend) <= columns.bar
        line.put(at + 1, "text" if in_bar else legend, columns.text)
    inks = {
        glyphs.bar: ".search--vector",
        glyphs.bar_text: ".search--text",
        glyphs.bar_lost: ".search--lost",
    }
    return line.content(legend, inks)


class _Rule:
    """A rule of single cells into which words are put."""

    def __init__(self, cells: int, glyph: str) -> None:
        self._glyph = glyph
        self._cells = list(glyph * cells)

    def put(self, at: int, words: str, room: int) -> None:
        """Write words of one-cell letters at a place, a blank before and after them."""
        words = cut(words, room)
        for place, letter in enumerate(f" {words} ", at - 1):
            if 0 <= place < len(self._cells):
                self._cells[place] = letter

    def content(self, legend: str, inks: Mapping[str, str]) -> Content:
        """The line, its words in the ink of titles, the signs of the legend in theirs."""
        text = "".join(self._cells)
        content = plain(text, ".search--rule")
        for words in re.finditer(rf"[^ {re.escape(self._glyph)}]+", text):
            content = content.stylize(".search--title", *words.span())
        start = text.find(legend)
        for place, sign in enumerate(legend if start >= 0 else "", start):
            if sign in inks:
                content = content.stylize(inks[sign], place, place + 1)
        return content
