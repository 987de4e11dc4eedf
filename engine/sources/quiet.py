"""When enough quiet has passed after a change to act on it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class QuietTime:
    """Holds a change back until nothing has happened for ``quiet_s`` seconds.

    A stream of changes that never rests is acted on every ``longest_s`` seconds.
    Times are readings of one monotonic clock, in seconds.
    """

    quiet_s: float
    longest_s: float
    _first: float | None = None
    _last: float = 0.0

    def note(self, now: float) -> None:
        """A change happened."""
        if self._first is None:
            self._first = now
        self._last = now

    def due(self, now: float) -> bool:
        """True when a change is waiting and its time has come."""
        if self._first is None:
            return False
        return now - self._last >= self.quiet_s or now - self._first >= self.longest_s

    def clear(self) -> None:
        """The waiting change has been acted on."""
        self._first = None
