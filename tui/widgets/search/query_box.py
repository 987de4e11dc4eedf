"""The box that a query is typed into."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import Input

from tui.widgets.search.history import QueryHistory


class QueryBox(Input):
    """An input of one line with a history; tells of typing, of enter, and of leaving it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "up",
            "older",
            "earlier query",
            id="search.older",
            tooltip="Bring back the query before this one.",
        ),
        Binding(
            "down",
            "newer",
            "later query",
            show=False,
            id="search.newer",
            tooltip="Bring back the query after this one.",
        ),
        Binding(
            "escape,tab",
            "leave",
            "to the results",
            id="search.leave",
            tooltip="Go on to the results; nothing is sent to a remote provider.",
        ),
    ]
    DEFAULT_CSS = """
    QueryBox, QueryBox:focus {
        height: 1;
        border: none;
        padding: 0;
        background-tint: $foreground 0%;
    }
    """

    class Left(Message):
        """The person wants to go on to the results."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(
            placeholder="what should the memory know?",
            select_on_focus=False,
            compact=True,
            id=id,
        )
        self.history = QueryHistory()

    def action_older(self) -> None:
        """Bring back the query before this one."""
        self._put(self.history.older(self.value))

    def action_newer(self) -> None:
        """Bring back the query after this one."""
        self._put(self.history.newer(self.value))

    def action_leave(self) -> None:
        """Go on to the results."""
        self.post_message(self.Left())

    def _put(self, query: str) -> None:
        self.value = query
        self.cursor_position = len(query)
