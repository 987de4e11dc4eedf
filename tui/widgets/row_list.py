"""A list of rows to choose from, with the keys of vi, that can be asked to page at any moment."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.widgets import OptionList


class RowList(OptionList):
    """Rows are content, never markup.

    Textual's list fails when it is to page before it has been laid out (hidden, or in a
    terminal of a few lines); here it stays where it is.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j", "cursor_down", "down", show=False, id="list.down"),
        Binding("k", "cursor_up", "up", show=False, id="list.up"),
        Binding("g", "first", "first", show=False, id="list.first"),
        Binding("G", "last", "last", show=False, id="list.last"),
        Binding("ctrl+d", "page_down", "page down", show=False, id="list.page_down"),
        Binding("ctrl+u", "page_up", "page up", show=False, id="list.page_up"),
    ]

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(markup=False, id=id)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Paging needs lines in sight."""
        if action in ("page_up", "page_down"):
            return bool(self.scrollable_content_region)
        return super().check_action(action, parameters)
