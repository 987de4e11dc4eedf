"""The line above a part of the screen: its title and the chunk it is about."""

from __future__ import annotations

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from engine.ranking.candidate import Candidate
from tui.glyphs import glyphs_of
from tui.text import width
from tui.widgets.panel import rule
from tui.widgets.search.row_content import where_of


class Heading(Widget):
    """One line, drawn into a rule."""

    DEFAULT_CSS = "Heading { height: 1; }"

    text: reactive[str] = reactive("")
    subject: reactive[Candidate | None] = reactive(None)

    def __init__(self, text: str, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.set_reactive(Heading.text, text)

    def render(self) -> Content:
        """The line at the width of this moment."""
        cells, glyphs = self.size.width, glyphs_of(self)
        room = cells - width(self.text) - 8
        note = (
            where_of(self.subject, room, glyphs.ellipsis)
            if self.subject is not None and room > 0
            else ""
        )
        return rule(self.text, cells, glyphs, note)
