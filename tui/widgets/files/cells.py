"""Which characters of a line fall on which terminal cells: for wrapping and for cutting."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from itertools import accumulate

from rich.cells import split_graphemes

from tui.text import safe, width

TAB = 4
_WIDE = (
    "\u3000-\u303e\u3041-\u3096\u30a0-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60"
)
_NARROW = (
    " -~\u00a0-\u00ac\u00ae-\u02ff\u0370-\u0377\u037a-\u037f\u0400-\u0482\u2013-\u2027\u2400-\u2426"
)
_SIMPLE = re.compile(f"[{_NARROW}{_WIDE}]*")
_IS_WIDE = re.compile(f"[{_WIDE}]")
_SECOND_HALF = "\0"


class _Doubling(dict[int, str | int]):
    """A translation table that gives each wide character a second place; fills itself."""

    def __missing__(self, code: int) -> str | int:
        char = chr(code)
        self[code] = char + _SECOND_HALF if _IS_WIDE.match(char) else code
        return self[code]


_DOUBLING = _Doubling()


def shown_line(raw: str) -> str:
    """The line as it is drawn: pictures for hostile characters, blanks for tabs.

    The carriage return of a CRLF file is part of the line end and not drawn.
    """
    text = safe(raw[:-1] if raw.endswith("\r") else raw)
    return _without_tabs(text) if "\t" in text else text


def _without_tabs(text: str) -> str:
    pieces: list[str] = []
    at = 0
    for piece in text.split("\t"):
        at += width(piece)
        blanks = TAB - at % TAB
        at += blanks
        pieces.append(piece + " " * blanks)
    return "".join(pieces)[:-blanks]


def surely_fits(raw: str, cells: int) -> bool:
    """True when the line takes at most ``cells`` cells; quick, and False when in doubt."""
    if len(raw) > cells or "\t" in raw:
        return False
    return raw.isascii() or 2 * len(raw) <= cells


class CellLine:
    """A shown line with the place of each character in cells.

    ``_slots`` has one character for each cell when every character is one or two cells
    wide; otherwise ``_starts`` and ``_ends`` hold text offset and cell of each grapheme.
    """

    def __init__(self, shown: str) -> None:
        self.shown = shown
        self._slots: str | None = None
        self._offsets: list[int] = []
        self._ends: list[int] = []
        if shown.isascii():
            self._slots = shown
        elif _SIMPLE.fullmatch(shown):
            self._slots = shown.translate(_DOUBLING)
        else:
            graphemes, _ = split_graphemes(shown)
            self._offsets = [start for start, _, _ in graphemes]
            self._ends = list(accumulate(size for _, _, size in graphemes))

    @property
    def cells(self) -> int:
        """The cells of the whole line."""
        if self._slots is not None:
            return len(self._slots)
        return self._ends[-1] if self._ends else 0

    def offset_at(self, cell: int) -> int:
        """The text offset of the first character that starts at this cell or after it."""
        if self._slots is not None:
            if cell < len(self._slots) and self._slots[cell] == _SECOND_HALF:
                cell += 1
            return min(cell, len(self._slots)) - self._slots.count(_SECOND_HALF, 0, cell)
        if cell <= 0:
            return 0
        number = bisect_left(self._ends, cell) + 1
        return self._offsets[number] if number < len(self._offsets) else len(self.shown)

    def cell_of(self, offset: int) -> int:
        """The cell at which the character at this text offset starts."""
        if self._slots is None:
            number = bisect_right(self._offsets, offset) - 1
            return self._ends[number - 1] if number > 0 else 0
        return width(self.shown[:offset]) if len(self._slots) != len(self.shown) else offset

    def window(self, first: int, cells: int) -> tuple[int, int]:
        """The text offsets of what fits whole into ``cells`` cells from cell ``first`` on."""
        start = self.offset_at(first)
        end = self._offset_before(first + cells)
        return start, max(start, end)

    def breaks(self, cells: int) -> list[int]:
        """The text offsets at which rows after the first start, for rows of ``cells`` cells.

        Rows end after a blank where one is in their second half; wide characters and
        joined emoji are never parted. ``cells`` is at least 2.
        """
        if self._slots is not None:
            return _breaks(self._slots, cells)
        found: list[int] = []
        at, total, offset = 0, self.cells, 0
        while total - at > cells:
            offset = self._row_end(at, offset, cells)
            if offset >= len(self.shown):
                break
            at = self.cell_of(offset)
            found.append(offset)
        return found

    def _row_end(self, at: int, offset: int, cells: int) -> int:
        end = max(self._offset_before(at + cells), offset + 1)
        text = self.shown
        if end < len(text) and text[end] != " " and not _IS_WIDE.match(text[end]):
            blank = text.rfind(" ", offset + (end - offset) // 2, end)
            if blank >= 0:
                return blank + 1
        while end < len(text) and text[end] == " ":
            end += 1
        return end

    def _offset_before(self, cell: int) -> int:
        """The text offset before which everything ends at this cell or earlier."""
        if self._slots is not None:
            cell = min(cell, len(self._slots))
            if cell < len(self._slots) and self._slots[cell] == _SECOND_HALF:
                cell -= 1
            return cell - self._slots.count(_SECOND_HALF, 0, cell)
        number = bisect_right(self._ends, cell)
        return self._offsets[number] if number < len(self._offsets) else len(self.shown)


def _breaks(slots: str, cells: int) -> list[int]:
    """``CellLine.breaks`` for slots: a search for a blank a row, whatever the length."""
    found: list[int] = []
    at, offset, total = 0, 0, len(slots)
    while total - at > cells:
        end = at + cells
        following = slots[end]
        if following == _SECOND_HALF:
            end -= 1
        elif following == " ":
            while end < total and slots[end] == " ":
                end += 1
        elif following.isascii():
            end = slots.rfind(" ", at + cells // 2, end) + 1 or end
        if end >= total:
            break
        offset += end - at - slots.count(_SECOND_HALF, at, end)
        at = end
        found.append(offset)
    return found
