"""A list of titled rows with a cursor; enter on a row tells all of it and what can be done."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from tui.glyphs import glyphs_of
from tui.text import plain
from tui.widgets.panel import rule
from tui.widgets.providers.rows import Row, Section, drawn
from tui.widgets.row_list import RowList

Line = tuple[Row | None, Content]
"""A row and how it is drawn; headings, and the air above them, belong to no row."""


class Sheet(RowList):
    """The rows themselves. Headings cannot be chosen; the chosen row survives every change."""

    HELP = (
        "Everything that is known of the providers, line by line. Enter shows the whole of a "
        "line, and what can be done there. What nobody knows says so; it is never shown as zero."
    )
    DEFAULT_CSS = """
    Sheet {
        height: 1fr;
        scrollbar-background: $background;
        scrollbar-background-hover: $background;
        scrollbar-background-active: $background;
        scrollbar-color: $panel;
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "enter,l",
            "select",
            "more",
            id="providers.more",
            tooltip="The whole of this line, and what can be done there.",
        ),
    ]

    class Chosen(Message):
        """A row was chosen, by key or with the mouse."""

        def __init__(self, row: Row) -> None:
            super().__init__()
            self.row = row

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._sections: Sequence[Section] = ()
        self._airy = False
        self._made: list[Line] = []

    @property
    def row(self) -> Row | None:
        """The row under the cursor."""
        at = self.highlighted
        return self._made[at][0] if at is not None and at < len(self._made) else None

    def show(self, sections: Sequence[Section], *, airy: bool = False) -> None:
        """Show these sections, an empty line between two where it is to be ``airy``.

        As long as there are the same rows, only those whose text differs are drawn anew.
        """
        self._sections, self._airy = sections, airy
        self._draw()

    def on_resize(self) -> None:
        """Text breaks at the width, so another width is another drawing."""
        self._draw()

    def watch_highlighted(self, highlighted: int | None) -> None:
        """The first heading comes into sight with the row below it."""
        super().watch_highlighted(highlighted)
        if highlighted is not None and not any(row for row, _ in self._made[:highlighted]):
            self.scroll_to(y=0, animate=False)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Tell the screen which row was chosen."""
        event.stop()
        if self.row is not None:
            self.post_message(self.Chosen(self.row))

    def _draw(self) -> None:
        before, self._made = self._made, list(self._lines_now())
        if [_key(line) for line in before] != [_key(line) for line in self._made]:
            self._refill(before)
            return
        for at, ((_, was), (_, now)) in enumerate(zip(before, self._made, strict=True)):
            if not was.is_same(now):
                self.replace_option_prompt_at_index(at, now)

    def _lines_now(self) -> Iterator[Line]:
        # One cell stays free for the scroll bar, so that it moves no text when it comes.
        cells, glyphs = max(self.size.width - 1, 20), glyphs_of(self)
        for number, section in enumerate(self._sections):
            if number and self._airy:
                yield None, plain(" ")
            yield None, rule(section.title, cells, glyphs, section.note)
            for row in section.rows:
                yield row, drawn(row, section.label_cells, cells, glyphs)

    def _refill(self, before: Sequence[Line]) -> None:
        at, top = self.highlighted, self.scroll_offset.y
        chosen = before[at][0] if at is not None and at < len(before) else None
        self.clear_options()
        self.add_options(Option(said, disabled=row is None) for row, said in self._made)
        self.scroll_to(y=top, animate=False)
        self._choose(chosen)

    def _choose(self, wanted: Row | None) -> None:
        """Put the cursor on the row with the same key, else on the first."""
        for at, (row, _) in enumerate(self._made):
            if row is not None and (wanted is None or row.key == wanted.key):
                self.highlighted = at
                return
        if wanted is not None:
            self._choose(None)


def _key(line: Line) -> str | None:
    return None if line[0] is None else line[0].key
