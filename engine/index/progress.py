"""Telling how far a sync is, often enough to see and seldom enough not to cost."""

from __future__ import annotations

from dataclasses import dataclass

from engine.clock import Clock
from engine.events import EventSink, SyncProgress, SyncStage

INTERVAL_S = 0.05
"""Twenty a second: more is not seen, and each one wakes a screen."""


@dataclass(slots=True)
class Progress:
    """Counts of a running sync; emits ``SyncProgress`` at most every ``INTERVAL_S`` seconds.

    ``work_total`` and ``work_done`` carry the estimate only: bytes while texts are
    stored, chunks while vectors are caught up.
    """

    emit: EventSink
    clock: Clock
    files_total: int = 0
    files_done: int = 0
    chunks_done: int = 0
    embedded: int = 0
    cached: int = 0
    work_total: int = 0
    work_done: int = 0
    _stage: SyncStage = "scanning"
    _started: float = 0.0
    _told: float = float("-inf")

    def begin(self, files: int, work: int) -> None:
        """Set what there is to do from here on; the estimate starts anew."""
        self.files_total, self.work_total = files, work
        self.files_done = self.chunks_done = self.work_done = 0
        self._started = self.clock.monotonic()

    def stage(self, stage: SyncStage) -> None:
        """Enter a stage; told when it differs from the one before."""
        if stage != self._stage:
            self._stage = stage
            self._tell()

    def tick(self) -> None:
        """Tell the counts if the last time is long enough ago."""
        if self.clock.monotonic() - self._told >= INTERVAL_S:
            self._tell()

    def finish(self) -> None:
        """Tell the final counts, so that nothing ends at 97 percent."""
        self._tell()

    def _tell(self) -> None:
        self._told = self.clock.monotonic()
        self.emit(
            SyncProgress(
                stage=self._stage,
                files_done=self.files_done,
                files_total=self.files_total,
                chunks_done=self.chunks_done,
                embedded=self.embedded,
                cached=self.cached,
                remaining_s=self._remaining(),
            )
        )

    def _remaining(self) -> float | None:
        elapsed = self._told - self._started
        if not self.work_done or elapsed <= 0:
            return None
        return elapsed * max(0, self.work_total - self.work_done) / self.work_done
