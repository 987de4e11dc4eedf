"""A memory file as lines, counted as editors and ``memory_get`` count them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from tui.byte_order_mark import BYTE_ORDER_MARK, readable
from tui.widgets.files.cells import CellLine, shown_line

LONG = 2_000
"""Characters from which a line is drawn piece by piece instead of as a whole."""
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")


@dataclass(frozen=True, slots=True)
class Match:
    """A place in the text: 0-based line, and offsets into that line."""

    line: int
    start: int
    end: int


@dataclass(slots=True)
class Document:
    """The decoded text of a file, cut at line feeds only.

    A final line feed ends the last line, it does not begin another. Lines keep their
    carriage returns: what is copied is what is in the file.
    """

    path: str
    text: str
    """Without a byte order mark, which is told of but never shown."""
    lines: Sequence[str]
    fenced: bytes
    """One byte a line: 1 inside or at the border of a code fence."""
    byte_order_mark: bool = False
    _starts: list[int] = field(default_factory=list)
    _cells: dict[int, CellLine] = field(default_factory=dict)

    @classmethod
    def of(cls, path: str, text: str) -> Document:
        """Cut a text into lines and look for its code fences; takes long lines apart."""
        marked, text = text.startswith(BYTE_ORDER_MARK), readable(text)
        lines = text.split("\n")
        if lines[-1] == "" and len(lines) > 1:
            lines.pop()
        document = cls(path, text, lines, fences(lines), marked)
        for number, line in enumerate(lines):
            if len(line) > LONG:
                document.cell_line(number)
        return document

    @property
    def crlf(self) -> bool:
        """True when lines end as they do on Windows."""
        return self.lines[0].endswith("\r")

    def cell_line(self, number: int) -> CellLine:
        """A line as it is drawn; long ones are kept, because they are costly."""
        known = self._cells.get(number)
        if known is None:
            known = CellLine(shown_line(self.lines[number]))
            if len(known.shown) > LONG:
                self._cells[number] = known
        return known

    def find(self, needle: str) -> list[int]:
        """The text offset of every place of a text; capitals count only if it has any."""
        pattern = needle_pattern(needle)
        return [found.start() for found in pattern.finditer(self.text)] if needle else []

    def extract(self, first: int, last: int) -> str:
        """The original text of the 1-based lines ``first`` to ``last``."""
        return "\n".join(self.lines[first - 1 : last])

    @property
    def starts(self) -> Sequence[int]:
        """The text offset at which each line begins, and that of the end."""
        if not self._starts:
            lengths = (len(line) + 1 for line in self.lines)
            self._starts = list(accumulate(lengths, initial=0))
        return self._starts

    def line_at(self, offset: int) -> int:
        """The 0-based line that a text offset is in."""
        return min(bisect_right(self.starts, offset) - 1, len(self.lines) - 1)

    def match(self, offset: int, length: int) -> Match:
        """The place at a text offset as line and offsets into that line."""
        line = self.line_at(offset)
        begin = self.starts[line]
        return Match(line, offset - begin, offset - begin + length)


def needle_pattern(needle: str) -> re.Pattern[str]:
    """What is searched, letter for letter; capitals count only if it has any."""
    flags = re.IGNORECASE if needle == needle.lower() else 0
    return re.compile(re.escape(needle), flags)


def fences(lines: Sequence[str]) -> bytes:
    """Which lines belong to a code fence, as Markdown opens and closes them."""
    marks = bytearray(len(lines))
    opened = ""
    for number, line in enumerate(lines):
        found = _FENCE.match(line) if "```" in line or "~~~" in line else None
        if opened:
            marks[number] = 1
            if found and found[1].startswith(opened) and not line[found.end() :].strip():
                opened = ""
        elif found:
            marks[number] = 1
            opened = found[1]
    return bytes(marks)
