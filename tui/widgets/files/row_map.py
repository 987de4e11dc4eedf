"""Which row of the view shows which line: chunk borders and wrapped lines take rows too."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from tui.widgets.files.cells import surely_fits
from tui.widgets.files.chunk_map import ChunkMap, ChunkMark
from tui.widgets.files.document import Document


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the view: a piece of a 0-based line, or the border of chunks above it."""

    line: int
    start: int = 0
    end: int = 0
    first: bool = True
    border: tuple[ChunkMark, ...] = ()


@dataclass(slots=True)
class RowMap:
    """Rows for one document at one width; ``cells`` None means that nothing wraps."""

    document: Document
    cells: int | None
    _starts: list[int] = field(default_factory=list)
    _breaks: dict[int, list[int]] = field(default_factory=dict)
    _borders: dict[int, list[ChunkMark]] = field(default_factory=dict)

    @classmethod
    def of(cls, document: Document, chunks: ChunkMap, cells: int | None) -> RowMap:
        """Measure every line; lines that surely fit cost next to nothing."""
        made = cls(document, cells)
        for mark in chunks:
            if mark.first <= len(document.lines):
                made._borders.setdefault(mark.first - 1, []).append(mark)
        counts = made._counts(document.lines)
        made._starts = list(accumulate(counts, initial=0))
        return made

    def _counts(self, lines: Sequence[str]) -> list[int]:
        counts = [1] * len(lines)
        if self.cells is not None:
            for number, line in enumerate(lines):
                if not surely_fits(line, self.cells):
                    breaks = self.document.cell_line(number).breaks(self.cells)
                    if breaks:
                        self._breaks[number] = breaks
                        counts[number] += len(breaks)
        for number in self._borders:
            counts[number] += 1
        return counts

    def __len__(self) -> int:
        return self._starts[-1]

    def first_row(self, line: int) -> int:
        """The row where the text of a 0-based line begins."""
        return self._starts[line] + (line in self._borders)

    def top_row(self, line: int) -> int:
        """The row of the border above a line, or of the line itself."""
        return self._starts[line]

    def last_row(self, line: int) -> int:
        """The row where a line ends."""
        return self._starts[line + 1] - 1

    def line_at(self, row: int) -> int:
        """The 0-based line that a row belongs to."""
        return min(bisect_right(self._starts, row) - 1, len(self.document.lines) - 1)

    def row(self, number: int) -> Row:
        """What a row shows."""
        line = self.line_at(number)
        piece = number - self._starts[line]
        border = self._borders.get(line)
        if border is not None:
            if piece == 0:
                return Row(line, border=tuple(border))
            piece -= 1
        breaks = self._breaks.get(line)
        if breaks is None:
            return Row(line, 0, -1)
        start = breaks[piece - 1] if piece else 0
        end = breaks[piece] if piece < len(breaks) else -1
        return Row(line, start, end, piece == 0)
