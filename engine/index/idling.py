"""What the indexer does while nobody asks for a sync: the interval, and batch jobs that are out."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from engine.errors import EngineError
from engine.index.context import SyncContext, SyncParts
from engine.index.decision import SyncRequest
from engine.index.requests import RequestQueue, Run
from engine.index.settling import settle

if TYPE_CHECKING:
    from engine.index.batch_jobs.batches import Batches

_INTERVAL = SyncRequest("interval")


class JobWatch:
    """Looks after batch jobs that no sync waits for."""

    def __init__(self, parts: Callable[[], SyncParts], closed: Callable[[], bool]) -> None:
        self._parts = parts
        self._closed = closed

    def due_in_s(self) -> float | None:
        """Seconds until a job is to be looked at; None when none is out."""
        parts = self._parts()
        batches = parts.batches
        if batches is None or batches.service is None or not parts.store.jobs.writable:
            return None
        with suppress(EngineError):
            return self._due_in_s(parts, batches, batches.service.space)
        return None

    def look(self) -> bool:
        """Look at what is due and store what has come; True when a job is over.

        Trouble is told, or met again by the next sync.
        """
        with suppress(EngineError):
            context = SyncContext(self._parts(), _INTERVAL, self._closed, bulk=False)
            try:
                return context.jobs is not None and context.jobs.look()
            finally:
                settle(context)
        return False

    def _due_in_s(self, parts: SyncParts, batches: Batches, space: str) -> float | None:
        now = parts.clock.monotonic()
        due = [batches.looks.due_s(row.number, now) for row in parts.store.jobs.jobs(space)]
        return max(min(due) - now, 0.0) if due else None


class Idling:
    """Waits for the next run. ``interval_s`` None: only requests begin one, and ended jobs.

    Pauses are counted by their length and not by the clock, which tests stop.
    """

    def __init__(self, queue: RequestQueue, interval_s: float | None, jobs: JobWatch) -> None:
        self._queue = queue
        self._interval_s = interval_s
        self._jobs = jobs

    def next_run(self) -> Run | None:
        """The run that begins now; None once the queue is closed."""
        left = self._interval_s
        while True:
            due = self._jobs.due_in_s()
            pause = min((each for each in (left, due) if each is not None), default=None)
            if self._queue.wait(pause):
                return self._queue.take()
            assert pause is not None
            left = None if left is None else left - pause
            ended = due is not None and due <= pause and self._jobs.look()
            if ended or (left is not None and left <= 0.0):
                return self._queue.take(_INTERVAL)
