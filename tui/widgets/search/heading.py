"""The line above a part of the screen: its title and a remark."""

from __future__ import annotations

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from tui.glyphs import glyphs_of
from tui.widgets.panel import rule


class Heading(Widget):
    """One line, drawn into a rule."""

    DEFAULT_CSS = "Heading { height: 1; }"

    text: reactive[str] = reactive("")
    note: reactive[str] = reactive("")

    def __init__(self, text: str, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.set_reactive(Heading.text, text)

    def render(self) -> Content:
        """The line at the width of this moment."""
        return rule(self.text, self.size.width, glyphs_of(self), self.note)
