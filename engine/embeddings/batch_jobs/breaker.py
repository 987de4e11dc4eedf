"""When a process stops using batch jobs: after failures in a row, or where there are none."""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace

LIMIT = 2


@dataclass(frozen=True, slots=True)
class Trips:
    """What went wrong with batch jobs so far; ``off`` says why none is submitted any more."""

    failures: int = 0
    last_error: str | None = None
    off: str | None = None


class Breaker:
    """Counts failures of one provider in this process; thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._trips = Trips()

    @property
    def trips(self) -> Trips:
        """The state of now."""
        return self._trips

    @property
    def open(self) -> bool:
        """True once plain requests are used instead."""
        return self._trips.off is not None

    def failed(self, reason: str) -> bool:
        """Count a failure; True when it was the one too many."""
        with self._lock:
            before = self._trips
            failures = before.failures + 1
            off = before.off
            if off is None and failures >= LIMIT:
                off = f"{failures} batch jobs failed one after the other. {reason}"
            self._trips = Trips(failures, reason, off)
            return off is not None and before.off is None

    def unavailable(self, reason: str) -> bool:
        """There are no batch jobs there; True when that is news."""
        with self._lock:
            before = self._trips
            self._trips = Trips(before.failures, reason, before.off or reason)
            return before.off is None

    def noted(self, reason: str) -> bool:
        """Remember trouble that says nothing about jobs to come; True when it is news."""
        with self._lock:
            before = self._trips
            self._trips = replace(before, last_error=reason)
            return before.last_error != reason

    def succeeded(self) -> None:
        """A job has brought vectors: failures are counted anew."""
        with self._lock:
            self._trips = replace(self._trips, failures=0)
