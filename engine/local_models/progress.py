"""How fast a download is and how long it will take, told a few times a second."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Literal

from engine.clock import Clock
from engine.events import ModelDownload

OnProgress = Callable[[ModelDownload], None]

_EVERY_S = 0.1
_WINDOW_S = 5.0
Stage = Literal["waiting", "downloading", "verifying", "done"]


class ProgressMeter:
    """Turns byte counts into events."""

    def __init__(self, name: str, clock: Clock, tell: OnProgress) -> None:
        self._name = name
        self._clock = clock
        self._tell = tell
        self._told: tuple[Stage, float] | None = None
        self._samples: deque[tuple[float, int]] = deque()

    def at(self, done: int, total: int | None, stage: Stage = "downloading") -> None:
        """The state now; passed on at most ten times a second, a new stage always."""
        now = self._clock.monotonic()
        if self._told is not None and self._told[0] == stage and now < self._told[1] + _EVERY_S:
            return
        if self._told is not None and self._told[0] != stage:
            self._samples.clear()
        self._told = (stage, now)
        speed = self._speed(now, done)
        left = None
        if speed and total is not None and stage in ("downloading", "waiting"):
            left = max(total - done, 0) / speed
        self._tell(ModelDownload(self._name, done, total, speed, left, stage))

    def _speed(self, now: float, done: int) -> float | None:
        """Bytes a second over the last seconds; None until two samples lie apart."""
        samples = self._samples
        if samples and done < samples[-1][1]:  # started over
            samples.clear()
        samples.append((now, done))
        while samples[0][0] < now - _WINDOW_S:
            samples.popleft()
        seconds = now - samples[0][0]
        return (done - samples[0][1]) / seconds if seconds > 0 else None
