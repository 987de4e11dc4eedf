"""The text of the hit under the cursor, with line numbers and the query's words marked."""

from __future__ import annotations

from collections.abc import Iterator

from textual.content import Content

from engine.ranking.candidate import Candidate
from tui.byte_order_mark import readable
from tui.glyphs import glyphs_of
from tui.text import assemble
from tui.widgets.search.excerpts import best_line, marked
from tui.widgets.search.reading_view import ReadingView

TAB = 4


class HitText(ReadingView):
    """The lines of a chunk; it starts where the query matches best."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._candidate: Candidate | None = None
        self._terms: tuple[str, ...] = ()
        self._starts: list[int] = []
        self._placed = False

    def show(self, candidate: Candidate | None, terms: tuple[str, ...]) -> None:
        """Show another chunk, or none; the place stays when it is the same one."""
        if candidate is not None and self._candidate == candidate and self._terms == terms:
            return
        self._candidate, self._terms = candidate, terms
        self._placed = False
        self.lines_changed()

    def lines_changed(self) -> None:
        """Build anew; a chunk that was not seen yet goes to its best line."""
        super().lines_changed()
        if self._placed or self._candidate is None or not self._starts or not self.size.height:
            return
        self._placed = True
        top = self._starts[best_line(self._candidate.text, self._terms)]
        above = 1 if self.size.height > 2 else 0
        self.scroll_to(y=max(0, top - above), animate=False, force=True)

    def build(self, width: int) -> list[Content]:
        """The wrapped lines of the chunk with their numbers."""
        self._starts = []
        if self._candidate is None:
            return []
        return list(self._numbered(self._candidate, width))

    def _numbered(self, chunk: Candidate, width: int) -> Iterator[Content]:
        cells = max(4, len(str(chunk.end_line)) + 1)
        pipe = glyphs_of(self).thick_pipe
        drawn = 0
        for number, text in enumerate(readable(chunk.text).split("\n"), chunk.start_line):
            self._starts.append(drawn)
            content = marked(text.rstrip("\r"), self._terms).expand_tabs(TAB)
            pieces = content.wrap(max(8, width - cells - 3)) or [Content("")]
            for place, piece in enumerate(pieces):
                label = str(min(number, chunk.end_line)) if place == 0 else ""
                yield assemble((f"{label:>{cells}} {pipe} ", ".search--muted"), piece)
                drawn += 1
