"""What the sheets of the Providers screen are made of: sections of rows, and what a row can do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from textual.content import Content

from tui.glyphs import Glyphs
from tui.text import assemble, cut, pad

LABEL_CELLS = 10
MOST_LINES = 4
"""Lines of a row on the sheet; the whole text stands in its dialog."""
DeedName = Literal["probe", "open", "cancel"]


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
    rows: Sequence[Row] = field(default=())
    note: str = ""


def drawn(row: Row, cells: int, glyphs: Glyphs) -> Content:
    """The row in lines of at most ``cells`` cells, the text under the text."""
    room = max(cells - LABEL_CELLS - 2, 8)
    lines = row.said.wrap(room)
    if len(lines) > MOST_LINES:
        last = cut(lines[MOST_LINES - 1].plain, room - len(glyphs.ellipsis), "") + glyphs.ellipsis
        lines = [*lines[: MOST_LINES - 1], assemble(last)]
    found: list[str | Content | tuple[str, str]] = []
    for number, line in enumerate(lines):
        label = pad("" if number else row.label, LABEL_CELLS, ellipsis=glyphs.ellipsis)
        found += ["\n" if number else "", " ", (label, "$text-muted"), line]
    return assemble(*found)
