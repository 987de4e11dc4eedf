"""The chunks of the file that is read: number, lines, size, hash."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.content import Content
from textual.message import Message

from tui.glyphs import glyphs_of
from tui.text import assemble, pad
from tui.widgets.files.chunk_map import ChunkMap, ChunkMark
from tui.widgets.files.page import SHORT_HASH
from tui.widgets.line_view import LineView

HEADER = "    #  lines        tokens  hash"
OLD = ("older text", ".files--dirty")


class ChunkList(LineView, can_focus=False):
    """Follows the cursor of the source view; a click goes to a chunk."""

    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = []
    DEFAULT_CSS = "ChunkList { height: 1fr; }"

    class Chosen(Message):
        """A chunk was clicked."""

        def __init__(self, mark: ChunkMark) -> None:
            super().__init__()
            self.mark = mark

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._chunks = ChunkMap()
        self._hit: ChunkMark | None = None
        self._at: ChunkMark | None = None

    @property
    def line_count(self) -> int:
        """One line a chunk."""
        return len(self._chunks)

    def show(self, chunks: ChunkMap, hit: ChunkMark | None, at: ChunkMark | None) -> None:
        """Show the chunks of a file, and which one the cursor is in."""
        if chunks is not self._chunks or hit != self._hit:
            self._chunks, self._hit, self._at = chunks, hit, at
            self.lines_changed()
        elif at != self._at:
            self._at = at
            self._drawn.clear()
            self.refresh()
        if at is not None:
            self._into_sight(at.number - 1)

    def has_cursor(self, number: int) -> bool:
        """True for the chunk that the cursor is in."""
        return self._at is not None and number == self._at.number - 1

    def line(self, number: int, under_cursor: bool) -> Content:
        """A chunk."""
        mark, glyphs = self._chunks.marks[number], glyphs_of(self)
        sign = glyphs.new if mark == self._hit else glyphs.cursor if under_cursor else " "
        ink = ".files--hit" if mark == self._hit else ""
        span = f"L{mark.first}-{mark.last}"
        shared = self._chunks.overlap(mark)
        back = f" +{shared[1] - shared[0] + 1}" if shared is not None else ""
        return assemble(
            (f"{sign}{mark.number:>4}  ", ink),
            (pad(span, 13, ellipsis=glyphs.ellipsis), ink),
            f"{mark.tokens:>6}  ",
            (mark.hash[:SHORT_HASH], ".files--muted") if mark.current else OLD,
            (back, ".files--border"),
        )

    def _into_sight(self, row: int) -> None:
        top, height = int(self.scroll_offset.y), max(1, self.size.height)
        if not top <= row < top + height:
            self.scroll_to(y=max(0, row - height // 2), animate=False, force=True)

    def on_click(self, event: events.Click) -> None:
        """Go to the chunk under the pointer."""
        row = event.y + int(self.scroll_offset.y)
        if row < len(self._chunks):
            self.post_message(self.Chosen(self._chunks.marks[row]))
