"""What a search does for the index: a look at the disk in the background, and a sync if due."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable

from engine.clock import Clock
from engine.errors import EngineError
from engine.status import FileState

LOOK_EVERY_S = 2.0
"""Someone who types searches several times a second; the disk is looked at less often."""

LOOK_SHARE = 0.05
"""Looks take no more of the time than this: over many files they become seldom."""

RETRY_EVERY_S = 60.0
"""How often searches ask again for vectors that the provider has just failed to give."""

_CLOSE_S = 5.0


class SearchLook:
    """At most one look at a time, on a thread of its own. Thread-safe.

    ``look`` scans the disk and gives every file with its state; ``sync`` starts a sync in
    the background, and is None where searches do not sync.
    """

    def __init__(
        self,
        look: Callable[[], Iterable[FileState]],
        sync: Callable[[], object] | None,
        clock: Clock,
    ) -> None:
        self._look = look
        self._sync = sync
        self._clock = clock
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._looked_at: float | None = None
        self._pause = LOOK_EVERY_S
        self._tried_at: float | None = None
        self._closed = False

    def begin(self, *, sync: bool = True) -> None:
        """Look soon, unless that was done just now; returns at once.

        Without ``sync`` nothing follows from what is seen.
        """
        now = self._clock.monotonic()
        with self._lock:
            if self._closed or _alive(self._thread) or not _due(self._looked_at, now, self._pause):
                return
            self._looked_at = now
            self._thread = threading.Thread(
                target=self._run, args=(sync,), name="memlens-look", daemon=True
            )
            self._thread.start()

    def wait(self, patience_s: float) -> None:
        """Wait for a look under way, but no longer than that."""
        with self._lock:
            thread = self._thread
        if thread is not None:
            thread.join(patience_s)

    def close(self) -> None:
        """Look no more. Safe to call twice."""
        with self._lock:
            self._closed = True
        self.wait(_CLOSE_S)

    def _run(self, sync: bool) -> None:
        try:
            dirty = self._look_timed()
            if sync and self._sync is not None and self._worth_a_sync(dirty):
                self._sync()
        except EngineError:
            # The workspace is gone or the index closed: a search still answers, and the
            # next sync says what is wrong.
            return

    def _look_timed(self) -> list[FileState]:
        began = self._clock.monotonic()
        dirty = [state for state in self._look() if state.dirty]
        took = self._clock.monotonic() - began
        self._pause = max(LOOK_EVERY_S, took / LOOK_SHARE)
        return dirty

    def _worth_a_sync(self, dirty: list[FileState]) -> bool:
        if any(state.state != "failed" for state in dirty):
            return True
        now = self._clock.monotonic()
        if not dirty or not _due(self._tried_at, now, RETRY_EVERY_S):
            return False
        self._tried_at = now
        return True


def _due(last: float | None, now: float, every_s: float) -> bool:
    return last is None or now - last >= every_s


def _alive(thread: threading.Thread | None) -> bool:
    return thread is not None and thread.is_alive()
