"""Search in a file: the places of a text, the one it stands at, and the way round."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

from tui.widgets.files.document import Document, Match


@dataclass(slots=True)
class Finding:
    """The places of ``needle`` in a document, in order; ``at`` is the one in hand."""

    needle: str = ""
    matches: Sequence[Match] = ()
    at: int | None = None
    _keys: list[tuple[int, int]] = field(default_factory=list)

    @classmethod
    def of(cls, document: Document, needle: str) -> Finding:
        """Look for every place of a text."""
        matches = document.find(needle)
        return cls(needle, matches, None, [(match.line, match.start) for match in matches])

    @property
    def now(self) -> Match | None:
        """The place in hand."""
        return None if self.at is None else self.matches[self.at]

    def from_line(self, line: int) -> Match | None:
        """Take the first place at or after a 0-based line in hand, around the end."""
        if not self.matches:
            return None
        self.at = bisect_left(self._keys, (line, 0)) % len(self.matches)
        return self.now

    def step(self, line: int, places: int) -> Match | None:
        """Take the next or previous place in hand, counted from the cursor's line."""
        if not self.matches:
            return None
        now = self.now
        if now is not None and now.line == line:
            self.at = ((self.at or 0) + places) % len(self.matches)
        elif places > 0:
            self.at = bisect_right(self._keys, (line, 1 << 60)) % len(self.matches)
        else:
            self.at = (bisect_left(self._keys, (line, 0)) - 1) % len(self.matches)
        return self.now

    @property
    def told(self) -> str:
        """Where the search stands, in words."""
        if not self.needle:
            return ""
        if not self.matches:
            return "not in this file"
        place = f"{self.at + 1}/" if self.at is not None else ""
        return f"{place}{len(self.matches)} found"
