"""Lines to read and scroll, without a cursor."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content

from tui.widgets.search.line_view import LineView


class ReadingView(LineView):
    """Holds the lines that ``build`` makes for a width."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j", "scroll_down", "Line down", show=False, id="search.line_down"),
        Binding("up,k", "scroll_up", "Line up", show=False, id="search.line_up"),
        Binding("home,g", "scroll_home", "Top", show=False, id="search.top"),
        Binding("end,G", "scroll_end", "Bottom", show=False, id="search.bottom"),
        Binding("ctrl+d,pagedown", "page_down", "Page down", show=False, id="search.read_on"),
        Binding("ctrl+u,pageup", "page_up", "Page up", show=False, id="search.read_back"),
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
