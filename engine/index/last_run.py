"""What the run under way tells, and how the last one ended."""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace

from engine.clock import Clock
from engine.errors import EngineError
from engine.events import EngineEvent, SyncProgress, SyncReport, SyncStarted
from engine.status import SyncPhase, SyncState


@dataclass(frozen=True, slots=True)
class Ending:
    """How a run ended, and when, in milliseconds since the epoch."""

    at_ms: float
    phase: SyncPhase = "idle"
    error: str | None = None
    hint: str = ""


class LastRun:
    """Thread-safe; the indexer feeds it and asks it."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._ending: Ending | None = None
        self._report: SyncReport | None = None
        self._progress: SyncProgress | None = None
        self._bulk = False
        self._pace: float | None = None
        self._count = -1

    @property
    def pace(self) -> float | None:
        """Chunks a second in the last run that gave chunks their vectors; None before one."""
        return self._pace

    def heard(self, event: EngineEvent) -> None:
        """Note an event of the run under way."""
        with self._lock:
            if isinstance(event, SyncStarted):
                self._progress, self._bulk = None, event.bulk
            elif isinstance(event, SyncProgress):
                self._progress = event

    def ended_at(self, count: int) -> None:
        """Note how many syncs the index has recorded when our last run ended."""
        with self._lock:
            self._count = count

    def finished(self, report: SyncReport) -> None:
        """Note the end of a run that came through."""
        with self._lock:
            self._progress = None
            self._report, self._ending = report, ending_of(report)
            done = report.embedded + report.cached
            if done and report.duration_ms > 0:
                self._pace = done / (report.duration_ms / 1000.0)

    def failed(self, error: EngineError) -> None:
        """Note the end of a run that did not."""
        with self._lock:
            self._progress = None
            self._ending = Ending(self._clock.now_ms(), "failed", error.message, error.hint)

    def cancelled(self) -> None:
        """Note the end of a run that the person stopped."""
        with self._lock:
            self._progress = None
            self._ending = Ending(self._clock.now_ms(), "cancelled")

    def state(self, *, running: bool, stored: SyncReport | None, count: int) -> SyncState:
        """The state of now; ``stored`` is the last recorded report, of whichever process.

        ``count`` is the number of recorded syncs: a success of another process after our
        last run outweighs a failure of ours, whatever the clocks say.
        """
        with self._lock:
            report, ending = self._report, self._ending
            if stored is not None and (report is None or count > self._count):
                report = stored
                ending = ending_of(stored) if count > self._count else ending
            ending = ending or Ending(0.0)
            state = SyncState(
                phase=ending.phase,
                progress=None,
                bulk=self._bulk,
                last=report,
                last_at_ms=end_ms(report) if report else None,
                error=ending.error,
                error_hint=ending.hint,
            )
            if running:
                state = replace(state, phase="running", progress=self._progress)
            return state


def ending_of(report: SyncReport) -> Ending:
    """A run whose provider failed has come through, but is not well unless the fallback is."""
    if report.embedding_error is None or report.fallback_covers:
        return Ending(end_ms(report))
    return Ending(end_ms(report), "failed", report.embedding_error, report.embedding_hint)


def end_ms(report: SyncReport) -> float:
    """When a sync ended, in milliseconds since the epoch."""
    return report.started_ms + report.duration_ms
