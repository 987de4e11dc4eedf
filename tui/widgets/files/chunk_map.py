"""Where the chunks of a file begin and end, and where two of them share lines."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from tui.byte_order_mark import readable

if TYPE_CHECKING:
    from engine.store.contract import ChunkRow
    from tui.widgets.files.document import Document

Cover = Literal["none", "one", "overlap"]
UNITS_A_TOKEN = 4
AHEAD = 10_000
"""Characters beyond its own length within which a chunk begins, counted from the one before."""


@dataclass(frozen=True, slots=True)
class ChunkMark:
    """A chunk as the viewer shows it; lines are 1-based and inclusive.

    ``tokens`` is the estimate of the chunker: UTF-16 units divided by four, rounded up.
    ``current`` is False when the file no longer holds this text at these lines.
    """

    number: int
    first: int
    last: int
    tokens: int
    hash: str
    current: bool


def tokens_of(text: str) -> int:
    """The estimated tokens of a text: UTF-16 units divided by four, rounded up."""
    units = len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2
    return -(-units // UNITS_A_TOKEN)


class ChunkMap:
    """The chunks of one file in order, and questions of lines about them."""

    def __init__(self, marks: Sequence[ChunkMark] = ()) -> None:
        self.marks = tuple(marks)
        self._firsts = [mark.first for mark in marks]
        self._lasts = [mark.last for mark in marks]

    @classmethod
    def of(cls, rows: Sequence[ChunkRow], document: Document, *, same: bool = False) -> ChunkMap:
        """From index rows and the text on disk; ``same`` says that it is the indexed one."""
        marks: list[ChunkMark] = []
        at = 0
        for number, row in enumerate(rows, 1):
            found = at if same else _find(row, document, at)
            at = at if found is None else found
            tokens = tokens_of(row.text)
            marks.append(
                ChunkMark(number, row.start_line, row.end_line, tokens, row.hash, found is not None)
            )
        return cls(marks)

    def __len__(self) -> int:
        return len(self.marks)

    def __iter__(self) -> Iterator[ChunkMark]:
        return iter(self.marks)

    def covering(self, line: int) -> Sequence[ChunkMark]:
        """The chunks that hold a 1-based line, in order.

        First and last lines never decrease from chunk to chunk.
        """
        return self.marks[bisect_left(self._lasts, line) : bisect_right(self._firsts, line)]

    def cover(self, line: int) -> Cover:
        """Whether no, one or several chunks hold a line."""
        count = len(self.covering(line))
        return "none" if count == 0 else "one" if count == 1 else "overlap"

    def at(self, line: int) -> ChunkMark | None:
        """The chunk that a cursor on this line is in: the one that began last."""
        held = self.covering(line)
        return held[-1] if held else None

    def next_start(self, line: int, step: int) -> int | None:
        """The first line of the next chunk (``step`` 1), or of this or the previous one (-1)."""
        if step > 0:
            at = bisect_right(self._firsts, line)
            return self._firsts[at] if at < len(self._firsts) else None
        at = bisect_left(self._firsts, line) - 1
        return self._firsts[at] if at >= 0 else None

    def ending_at(self, last: int, line: int) -> ChunkMark | None:
        """The chunk that ends at ``last`` and holds ``line``: the one a search hit names."""
        return next((mark for mark in self.covering(line) if mark.last == last), None)

    def overlap(self, mark: ChunkMark) -> tuple[int, int] | None:
        """The lines that a chunk shares with the one before it."""
        if mark.number < 2:
            return None
        before = self.marks[mark.number - 2]
        return (mark.first, before.last) if before.last >= mark.first else None


def _find(row: ChunkRow, document: Document, at: int) -> int | None:
    """Where in the text a chunk begins, not before ``at``; None when it is not at its lines.

    A line that is longer than a chunk was cut into pieces, between which the chunk has line
    feeds that the file has not; then each piece is looked for behind the one before.
    """
    starts, text = document.starts, document.text
    if row.start_line >= len(starts):
        return None
    wanted = readable(row.text) if row.start_line == 1 else row.text
    low = max(at, starts[row.start_line - 1])
    high = min(starts[min(row.end_line, len(starts) - 1)], low + 2 * len(row.text) + AHEAD)
    found = text.find(wanted, low, high)
    if found >= 0:
        return found
    place = first = -1
    for piece in wanted.split("\n"):
        place = text.find(piece, max(place, low), high)
        if place < 0:
            return None
        first = place if first < 0 else first
        place += len(piece)
    return first
