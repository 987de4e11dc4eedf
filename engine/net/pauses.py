"""Waiting between attempts: one pause per host for all threads, ended by a cancel or by closing."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Protocol

from engine.clock import Clock
from engine.errors import CancelledError
from engine.net.messages import Cancelled

_POLL_S = 0.05


class Sleeper(Protocol):
    """Lets time pass; tests hand in one that only moves a clock."""

    def sleep(self, seconds: float, cancelled: Cancelled) -> None:
        """Return after so many seconds. Raises CancelledError within 0.1 s of a cancel."""
        ...

    def wake(self) -> None:
        """End every sleep of now and later with CancelledError."""
        ...


class EventSleeper:
    """Sleeps on an event, in short slices, so that a cancel ends it."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._woken = threading.Event()

    def sleep(self, seconds: float, cancelled: Cancelled) -> None:
        """Return after so many seconds. Raises CancelledError when cancelled or woken."""
        end = self._clock.monotonic() + seconds
        while (rest := end - self._clock.monotonic()) > 0:
            if self._woken.wait(min(rest, _POLL_S)) or cancelled():
                raise CancelledError("Waiting for the provider")

    def wake(self) -> None:
        """End every sleep."""
        self._woken.set()


class HostPauses:
    """Until when each host asked to be left alone, shared by all threads."""

    def __init__(self, clock: Clock, sleeper: Sleeper) -> None:
        self._clock = clock
        self._sleeper = sleeper
        self._lock = threading.Lock()
        self._until: dict[str, float] = {}

    def hold(self, host: str, seconds: float) -> None:
        """No request to that host for so many seconds; never shortens a pause."""
        until = self._clock.monotonic() + seconds
        with self._lock:
            self._until[host] = max(self._until.get(host, until), until)

    def remaining_s(self, host: str) -> float:
        """Seconds until the host may be asked again; 0 when it may be asked now."""
        with self._lock:
            return max(self._until.get(host, 0.0) - self._clock.monotonic(), 0.0)

    def wait(self, host: str, cancelled: Cancelled, afford: Callable[[float], bool]) -> bool:
        """Sleep until the host may be asked; False when ``afford`` refuses the time."""
        while (rest := self.remaining_s(host)) > 0:
            if not afford(rest):
                return False
            self._sleeper.sleep(rest, cancelled)
        return True

    def sleep(self, seconds: float, cancelled: Cancelled) -> None:
        """A pause of this request alone. Raises CancelledError."""
        self._sleeper.sleep(seconds, cancelled)
