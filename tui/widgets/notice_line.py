"""Remarks above what they are about, as many lines as they need and the screen can spare."""

from __future__ import annotations

from textual.content import Content
from textual.geometry import Size
from textual.reactive import reactive
from textual.widget import Widget

from tui.glyphs import glyphs_of
from tui.text import assemble, line, plain

MOST_LINES = 4


class NoticeLine(Widget):
    """Takes no line when there is nothing to say."""

    DEFAULT_CSS = """
    NoticeLine { height: auto; color: $warning; }
    """

    notices: reactive[tuple[str, ...]] = reactive((), layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """The lines that the remarks take at this width."""
        return len(self._lines(width))

    def render(self) -> Content:
        """The remarks, each with the sign of a warning."""
        return plain("\n").join(self._lines(self.size.width))

    def _lines(self, cells: int) -> list[Content]:
        sign, ellipsis = glyphs_of(self).warning, glyphs_of(self).ellipsis
        most = MOST_LINES if self.screen.size.height >= 30 else 2
        lines: list[Content] = []
        for notice in self.notices:
            wrapped = plain(line(notice)).wrap(max(8, cells - 3))
            lines += [
                assemble(f" {sign} " if number == 0 else "   ", piece)
                for number, piece in enumerate(wrapped)
            ]
        if len(lines) > most:
            last = lines[most - 1]
            lines = [*lines[: most - 1], last.truncate(max(1, cells - 3)).append(ellipsis)]
        return lines
