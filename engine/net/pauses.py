"""Waiting between attempts: one pause per host for all threads, ended by a cancel or by closing."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
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
                raise _given_up()

    def wake(self) -> None:
        """End every sleep."""
        self._woken.set()


@dataclass(frozen=True, slots=True)
class Pause:
    """A host is left alone for so many seconds more, and why."""

    host: str
    seconds: float
    reason: str


@dataclass(slots=True)
class _Host:
    """``until`` is monotonic seconds. After a pause one request goes first, on trial."""

    until: float = 0.0
    reason: str = ""
    unproven: bool = False
    on_trial: bool = False
    told: bool = False


class Turn:
    """The leave to send one request; ``granted`` is False when the wait was too long."""

    def __init__(self, *, granted: bool, on_trial: bool = False) -> None:
        self.granted = granted
        self.on_trial = on_trial
        self.welcome = False
        """Set when the host has taken the request without asking for a pause."""


class HostPauses:
    """Until when each host asked to be left alone, shared by all threads.

    When a pause is over, one request goes first; the others follow once the host has
    taken it, so that a limited host is not met by everybody at once again. ``paused`` is
    told of each pause that begins or grows, ``resumed`` when requests go there again.
    """

    def __init__(
        self,
        clock: Clock,
        sleeper: Sleeper,
        *,
        paused: Callable[[Pause], None] = lambda pause: None,
        resumed: Callable[[str], None] = lambda host: None,
    ) -> None:
        self._clock = clock
        self._sleeper = sleeper
        self._paused = paused
        self._resumed = resumed
        self._changed = threading.Condition()
        self._hosts: dict[str, _Host] = {}
        self._closed = False

    def hold(self, host: str, seconds: float, reason: str) -> None:
        """No request to that host for so many seconds; never shortens a pause."""
        until = self._clock.monotonic() + seconds
        with self._changed:
            state = self._hosts.setdefault(host, _Host())
            state.unproven = True
            grown = until > state.until
            if grown:
                state.until, state.reason, state.told = until, reason, True
        if grown:
            self._paused(Pause(host, seconds, reason))

    def remaining_s(self, host: str) -> float:
        """Seconds until the host may be asked again; 0 when it may be asked now."""
        with self._changed:
            state = self._hosts.get(host)
            return 0.0 if state is None else max(state.until - self._clock.monotonic(), 0.0)

    def current(self) -> list[Pause]:
        """The pauses that are not over."""
        now = self._clock.monotonic()
        with self._changed:
            return [
                Pause(host, state.until - now, state.reason)
                for host, state in self._hosts.items()
                if state.until > now
            ]

    @contextmanager
    def turn(
        self,
        host: str,
        cancelled: Cancelled,
        afford: Callable[[float], bool],
        *,
        in_line: bool = True,
    ) -> Iterator[Turn]:
        """Wait until the host may be asked; not granted when ``afford`` refuses the time.

        ``in_line`` also waits for a request on trial; somebody who waits for an answer
        does not. Raises CancelledError.
        """
        turn = self._await_turn(host, cancelled, afford, in_line)
        try:
            yield turn
        finally:
            self._over(host, turn, in_line)

    def sleep(self, seconds: float, cancelled: Cancelled) -> None:
        """A pause of this request alone. Raises CancelledError."""
        self._sleeper.sleep(seconds, cancelled)

    def close(self) -> None:
        """End all waits with CancelledError."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._sleeper.wake()

    def _await_turn(
        self, host: str, cancelled: Cancelled, afford: Callable[[float], bool], in_line: bool
    ) -> Turn:
        while True:
            while (rest := self.remaining_s(host)) > 0:
                if not afford(rest):
                    return Turn(granted=False)
                self._sleeper.sleep(rest, cancelled)
            turn = self._step_up(host, in_line)
            if turn is not None:
                return turn
            if cancelled() or self._closed:
                raise _given_up()

    def _step_up(self, host: str, in_line: bool) -> Turn | None:
        """The turn, if it has come; None after a short wait for the one on trial."""
        with self._changed:
            state = self._hosts.get(host)
            if state is None:
                return Turn(granted=True)
            if state.until > self._clock.monotonic():
                return None
            if in_line and state.on_trial:
                self._changed.wait(_POLL_S)
                return None
            on_trial = state.on_trial = in_line and state.unproven
            told, state.told = state.told, False
        if told:
            self._resumed(host)
        return Turn(granted=True, on_trial=on_trial)

    def _over(self, host: str, turn: Turn, in_line: bool) -> None:
        with self._changed:
            state = self._hosts.get(host)
            if state is None:
                return
            if turn.on_trial:
                state.on_trial = False
            if turn.welcome and (turn.on_trial or not in_line):
                state.unproven = False
            self._changed.notify_all()


def _given_up() -> CancelledError:
    return CancelledError("Waiting for the provider")
