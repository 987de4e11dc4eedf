"""A line to type into: what is searched in the file, or what the tree is filtered by."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Input, Static

from tui.text import plain
from tui.widgets.remark import Remark


class FindBar(Horizontal):
    """Tells of typing at once, of enter, and of leaving it; hidden while not in use."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "leave it", id="files.bar_leave", tooltip="Leave it, empty."),
        Binding("down", "take", "take", id="files.bar_take", show=False, tooltip="Go on with it."),
    ]
    DEFAULT_CSS = """
    FindBar { height: 1; display: none; }
    FindBar.open { display: block; }
    FindBar > Static { width: 3; }
    FindBar > Input, FindBar > Input:focus { width: 1fr; height: 1; border: none; padding: 0; }
    FindBar > Remark { width: 18; text-align: right; padding: 0 1; color: $text-muted; }
    """

    class Typed(Message):
        """The text is another."""

        def __init__(self, bar: FindBar, text: str) -> None:
            super().__init__()
            self.bar = bar
            self.text = text

        @property
        def control(self) -> FindBar:
            """The bar."""
            return self.bar

    class Taken(Typed):
        """Enter was pressed."""

    class Left(Typed):
        """The person wants none of it."""

    def __init__(self, placeholder: str, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.box = Input(placeholder=placeholder, compact=True, select_on_focus=False)
        self._outcome = Remark()

    def compose(self) -> ComposeResult:
        """Sign, box, and what came of it."""
        yield Static(plain(" / "))
        yield self.box
        yield self._outcome

    def open(self) -> None:
        """Show the bar and take the keys; what was typed before can be changed."""
        self.add_class("open")
        self.box.focus()
        self.box.action_end()

    def close(self) -> None:
        """Hide it, empty."""
        self.remove_class("open")
        with self.prevent(Input.Changed):
            self.box.value = ""
        self.say("")

    def say(self, words: str) -> None:
        """Show what came of it."""
        self._outcome.shown = plain(words)

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        event.stop()
        self.post_message(self.Typed(self, event.value))

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_take()

    def action_take(self) -> None:
        """Go on with what was typed."""
        self.post_message(self.Taken(self, self.box.value))

    def action_leave(self) -> None:
        """Leave it, empty."""
        self.close()
        self.post_message(self.Left(self, ""))
