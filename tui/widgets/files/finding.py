"""Search in a file: the places of a text, the one it stands at, and the way round."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from tui.widgets.files.document import Document, Match


@dataclass(slots=True)
class Finding:
    """The places of ``needle`` in a document, as text offsets; ``at`` is the one in hand."""

    document: Document
    needle: str = ""
    offsets: Sequence[int] = ()
    at: int | None = None

    @classmethod
    def of(cls, document: Document, needle: str) -> Finding:
        """Look for every place of a text."""
        return cls(document, needle, document.find(needle))

    @property
    def now(self) -> Match | None:
        """The place in hand."""
        if self.at is None:
            return None
        return self.document.match(self.offsets[self.at], len(self.needle))

    def from_line(self, line: int) -> Match | None:
        """Take the first place at or after a 0-based line in hand, around the end."""
        if not self.offsets:
            return None
        self.at = self._first_from(line) % len(self.offsets)
        return self.now

    def step(self, line: int, places: int) -> Match | None:
        """Take the next or previous place in hand, counted from the cursor's line."""
        if not self.offsets:
            return None
        now = self.now
        if now is not None and self.at is not None and now.line == line:
            at = self.at + places
        else:
            at = self._first_from(line + 1) if places > 0 else self._first_from(line) - 1
        self.at = at % len(self.offsets)
        return self.now

    def _first_from(self, line: int) -> int:
        return bisect_left(self.offsets, self.document.starts[line])

    @property
    def told(self) -> str:
        """Where the search stands, in words."""
        if not self.needle:
            return ""
        if not self.offsets:
            return "not in this file"
        place = f"{self.at + 1}/" if self.at is not None else ""
        return f"{place}{len(self.offsets)} found"
