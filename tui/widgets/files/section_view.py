"""One section of a file as a rendered page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.strip import Strip

from tui.widgets.files.document import Document
from tui.widgets.files.rendering import FEWEST_CELLS, INKS, Rendered
from tui.widgets.files.sections import Section, section_at, sections
from tui.widgets.line_view import LineView

MARGIN = 2


class RenderWanted(Message):
    """A section is to be laid out for a width, in the screen's inks."""

    def __init__(
        self, document: Document, section: Section, cells: int, inks: dict[str, Style]
    ) -> None:
        super().__init__()
        self.document = document
        self.section = section
        self.cells = cells
        self.inks = inks


def _key(
    keys: str, action: str, says: str, name: str, tooltip: str, *, show: bool = False
) -> BindingType:
    return Binding(keys, action, says, id=f"files.page_{name}", tooltip=tooltip, show=show)


class SectionRendered(Message):
    """The worker's answer."""

    def __init__(self, rendered: Rendered) -> None:
        super().__init__()
        self.rendered = rendered


class SectionView(LineView):
    """Scrolls the lines that a worker has laid out; its links lead nowhere."""

    HELP = (
        "One section of the file, rendered. Links are shown, not followed. Long sections come "
        "in parts; the source view has everything as it is on disk."
    )
    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = [
        _key("j,down", "scroll_down", "down", "down", "One line down."),
        _key("k,up", "scroll_up", "up", "up", "One line up."),
        _key("g,home", "scroll_home", "top", "top", "To the top of the section."),
        _key("G,end", "scroll_end", "bottom", "bottom", "To the end of the section."),
        _key("space,ctrl+d,pagedown", "page_down", "page on", "page_down", "One page down."),
        _key("b,ctrl+u,pageup", "page_up", "page back", "page_up", "One page up."),
        _key("left_square_bracket", "step(-1)", "section before", "before", "Previous section."),
        _key("right_square_bracket", "step(1)", "section", "next", "Next section.", show=True),
    ]
    DEFAULT_CSS = "SectionView { height: 1fr; }"

    class Changed(Message):
        """Another section is shown, or was asked for."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.rendered: Rendered | None = None
        self._document: Document | None = None
        self._sections: Sequence[Section] = ()
        self._at = 0

    def open(self, document: Document, line: int) -> None:
        """Ask for the section that holds a 1-based line."""
        self._document, self._sections = document, sections(document)
        self.rendered = None
        self._go(section_at(self._sections, line))

    @property
    def section(self) -> Section | None:
        """The section that is read."""
        return self._sections[self._at] if self._sections else None

    @property
    def place(self) -> tuple[int, int]:
        """Its number, from 1, and how many there are."""
        return self._at + 1, len(self._sections)

    def _go(self, at: int) -> None:
        self._at = min(max(at, 0), len(self._sections) - 1)
        self._ask()

    def _ask(self) -> None:
        section = self.section
        if self._document is None or section is None:
            return
        inks = {ink: self._rich_ink(ink) for ink in set(INKS.values())}
        self.post_message(RenderWanted(self._document, section, self.page_cells, inks))
        self.post_message(self.Changed())

    def _rich_ink(self, ink: str) -> Style:
        """An ink of the screen without its background, which would hide that of the page."""
        style = self._get_style(f".files--{ink}").rich_style
        return Style(color=style.color, bold=style.bold, italic=style.italic)

    def take(self, rendered: Rendered) -> None:
        """Show what was laid out, unless another section was asked for since."""
        if rendered.section != self.section:
            return
        before, self.rendered = self.rendered, rendered
        self.lines_changed()
        if before is None or before.section != rendered.section:
            self.scroll_to(y=0, animate=False, force=True)
        self.post_message(self.Changed())

    @property
    def page_cells(self) -> int:
        """The width that a section is laid out for."""
        return max(FEWEST_CELLS, self.text_width - 2 * MARGIN)

    @property
    def line_count(self) -> int:
        """The laid out lines."""
        return len(self.rendered.lines) if self.rendered is not None else 0

    def lines_changed(self) -> None:
        """Ask for another layout when the width does not fit any more."""
        super().lines_changed()
        if self.rendered is not None and self.display and self.rendered.cells != self.page_cells:
            self._ask()

    def notify_style_update(self) -> None:
        """Another theme has other inks."""
        super().notify_style_update()
        if self.is_mounted and self.display:
            self._ask()

    def _draw(self, number: int, under_cursor: bool) -> Strip:
        assert self.rendered is not None
        base = self.visual_style.rich_style
        pieces = list(Segment.apply_style(self.rendered.lines[number], base))
        strip = Strip([Segment(" " * MARGIN, base), *pieces])
        return strip.adjust_cell_length(self.text_width, base)

    def action_step(self, step: int) -> None:
        """Ask for the next or previous section."""
        self._go(self._at + step)

    def action_scroll_down(self) -> None:
        """Without animation, which would cost many repaints."""
        self.scroll_relative(y=1, animate=False)

    def action_scroll_up(self) -> None:
        """One line up."""
        self.scroll_relative(y=-1, animate=False)

    def action_scroll_home(self) -> None:
        """To the top."""
        self.scroll_to(y=0, animate=False)

    def action_scroll_end(self) -> None:
        """To the end."""
        self.scroll_to(y=self.line_count, animate=False)

    def action_page_down(self) -> None:
        """One page down."""
        self.scroll_relative(y=max(1, self.size.height - 1), animate=False)

    def action_page_up(self) -> None:
        """One page up."""
        self.scroll_relative(y=-max(1, self.size.height - 1), animate=False)
