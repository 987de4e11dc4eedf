"""The selected lines as ``memory_get`` would return them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.timer import Timer
from textual.widget import Widget

from tui.glyphs import Glyphs, glyphs_of
from tui.text import assemble, cut_left, plain, width
from tui.widgets.files.chunk_map import tokens_of
from tui.widgets.panel import rule
from tui.wording import count, counted

if TYPE_CHECKING:
    from engine.errors import EngineError
    from engine.sources.reading import MemoryText


QUIET_S = 0.08
"""A range is asked for when it has not changed for this long."""


class RangeWanted(Message):
    """Lines are selected: what would ``memory_get`` return?"""

    def __init__(self, path: str, first: int, lines: int) -> None:
        super().__init__()
        self.path = path
        self.first = first
        self.lines = lines


class RangePanel(Widget):
    """A rule and three lines: what is asked, what comes back, how it is cited."""

    DEFAULT_CSS = """
    RangePanel { height: 4; display: none; }
    RangePanel.open { display: block; }
    """

    asked: reactive[tuple[str, int, int] | None] = reactive(None)
    """Path, first line and number of lines."""
    text: reactive[MemoryText | None] = reactive(None)
    error: reactive[EngineError | None] = reactive(None)

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._quiet: Timer | None = None

    def ask(self, path: str, first: int, last: int) -> None:
        """Open for these 1-based lines, and ask soon what comes back for them."""
        self.add_class("open")
        self.asked = (path, first, last - first + 1)
        if self._quiet is not None:
            self._quiet.stop()
        self._quiet = self.set_timer(QUIET_S, self._want)

    def close(self) -> None:
        """Nothing is selected any more."""
        self.remove_class("open")
        self.asked = self.text = self.error = None

    def _want(self) -> None:
        if self.asked is not None:
            self.post_message(RangeWanted(*self.asked))

    def show(self, text: MemoryText | None, error: EngineError | None) -> None:
        """Show what came back."""
        self.text, self.error = text, error

    def render(self) -> Content:
        """The lines of this moment."""
        cells, glyphs = self.size.width, glyphs_of(self)
        lines = [rule("memory_get", cells, glyphs, "what the agent's tool returns")]
        if self.asked is not None:
            lines.append(self._question(self.asked, cells, glyphs))
            lines += self._answer(cells, glyphs)
        return plain("\n").join(line.truncate(cells, ellipsis=True) for line in lines)

    def _question(self, asked: tuple[str, int, int], cells: int, glyphs: Glyphs) -> Content:
        path, first, lines = asked
        tail = f"  from {first}  lines {lines}"
        room = max(8, cells - width(tail) - 7)
        muted = ".files--muted"
        return assemble(
            (" path ", muted),
            cut_left(path, room, glyphs.ellipsis),
            ("  from ", muted),
            str(first),
            ("  lines ", muted),
            str(lines),
        )

    def _answer(self, cells: int, glyphs: Glyphs) -> list[Content]:
        if self.error is not None:
            words = f" {glyphs.failed} {self.error.title}: {self.error.message}"
            return [assemble((words, ".files--bad"))]
        text = self.text
        if text is None:
            return [assemble((f" reading{glyphs.ellipsis}", ".files--muted"))]
        dot = f" {glyphs.dot} "
        size = dot.join(
            (
                counted(text.lines, "line"),
                counted(len(text.text), "character"),
                f"~{count(tokens_of(text.text))} tokens",
            )
        )
        cut_short = ""
        if text.truncated:
            where = f"; read on from {text.next_from}" if text.next_from else ""
            cut_short = f"{dot}{glyphs.warning} truncated{where}"
        return [
            assemble(f" {glyphs.arrow} {size}", (cut_short, ".files--dirty")),
            assemble(
                (" Source: ", ".files--muted"),
                (cut_left(text.citation, max(8, cells - 10), glyphs.ellipsis), ".files--strong"),
            ),
        ]
