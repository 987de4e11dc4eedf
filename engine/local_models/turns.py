"""Who may use the one model next: a person who waits goes before a long job."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from engine.errors import CancelledError
from engine.net.messages import Cancelled

_POLL_S = 0.05


class Turns:
    """One user at a time; ``urgent`` ones overtake the others at the next change."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._taken = False
        self._urgent = 0

    @contextmanager
    def turn(self, cancelled: Cancelled, *, urgent: bool) -> Iterator[None]:
        """Wait for a turn and hold it. Raises CancelledError within 0.1 s of a cancel."""
        with self._changed:
            self._urgent += urgent
            try:
                while self._taken or (self._urgent and not urgent):
                    if cancelled():
                        raise CancelledError("Embedding")
                    self._changed.wait(_POLL_S)
                self._taken = True
            finally:
                self._urgent -= urgent
        try:
            yield
        finally:
            with self._changed:
                self._taken = False
                self._changed.notify_all()
