"""Lines to read and scroll, without a cursor."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content

from tui.widgets.line_view import LineView


def _key(keys: str, action: str, name: str, does: str) -> Binding:
    words = name.replace("_", " ")
    return Binding(keys, action, words, show=False, id=f"search.{name}", tooltip=does)


class ReadingView(LineView):
    """Holds the lines that ``build`` makes for a width."""

    BINDINGS: ClassVar[list[BindingType]] = [
        _key("down,j", "scroll_down", "line_down", "Scroll down a line."),
        _key("up,k", "scroll_up", "line_up", "Scroll up a line."),
        _key("home,g", "scroll_home", "top", "Go to the first line."),
        _key("end,G", "scroll_end", "bottom", "Go to the last line."),
        _key("ctrl+d,pagedown", "page_down", "page_on", "Scroll down a page."),
        _key("ctrl+u,pageup", "page_up", "page_back", "Scroll up a page."),
    ]

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._lines: list[Content] = []

    @property
    def line_count(self) -> int:
        """The lines at the width of this moment."""
        return len(self._lines)

    def line(self, number: int, under_cursor: bool) -> Content:
        """A built line."""
        return self._lines[number]

    def build(self, width: int) -> list[Content]:
        """All lines, each at most ``width`` cells."""
        raise NotImplementedError

    def lines_changed(self) -> None:
        """Build anew for the width of this moment."""
        self._lines = self.build(self.text_width) if self.text_width > 0 else []
        super().lines_changed()
