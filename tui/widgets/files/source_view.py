"""The source of a file, line by line: cursor, range, chunk borders, marks, search."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.content import Content
from textual.message import Message

from tui.glyphs import UNICODE, glyphs_of
from tui.widgets.files.chunk_map import ChunkMap, ChunkMark
from tui.widgets.files.document import Document, Match
from tui.widgets.files.finding import Finding
from tui.widgets.files.page import Page, text_cells
from tui.widgets.files.row_map import RowMap
from tui.widgets.files.source_keys import SOURCE_KEYS
from tui.widgets.line_view import LineView

UNKNOWN_WIDTH = 80
MOST_KEPT = 2_000
"""Drawn rows that are kept; a long file is not kept whole."""


class SourceView(LineView):
    """Draws only the rows in sight; moving the cursor redraws two lines."""

    HELP = (
        "The file as it is on disk. The sign behind each line number says how many chunks hold "
        "that line: one, or two where they overlap; the rule above a chunk gives its lines, "
        "its size and its hash. v begins a range, which is shown as memory_get returns it."
    )
    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = SOURCE_KEYS
    DEFAULT_CSS = "SourceView { height: 1fr; }"

    class Moved(Message):
        """Cursor, range or place of a search have changed."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        nothing = Document.of("", "")
        self.page = Page(nothing, ChunkMap(), RowMap.of(nothing, ChunkMap(), None), UNICODE)
        self.finding = Finding(nothing)
        self.wraps = True
        self.hit_lines: Sequence[int] = ()
        self._anchor: int | None = None
        self._kept = False
        self._dragging = False

    # What is shown

    def show(self, page: Page, hit_lines: Sequence[int] = ()) -> None:
        """Show another document from its first line, without range and search."""
        self._anchor, self._kept, self.finding = None, False, Finding(page.document)
        self.page, self.hit_lines = page, hit_lines
        self._lay_out()
        self.scroll_to(0, 0, animate=False, force=True)
        self.post_message(self.Moved())

    def renew(self, page: Page, hit_lines: Sequence[int]) -> None:
        """Show a newer text of the same file; place, range and search are kept."""
        top, old = self._top(), self.page
        last = len(page.document.lines)
        page.cursor, page.shift = min(old.cursor, last - 1), old.shift
        self.page, self.hit_lines = page, hit_lines
        if self._anchor is not None:
            self._anchor = min(self._anchor, last - 1)
        self.finding = Finding.of(page.document, old.needle)
        self._mark()
        self._lay_out()
        self._put_top(top)

    def text_cells(self, document: Document) -> int | None:
        """Cells for the text of a line; None while lines do not wrap."""
        return text_cells(document, self.text_width or UNKNOWN_WIDTH, self.wraps)

    @property
    def line_count(self) -> int:
        """Rows of the view: borders and wrapped lines take some too."""
        return len(self.page.rows)

    def line(self, number: int, under_cursor: bool) -> Content:
        """A row; when many are kept already, those are forgotten first."""
        if len(self._drawn) > MOST_KEPT:
            self._drawn.clear()
        return self.page.draw(self.page.rows.row(number), self.text_width)

    def has_cursor(self, number: int) -> bool:
        """True for rows of the line under the cursor and of selected ones."""
        row = self.page.rows.row(number)
        return not row.border and self.page.marked(row.line)

    def lines_changed(self) -> None:
        """Wrap anew when the width is another; the line on top stays there."""
        page = self.page
        page.glyphs = glyphs_of(self)
        if page.rows.cells != self.text_cells(page.document):
            top = self._top()
            self._lay_out()
            self.call_after_refresh(self._put_top, top)
        else:
            super().lines_changed()

    def _lay_out(self) -> None:
        page, cells = self.page, self.text_cells(self.page.document)
        if page.rows.cells != cells or page.rows.document is not page.document:
            page.rows = RowMap.of(page.document, page.chunks, cells)
        super().lines_changed()

    def _top(self) -> tuple[int, int]:
        """The line on top of the view, and how many of its rows are above."""
        rows, at = self.page.rows, min(int(self.scroll_offset.y), len(self.page.rows) - 1)
        line = rows.line_at(at)
        return line, at - rows.top_row(line)

    def _put_top(self, top: tuple[int, int]) -> None:
        rows = self.page.rows
        line = min(top[0], len(self.page.document.lines) - 1)
        self._scroll_rows(min(rows.top_row(line) + top[1], rows.last_row(line)))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """No key is offered that can do nothing in this file."""
        if action == "hit":
            return bool(self.hit_lines)
        if action == "chunk":
            return bool(self.page.chunks)
        if action == "again":
            return bool(self.finding.needle)
        return True

    # Cursor and range

    @property
    def cursor(self) -> int:
        """The 1-based line under the cursor."""
        return self.page.cursor + 1

    @property
    def selecting(self) -> bool:
        """True while a range is open."""
        return self._anchor is not None

    @property
    def range(self) -> tuple[int, int]:
        """The selected 1-based lines, else the line under the cursor."""
        return self.page.selected or (self.cursor, self.cursor)

    @property
    def chunk(self) -> ChunkMark | None:
        """The chunk that the cursor is in."""
        return self.page.chunks.at(self.cursor)

    def go_to(self, line: int, *, centre: bool = False, extend: bool = False) -> None:
        """Put the cursor on a 1-based line; ``extend`` makes the range reach it.

        A range that was begun with v reaches every place that the cursor goes to; one made
        with shift, the mouse or by opening a hit ends when the cursor just moves on.
        """
        page = self.page
        if extend and self._anchor is None:
            self._anchor = page.cursor
        elif not extend and not self._kept:
            self._anchor = None
        page.cursor = min(max(line - 1, 0), len(page.document.lines) - 1)
        self._mark()
        self._reveal(centre=centre)

    def select_lines(self, first: int, last: int) -> None:
        """Select 1-based lines, with the cursor on the first of them in the upper third."""
        end = len(self.page.document.lines)
        self._anchor = min(max(last, 1), end) - 1
        self.go_to(first, extend=True)
        rows = self.page.rows
        self._scroll_rows(rows.top_row(self.page.cursor) - self.size.height // 3)

    def drop_range(self) -> None:
        """End the range; the cursor stays."""
        self._anchor, self._kept = None, False
        self._mark()

    def _mark(self) -> None:
        """Range and search place follow the cursor; what is marked is drawn anew."""
        page = self.page
        if self._anchor is None:
            page.selected = None
        else:
            page.selected = (min(self._anchor, page.cursor) + 1, max(self._anchor, page.cursor) + 1)
        if (page.needle, page.now) != (self.finding.needle, self.finding.now):
            page.needle, page.now = self.finding.needle, self.finding.now
            page.forget()
        self._drawn.clear()
        self.refresh()
        self.post_message(self.Moved())

    def _reveal(self, *, centre: bool) -> None:
        rows, line, height = self.page.rows, self.page.cursor, max(1, self.size.height)
        top, first, last = rows.top_row(line), rows.first_row(line), rows.last_row(line)
        at = int(self.scroll_offset.y)
        if centre:
            self._scroll_rows((first + last) // 2 - height // 2)
        elif top < at:
            self._scroll_rows(top)
        elif last >= at + height:
            self._scroll_rows(min(first, last - height + 1))

    def _scroll_rows(self, row: int) -> None:
        self.scroll_to(y=max(0, row), animate=False, force=True)

    def action_move(self, lines: int) -> None:
        """Move the cursor; through a line that is higher than the view row by row."""
        rows, at, height = self.page.rows, int(self.scroll_offset.y), max(1, self.size.height)
        if lines > 0 and at <= rows.last_row(self.page.cursor) - height:
            self._scroll_rows(at + 1)
        elif lines < 0 and rows.first_row(self.page.cursor) < at < rows.last_row(self.page.cursor):
            self._scroll_rows(at - 1)
        else:
            self.go_to(self.cursor + lines)

    def action_extend(self, lines: int) -> None:
        """Let the range reach further."""
        self.go_to(self.cursor + lines, extend=True)

    def action_select(self) -> None:
        """Begin a range at the cursor, or end it."""
        if self._anchor is None:
            self._anchor, self._kept = self.page.cursor, True
            self._mark()
        else:
            self.drop_range()

    def action_go_top(self) -> None:
        """To the first line."""
        self.go_to(1)

    def action_go_bottom(self) -> None:
        """To the last line."""
        self.go_to(len(self.page.document.lines))
        self._scroll_rows(len(self.page.rows))

    def action_page(self, pages: float) -> None:
        """Page by rows; the cursor goes to the line that comes to the same height."""
        at, height = int(self.scroll_offset.y), max(1, self.size.height)
        rows, step = self.page.rows, int(pages * max(1, height - 1))
        lowest = max(0, len(rows) - height)
        target = min(max(at + step, 0), lowest)
        if target == at:
            self.go_to(1 if pages < 0 else len(self.page.document.lines))
            return
        self._scroll_rows(target)
        row = rows.first_row(self.page.cursor) + target - at
        page = self.page
        page.cursor = rows.line_at(min(max(row, target), target + height - 1))
        if not self._kept:
            self._anchor = None
        self._mark()

    def action_centre(self) -> None:
        """Put the cursor's line into the middle."""
        self._reveal(centre=True)

    def action_chunk(self, step: int) -> None:
        """To the first line of the next or previous chunk."""
        start = self.page.chunks.next_start(self.cursor, step)
        if start is not None:
            self.go_to(start)

    def action_hit(self, step: int) -> None:
        """To the next or previous line that holds a word of the query."""
        lines = self.hit_lines
        at = (
            bisect_right(lines, self.page.cursor)
            if step > 0
            else bisect_left(lines, self.page.cursor) - 1
        )
        if 0 <= at < len(lines):
            self.go_to(lines[at] + 1, centre=True)

    # Search in the file

    def find(self, needle: str) -> None:
        """Look for a text from the cursor on."""
        self.finding = Finding.of(self.page.document, needle)
        self._go_to_match(self.finding.from_line(self.page.cursor))

    def action_again(self, places: int) -> None:
        """To the next or previous place of the search."""
        if self.finding.needle:
            self._go_to_match(self.finding.step(self.page.cursor, places))

    def _go_to_match(self, match: Match | None) -> None:
        if match is None:
            self._mark()
            return
        if not self.wraps:
            self._bring_into_sight(match)
        self.go_to(match.line + 1)
        self._reveal_match(match)

    def _reveal_match(self, match: Match) -> None:
        """In a line that is higher than the view, scroll to the row of the match."""
        rows, height = self.page.rows, max(1, self.size.height)
        first = rows.first_row(match.line)
        if rows.last_row(match.line) - first < height:
            return
        row = next(
            number
            for number in range(first, rows.last_row(match.line) + 1)
            if (end := rows.row(number).end) < 0 or end > match.start
        )
        self._scroll_rows(row - height // 2)

    # Sideways

    def action_wrap(self) -> None:
        """Wrap long lines, or scroll sideways."""
        self.wraps = not self.wraps
        self.page.shift = 0
        self.lines_changed()
        self.call_after_refresh(self._reveal, centre=False)
        self.post_message(self.Moved())

    def action_shift(self, cells: int) -> None:
        """Scroll sideways, as far as the longest line in sight goes."""
        if self.wraps:
            return
        self._shift_to(self.page.shift + cells)

    def _shift_to(self, shift: int) -> None:
        page = self.page
        room = max(1, self.text_width - page.gutter_cells)
        at = int(self.scroll_offset.y)
        seen = range(at, min(at + self.size.height, len(page.rows)))
        longest = max((self._row_cells(number) for number in seen), default=0)
        page.shift = min(max(0, shift), max(0, longest - room + 2))
        self._mark()

    def _row_cells(self, number: int) -> int:
        row = self.page.rows.row(number)
        return 0 if row.border else self.page.document.cell_line(row.line).cells

    def _bring_into_sight(self, match: Match) -> None:
        page = self.page
        room = max(1, self.text_width - page.gutter_cells)
        cell = page.document.cell_line(match.line).cell_of(match.start)
        if not page.shift <= cell < page.shift + room - (match.end - match.start) - 2:
            page.shift = max(0, cell - room // 2)

    # Mouse

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Put the cursor there; dragging on makes a range, with shift it reaches there."""
        line = self._line_under(event)
        if line is None or event.button != 1:
            return
        self._kept = False
        self._dragging = True
        self.capture_mouse()
        self.go_to(line, extend=event.shift)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Let the range follow the pointer."""
        line = self._line_under(event) if self._dragging else None
        if line is not None and line != self.cursor:
            self.go_to(line, extend=True)

    def on_mouse_up(self) -> None:
        """The range stays as it is."""
        if self._dragging:
            self._dragging = False
            self.release_mouse()

    def _line_under(self, event: events.MouseEvent) -> int | None:
        if event.x >= self.text_width:
            return None
        row = event.y + int(self.scroll_offset.y)
        return self.page.rows.line_at(min(max(row, 0), len(self.page.rows) - 1)) + 1
