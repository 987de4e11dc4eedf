"""What the sheets of the Providers screen are made of: sections of rows, and what a row can do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from textual.content import Content

from tui.glyphs import Glyphs
from tui.text import assemble, cut, pad, width

LABEL_CELLS, MOST_LABEL_CELLS = 10, 24
MOST_LINES = 4
"""Lines of a row on the sheet; the whole text stands in its dialog."""
DeedName = Literal["probe", "open", "cancel", "cancel jobs"]


@dataclass(frozen=True, slots=True)
class Deed:
    """Something that can be done from a row; ``target`` is the key of a setting to open."""

    name: DeedName
    label: str
    target: str = ""
    danger: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """A labelled line. ``key`` tells it from all others and stays when its text changes.

    ``more`` is what its dialog says besides, ``deeds`` are the buttons there.
    """

    key: str
    label: str
    said: Content
    more: Content | None = None
    deeds: tuple[Deed, ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """A titled group of rows; ``note`` stands behind the title."""

    title: str
    rows: Sequence[Row]
    note: str = ""

    @property
    def label_cells(self) -> int:
        """Cells that the labels take, with the gap behind them."""
        longest = max((width(row.label) for row in self.rows), default=0)
        return min(max(longest + 1, LABEL_CELLS), MOST_LABEL_CELLS)


def drawn(row: Row, label_cells: int, cells: int, glyphs: Glyphs) -> Content:
    """The row in lines of at most ``cells`` cells, the text under the text."""
    room = max(cells - label_cells - 2, 8)
    lines = row.said.wrap(room)
    if len(lines) > MOST_LINES:
        last = cut(lines[MOST_LINES - 1].plain, room - len(glyphs.ellipsis), "") + glyphs.ellipsis
        lines = [*lines[: MOST_LINES - 1], assemble(last)]
    found: list[str | Content | tuple[str, str]] = []
    for number, line in enumerate(lines):
        label = _label("" if number else row.label, label_cells, glyphs)
        found += ["\n" if number else "", " ", (label, "$text-muted"), line]
    return assemble(*found)


def _label(label: str, cells: int, glyphs: Glyphs) -> str:
    """The label with a blank behind it, whatever its length."""
    return pad(cut(label, cells - 1, glyphs.ellipsis), cells)
