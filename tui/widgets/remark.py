"""A line whose text changes often; changing it never lays out the screen anew."""

from __future__ import annotations

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget


class Remark(Widget):
    """One line of content; its style sheet says how it is aligned."""

    DEFAULT_CSS = "Remark { height: 1; text-wrap: nowrap; }"

    shown: reactive[Content] = reactive(Content(""))

    def render(self) -> Content:
        """The line."""
        return self.shown
