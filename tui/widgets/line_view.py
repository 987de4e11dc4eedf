"""Lines that scroll, drawn one by one when they come into view."""

from __future__ import annotations

from typing import ClassVar

from textual.content import Content
from textual.css.styles import RulesMap
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.style import Style
from textual.visual import RenderOptions

_UNWRAPPED: RulesMap = {"text_wrap": "nowrap", "text_overflow": "clip"}


class LineView(ScrollView, can_focus=True):
    """A scrolling view over ``line_count`` lines of ``line``; drawn lines are kept.

    Nothing wraps: a subclass breaks or cuts its text to ``text_width`` itself.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {"line-view--cursor", "line-view--cursor-blurred"}
    DEFAULT_CSS = """
    LineView {
        overflow-x: hidden;
        overflow-y: auto;
        scrollbar-size-vertical: 1;
        scrollbar-background: $surface;
        scrollbar-background-hover: $surface;
        scrollbar-background-active: $surface;
        background: transparent;
        .line-view--cursor { background: $primary 25%; }
        .line-view--cursor-blurred { background: $panel; }
    }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._drawn: dict[tuple[int, bool], Strip] = {}
        self._drawn_for: tuple[int, Style] | None = None
        self._inks: dict[str, Style] = {}

    @property
    def text_width(self) -> int:
        """Cells that a line may take."""
        return self.scrollable_content_region.width

    @property
    def line_count(self) -> int:
        """How many lines there are."""
        return 0

    def line(self, number: int, under_cursor: bool) -> Content:
        """The content of a line, 0-based, at most ``text_width`` cells."""
        raise NotImplementedError

    def has_cursor(self, number: int) -> bool:
        """True when the cursor is on that line."""
        return False

    def lines_changed(self) -> None:
        """Draw all lines anew; called when lines or their number have changed."""
        self._drawn.clear()
        self.virtual_size = Size(self.text_width, self.line_count)
        self.refresh()

    def on_resize(self) -> None:
        """Another width may break or cut lines elsewhere."""
        self.lines_changed()

    def watch_show_vertical_scrollbar(self) -> None:
        """A scrollbar takes a cell from every line."""
        self.call_after_refresh(self.lines_changed)

    def notify_style_update(self) -> None:
        """Another theme has other inks."""
        self._drawn.clear()
        self._inks.clear()
        super().notify_style_update()

    def render_line(self, y: int) -> Strip:
        """Draw the line at this height of the view."""
        number = y + int(self.scroll_offset.y)
        style = self.visual_style
        width = self.size.width
        if number >= self.line_count or not self.text_width:
            return Strip.blank(width, style.rich_style)
        if self._drawn_for != (self.text_width, style):
            self._drawn.clear()
            self._drawn_for = (self.text_width, style)
        key = (number, self.has_cursor(number))
        strip = self._drawn.get(key)
        if strip is None:
            strip = self._drawn[key] = self._draw(*key)
        return strip

    def _draw(self, number: int, under_cursor: bool) -> Strip:
        style = self.visual_style
        if under_cursor:
            name = "line-view--cursor" if self.has_focus else "line-view--cursor-blurred"
            style = self.get_visual_style(name)
        content = self.line(number, under_cursor)
        options = RenderOptions(self._ink, _UNWRAPPED)
        strips = content.render_strips(self.text_width, 1, style, options)
        strip = strips[0] if strips else Strip.blank(0)
        return strip.adjust_cell_length(self.text_width, style.rich_style)

    def _ink(self, name: str | Style) -> Style:
        """A style by name; looking one up costs more than drawing with it."""
        if isinstance(name, Style):
            return name
        ink = self._inks.get(name)
        if ink is None:
            ink = self._inks[name] = self._get_style(name)
        return ink

    def on_focus(self) -> None:
        """The cursor looks different with focus."""
        self._drawn.clear()
        self.refresh()

    def on_blur(self) -> None:
        """The cursor looks different without focus."""
        self._drawn.clear()
        self.refresh()
