"""Time that moves only when somebody sleeps, for tests of waiting."""

from __future__ import annotations

from engine.clock import FixedClock
from engine.errors import CancelledError
from engine.net.messages import Cancelled


class StillTime:
    """A sleeper that moves its clock instead of waiting, and remembers how long it was asked to."""

    def __init__(self, epoch_ms: float = 1_770_000_000_000.0) -> None:
        self.clock = FixedClock(epoch_ms, 1000.0)
        self.slept: list[float] = []

    def sleep(self, seconds: float, cancelled: Cancelled) -> None:
        """Move the clock. Raises CancelledError when cancelled."""
        if cancelled():
            raise CancelledError("Waiting for the provider")
        self.slept.append(seconds)
        self.clock.seconds += seconds
        self.clock.epoch_ms += seconds * 1000.0

    def wake(self) -> None:
        """Nobody sleeps for real."""
