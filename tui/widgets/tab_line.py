"""The second line of every screen: which screens there are, and which one is in front."""

from __future__ import annotations

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from tui.navigation import TABS
from tui.text import assemble, width


class TabLine(Widget):
    """Shows the screens by digit and name; a click goes there."""

    class Chosen(Message):
        """A tab was clicked."""

        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

    def __init__(self, current: str) -> None:
        super().__init__()
        self.current = current

    def render(self) -> Content:
        """The line, with the current screen in brackets."""
        return assemble(" ", *[(text, style) for text, style, _ in self._pieces()])

    def _pieces(self) -> list[tuple[str, str, str | None]]:
        pieces: list[tuple[str, str, str | None]] = []
        for tab in TABS:
            here = tab.name == self.current
            label = f"[{tab.key} {tab.title}]" if here else f" {tab.key} {tab.title} "
            pieces.append((label, "bold $primary" if here else "$text-muted", tab.name))
            pieces.append((" ", "", None))
        return pieces

    def on_click(self, event: events.Click) -> None:
        """Go to the tab under the pointer."""
        at = event.x - 1
        for text, _, name in self._pieces():
            at -= width(text)
            if at < 0:
                if name is not None:
                    self.post_message(self.Chosen(name))
                return
