"""After a change of the index: what frequent searches keep in memory is read anew, beside them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress

from engine.errors import EngineError

_CLOSE_S = 5.0


class Warming:
    """At most one at a time, on a thread of its own; a change meanwhile makes it begin again."""

    def __init__(self, warm: Callable[[], None]) -> None:
        self._warm = warm
        self._lock = threading.Lock()
        self._wanted = False
        self._closed = False
        self._thread: threading.Thread | None = None

    def changed(self) -> None:
        """The index has a new revision; returns at once."""
        with self._lock:
            self._wanted = not self._closed
            if self._thread is None and self._wanted:
                self._begin()

    def close(self) -> None:
        """Begin no more, and wait for what is under way. Safe to call twice."""
        with self._lock:
            self._closed, self._wanted = True, False
            thread = self._thread
        if thread is not None:
            thread.join(_CLOSE_S)

    def _begin(self) -> None:
        self._thread = threading.Thread(target=self._run, name="memlens-warm", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            while self._next():
                # Interrupted, closed, or no room: searches then read what they need themselves.
                with suppress(EngineError, MemoryError):
                    self._warm()
        finally:
            self._over()

    def _next(self) -> bool:
        with self._lock:
            wanted, self._wanted = self._wanted, False
            if not wanted:
                self._thread = None  # a change from here on begins another thread
            return wanted

    def _over(self) -> None:
        """Whatever ended this thread, a change that was told to it or later is followed."""
        with self._lock:
            if self._thread is threading.current_thread():
                self._thread = None
                if self._wanted:
                    self._begin()
