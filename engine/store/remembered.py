"""What searches read again and again of one revision, kept in memory until the next one."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.store.contract import ListedChunk

Key = tuple[int, int]
"""Generation and revision."""

MOST_ROWS = 8192
"""Rows kept; at the usual 1,600 characters a chunk about 15 MB."""
MOST_COUNTS = 4096


class Revision:
    """The memory of one revision; whoever holds it may read it while others add to it."""

    def __init__(self, key: Key) -> None:
        self.key = key
        self.chunks: int | None = None
        self.rows: dict[int, ListedChunk] = {}
        self.counts: dict[str, int] = {}

    def keep_rows(self, rows: Iterable[ListedChunk]) -> None:
        """Remember rows; when there are too many, the others are forgotten."""
        if len(self.rows) >= MOST_ROWS:
            self.rows = {}
        self.rows.update((row.rowid, row) for row in rows)

    def keep_count(self, term: str, count: int) -> None:
        """Remember how many chunks hold a term."""
        if len(self.counts) >= MOST_COUNTS:
            self.counts = {}
        self.counts[term] = count


class Remembered:
    """The memory of the revision that was read last; for any number of threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held = Revision((0, -1))

    def at(self, key: Key) -> Revision:
        """The memory of that revision, empty when another one was read before."""
        with self._lock:
            if self._held.key != key:
                self._held = Revision(key)
            return self._held

    def clear(self) -> None:
        """Free the memory."""
        with self._lock:
            self._held = Revision((0, -1))
