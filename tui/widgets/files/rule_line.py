"""A heading drawn into a line, whose words change."""

from __future__ import annotations

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from tui.glyphs import glyphs_of
from tui.text import cut_left, width
from tui.widgets.panel import rule

FRAME_CELLS = 6
"""Cells that the line itself takes: its start, the gaps, and a piece at the end."""


class RuleLine(Widget):
    """A title, of which the beginning gives way, and as many remarks as have room."""

    DEFAULT_CSS = "RuleLine { height: 1; }"

    title: reactive[str] = reactive("")
    notes: reactive[tuple[str, ...]] = reactive(())
    """Remarks, the most important first."""

    def __init__(self, title: str = "", *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.set_reactive(RuleLine.title, title)

    def render(self) -> Content:
        """The line at the width of this moment."""
        cells, glyphs = self.size.width, glyphs_of(self)
        most = width(self.notes[0]) + 2 if self.notes else 0
        title = cut_left(self.title, max(8, cells - FRAME_CELLS - most), glyphs.ellipsis)
        note = self._note(cells - FRAME_CELLS - width(title) - 2)
        return rule(title, cells, glyphs, note)

    def _note(self, room: int) -> str:
        note = ""
        for words in self.notes:
            longer = f"{note} {glyphs_of(self).dot} {words}" if note else words
            if width(longer) > room:
                break
            note = longer
        return note
