"""The box that asks or tells something over a screen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Generic, TypeVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.events import Resize
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Button, Static

from tui.messages import WentBack
from tui.text import plain
from tui.widgets.passing_line import PassingLine

Answer = TypeVar("Answer")
FRAME_LINES = 6
"""Lines of a dialog that are not its text: border, buttons, and a little air."""


@dataclass(frozen=True, slots=True)
class Choice(Generic[Answer]):
    """A button: its text, the answer it gives, and whether it is the dangerous one."""

    label: str
    answer: Answer
    danger: bool = False


class Dialog(ModalScreen[Answer]):
    """A title, some text and buttons. Esc gives the last choice, which must be harmless."""

    DEFAULT_CSS = """
    Dialog > Vertical {
        width: 76; max-width: 94%; height: auto;
        background: $surface; border: round $primary; padding: 0 1;
        border-title-color: $primary; border-title-style: bold;
    }
    Dialog #said { height: auto; }
    Dialog #said > Static { height: auto; }
    Dialog #choices { height: 1; margin-top: 1; align-horizontal: right; }
    Dialog PassingLine { dock: bottom; max-height: 2; }
    Dialog Button { min-width: 8; width: auto; margin-left: 2; padding: 0 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "leave", "close", id="dialog.leave", show=False),
        Binding("left,h", "app.focus_previous", "previous", show=False),
        Binding("right,l", "app.focus_next", "next", show=False),
        Binding("down,j", "scroll_said(1)", "down", show=False),
        Binding("up,k", "scroll_said(-1)", "up", show=False),
    ]

    def __init__(self, title: str, choices: Sequence[Choice[Answer]]) -> None:
        super().__init__()
        self._title = title
        self._choices = choices
        self._box = Vertical()
        self._said_box = VerticalScroll(id="said", can_focus=False)
        self._buttons = [
            Button(
                plain(choice.label),
                variant="error" if choice.danger else "default",
                id=f"choice-{number}",
                compact=True,
            )
            for number, choice in enumerate(choices)
        ]

    def compose(self) -> ComposeResult:
        """The box with what ``compose_said`` gives and a row of buttons."""
        self.call_it(self._title)
        with self._box:
            with self._said_box:
                yield from self.compose_said()
            with Horizontal(id="choices"):
                yield from self._buttons
        yield PassingLine()

    def compose_said(self) -> Iterable[Widget]:
        """The widgets above the buttons."""
        return ()

    def call_it(self, title: str) -> None:
        """Give the box this title."""
        self._box.border_title = plain(title)

    def on_mount(self) -> None:
        """Put the focus where the dialog wants it."""
        self.focus_first()

    def focus_first(self) -> None:
        """The harmless choice has the focus."""
        self._buttons[-1].focus()

    def on_resize(self, event: Resize) -> None:
        """A long text scrolls, so that the buttons stay in sight."""
        self._said_box.styles.max_height = max(event.size.height - FRAME_LINES, 1)

    @on(Button.Pressed)
    def take(self, event: Button.Pressed) -> None:
        """Answer with the choice of the button."""
        event.stop()
        number = int((event.button.id or "choice-0").removeprefix("choice-"))
        self.dismiss(self._choices[number].answer)

    def action_leave(self) -> None:
        """Answer with the last, harmless choice."""
        self.app.post_message(WentBack())
        self.dismiss(self._choices[-1].answer)

    def action_scroll_said(self, lines: int) -> None:
        """Move through a text that is longer than the box."""
        self._said_box.scroll_relative(y=lines, animate=False)


class Telling(Dialog[Answer]):
    """A dialog whose upper part is one text; a text that is made anew follows the news."""

    def __init__(
        self, title: str, said: Content | Callable[[], Content], choices: Sequence[Choice[Answer]]
    ) -> None:
        super().__init__(title, choices)
        self._said = said
        self._shown = Static()

    def compose_said(self) -> Iterable[Widget]:
        """The text."""
        self.on_news_waiting()
        yield self._shown

    def on_news_waiting(self) -> None:
        """Say what holds now: a dialog may stand open for long."""
        self._shown.update(self._said() if callable(self._said) else self._said)
