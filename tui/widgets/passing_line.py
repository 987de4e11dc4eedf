"""What is told in passing, in the place of the key line: it covers nothing that can be read."""

from __future__ import annotations

from typing import ClassVar

from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from tui.glyphs import Glyphs, glyphs_of
from tui.notices import Notice, notices_of
from tui.text import assemble, line, plain

TALL = 30
MOST_LINES, MOST_LINES_TALL = 3, 5


class PassingLine(Widget):
    """As many lines as the notices need and the screen can spare; a click takes them away."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "passing--information",
        "passing--warning",
        "passing--error",
    }
    DEFAULT_CSS = """
    PassingLine {
        height: auto;
        background: $panel;
        .passing--information { color: $text-accent; text-style: bold; }
        .passing--warning { color: $text-warning; text-style: bold; }
        .passing--error { color: $text-error; text-style: bold; }
    }
    """

    def on_mount(self) -> None:
        """Follow the notices."""
        notices_of(self).changed.subscribe(self, self._follow)
        self._follow()

    def _follow(self, _: None = None) -> None:
        self.display = bool(notices_of(self).shown)
        self.refresh(layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """The lines that the notices take at this width."""
        return len(self._lines(width))

    def render(self) -> Content:
        """The notices, each with its sign."""
        return plain("\n").join(self._lines(self.size.width))

    def on_click(self) -> None:
        """They have been read."""
        notices_of(self).dismiss()

    def _lines(self, cells: int) -> list[Content]:
        glyphs = glyphs_of(self)
        lines = [
            wrapped
            for notice in notices_of(self).shown
            for wrapped in _wrapped(notice, cells, glyphs)
        ]
        most = MOST_LINES_TALL if self.app.size.height >= TALL else MOST_LINES
        if len(lines) > most:
            last = lines[most - 1].truncate(max(1, cells - 3))
            lines = [*lines[: most - 1], assemble(last, glyphs.ellipsis)]
        return lines


def _wrapped(notice: Notice, cells: int, glyphs: Glyphs) -> list[Content]:
    signs = {"information": glyphs.dot, "warning": glyphs.warning, "error": glyphs.failed}
    ink = f".passing--{notice.severity}"
    title = f"{line(notice.title)}: " if notice.title else ""
    times = f"  {glyphs.times}{notice.times}" if notice.times > 1 else ""
    said = assemble((title, ink), line(notice.text), (times, "bold"))
    return [
        assemble((f" {signs[notice.severity]} " if at == 0 else "   ", ink), piece)
        for at, piece in enumerate(said.wrap(max(8, cells - 4)))
    ]
