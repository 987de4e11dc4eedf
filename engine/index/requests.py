"""Requests for a sync, merged so that those who wait together share one run."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from dataclasses import dataclass, field

from engine.errors import CancelledError, SyncError
from engine.events import SyncReason, SyncReport
from engine.index.decision import SyncRequest


@dataclass(slots=True)
class Run:
    """One sync to come or under way, and everybody's answer to it."""

    request: SyncRequest
    answer: Future[SyncReport] = field(default_factory=Future)
    cancelled: threading.Event = field(default_factory=threading.Event)


class RequestQueue:
    """At most one run under way and one waiting.

    A request that comes while a run is under way does not join that run, which may have
    looked at the disk already, but the one after it; so each request is answered by a
    scan made after it was asked.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._running: Run | None = None
        self._waiting: Run | None = None
        self._closed = False

    @property
    def busy(self) -> bool:
        """True while a run is under way or waiting."""
        return self._running is not None or self._waiting is not None

    def put(self, request: SyncRequest) -> tuple[Run, bool]:
        """The run that will answer a request; True when nothing was under way or waiting.

        Raises SyncError once closed.
        """
        with self._changed:
            if self._closed:
                raise SyncError("Index closed", "The index was closed.", "Open it again.")
            idle = not self.busy
            if self._waiting is None:
                self._waiting = Run(request)
            else:
                self._waiting.request = merged(self._waiting.request, request)
            self._changed.notify_all()
            return self._waiting, idle

    @property
    def waiting(self) -> bool:
        """True while a run waits for its turn."""
        return self._waiting is not None

    @property
    def closed(self) -> bool:
        """True once no more requests are taken."""
        return self._closed

    def wait(self, seconds: float | None) -> bool:
        """Wait for a request, for so many seconds at most; True for one, or once closed."""
        with self._changed:
            return bool(self._changed.wait_for(lambda: self._closed or self._waiting, seconds))

    def take(self, otherwise: SyncRequest | None = None) -> Run | None:
        """The waiting run, which is under way now; None once closed.

        Where none waits, one is begun for what is asked ``otherwise``.
        """
        with self._changed:
            if self._closed:
                return None
            own = None if otherwise is None else Run(otherwise)
            self._running, self._waiting = self._waiting or own, None
            return self._running

    def hand_on(self, rest: SyncRequest, answer: Future[SyncReport]) -> bool:
        """Let the waiting run do the rest of one that made way, and answer for it.

        False when none waits.
        """
        with self._changed:
            waiting = self._waiting
            if waiting is None:
                return False
            waiting.request = merged(rest, waiting.request)
        waiting.answer.add_done_callback(lambda done: _pass_on(done, answer))
        return True

    def done(self) -> None:
        """The run under way has ended."""
        with self._changed:
            self._running = None

    def cancel(self) -> None:
        """Ask the run under way to stop, and drop the waiting one."""
        with self._changed:
            waiting, self._waiting = self._waiting, None
            if self._running is not None:
                self._running.cancelled.set()
        if waiting is not None:
            waiting.answer.set_exception(CancelledError("The sync"))

    def close(self) -> None:
        """Cancel, and take no more requests."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self.cancel()


def _pass_on(done: Future[SyncReport], answer: Future[SyncReport]) -> None:
    error = done.exception()
    if error is None:
        answer.set_result(done.result())
    else:
        answer.set_exception(error)


def merged(first: SyncRequest, second: SyncRequest) -> SyncRequest:
    """One request that does what both ask; a person's asking outweighs an event's."""
    reason: SyncReason = "demand" if "demand" in (first.reason, second.reason) else first.reason
    return SyncRequest(reason, first.force or second.force)
