"""What is on disk as of the last look, compared with what the index holds now."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable

from engine.clock import Clock
from engine.errors import PathError
from engine.events import EventSink, ScanChanged
from engine.index.context import SyncParts
from engine.index.coverage import Dated, Looked, Stored, coverage
from engine.index.plan import looks_same
from engine.index.sync import look
from engine.sources.found import FoundFile, ScanResult
from engine.sources.reading import read_found
from engine.status import FileState

_MOST_DATES = 200_000

_Version = tuple[str, int, float]
"""Path, size and mtime: what a hash was computed for."""


class Survey:
    """Keeps the last scan; every answer is compared with the store of this moment.

    Thread-safe. ``parts`` gives the indexer's present parts, ``dated`` the date that
    decay reads from a path.
    """

    def __init__(
        self, parts: Callable[[], SyncParts], clock: Clock, emit: EventSink, dated: Dated
    ) -> None:
        self._parts = parts
        self._clock = clock
        self._emit = emit
        self._dated = dated
        self._dates: dict[str, str | None] = {}
        self._lock = threading.RLock()
        self._scan: ScanResult | None = None
        self._scanned_at_ms: float | None = None
        self._hashes: dict[_Version, str] = {}
        self._answer: tuple[FileState, ...] | None = None
        self._answered_for: tuple[int, str] | None = None
        self._told: frozenset[str] = frozenset()

    @property
    def scanned_at_ms(self) -> float | None:
        """When the last scan was made, in milliseconds since the epoch; None before any."""
        return self._scanned_at_ms

    def scan(self) -> ScanResult:
        """The last scan; made now if there is none. Raises SyncError without a workspace."""
        with self._lock:
            if self._scan is None:
                self.take(look(self._parts().settings))
            assert self._scan is not None
            return self._scan

    def look_now(self) -> tuple[FileState, ...]:
        """Scan the disk and compare. Raises SyncError when the workspace is gone."""
        with self._lock:
            self.take(look(self._parts().settings))
        return self.states()

    def take(self, found: ScanResult) -> None:
        """Make this the last scan."""
        with self._lock:
            self._scan, self._scanned_at_ms = found, self._clock.now_ms()
            self._answer = None

    def states(self) -> tuple[FileState, ...]:
        """Every file with its state; emits ScanChanged when other files are dirty than before."""
        with self._lock:
            found, parts = self.scan(), self._parts()
            mark = (parts.store.reader.revision(), parts.wanted().vector_space)
            if self._answer is None or self._answered_for != mark:
                stored = read_stored(parts)
                looked = self._look_closer(found, stored)
                self._answer = coverage(found, stored, looked, self._date_of)
                self._answered_for = mark
            answer = self._answer
        self._tell(answer)
        return answer

    def _date_of(self, path: str) -> str | None:
        """The date of a path, worked out once: every look asks for every file."""
        if path not in self._dates:
            if len(self._dates) > _MOST_DATES:
                self._dates.clear()
            self._dates[path] = self._dated(path)
        return self._dates[path]

    def _look_closer(self, found: ScanResult, stored: Stored) -> Looked:
        """Hash files whose size or mtime differs from their row, each version of them once."""
        rows = {row.path: row for row in stored.files}
        looked = Looked({}, {})
        before, self._hashes = self._hashes, {}
        for file in found.files:
            row = rows.get(file.path)
            if row is None:
                _try_access(file, looked.unreadable)
            elif not looks_same(file, row):
                self._hash(file, before, looked)
        return looked

    def _hash(self, file: FoundFile, before: dict[_Version, str], looked: Looked) -> None:
        version = (file.path, file.size, file.mtime_ms)
        most = self._parts().settings.roots.max_file_bytes
        try:
            text_hash = before.get(version) or read_found(file, most)[1]
        except PathError as error:
            looked.unreadable[file.path] = error.message
        else:
            looked.hashes[file.path] = self._hashes[version] = text_hash

    def _tell(self, states: tuple[FileState, ...]) -> None:
        """Not under the lock: whoever listens may be waiting for somebody who wants it."""
        dirty = frozenset(state.path for state in states if state.dirty)
        with self._lock:
            if dirty == self._told:
                return
            self._told = dirty
        self._emit(ScanChanged(len(dirty)))


def read_stored(parts: SyncParts) -> Stored:
    """What the index holds, in one snapshot.

    Missing vectors count only in the space that the index answers with: a space that is
    not in use yet is a matter of the index identity, not of single files.
    """
    with parts.store.reader.snapshot() as now:
        identity, space = now.identity(), parts.wanted().vector_space
        in_use = parts.provider is not None and identity and identity.vector_space == space
        return Stored(
            files=now.files(),
            chunk_counts=now.chunk_counts(),
            unembedded=now.unembedded(space) if in_use else (),
        )


def _try_access(file: FoundFile, unreadable: dict[str, str]) -> None:
    if not os.access(file.location, os.R_OK):
        unreadable[file.path] = "It cannot be read: permission denied."
