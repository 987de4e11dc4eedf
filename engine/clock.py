"""Time as a part that is handed in, so that decay, ages and screens can be tested."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Protocol


class Clock(Protocol):
    """The only source of time inside the engine."""

    def now_ms(self) -> float:
        """Wall clock as milliseconds since the Unix epoch."""
        ...

    def monotonic(self) -> float:
        """Seconds from an arbitrary start, never going back."""
        ...


class SystemClock:
    """The machine's clock."""

    def now_ms(self) -> float:
        """Wall clock as milliseconds since the Unix epoch."""
        return time.time() * 1000.0

    def monotonic(self) -> float:
        """Seconds from an arbitrary start, never going back."""
        return time.monotonic()


@dataclass(slots=True)
class FixedClock:
    """A clock that stands still until it is told otherwise; ``--now`` uses it for decay."""

    epoch_ms: float
    seconds: float = 0.0

    def now_ms(self) -> float:
        """The fixed wall clock in milliseconds since the Unix epoch."""
        return self.epoch_ms

    def monotonic(self) -> float:
        """The fixed monotonic reading in seconds."""
        return self.seconds
