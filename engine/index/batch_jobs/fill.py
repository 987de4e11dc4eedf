"""The batch jobs of one sync: submit, stay with them, store what they bring, submit the rest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.errors import CancelledError, ProviderError
from engine.index.batch_jobs.batches import Batches
from engine.index.batch_jobs.collection import Collection
from engine.index.batch_jobs.parting import part_from
from engine.index.batch_jobs.sending import Sending
from engine.index.batch_jobs.source import Source
from engine.index.batch_jobs.telling import Teller
from engine.store.job_contract import JobLedger, JobRow

if TYPE_CHECKING:
    from engine.clock import Clock
    from engine.embeddings.batch_jobs.service import BatchService
    from engine.events import EventSink
    from engine.index.vectors import VectorFiller
    from engine.net.messages import Cancelled


@dataclass(slots=True)
class BatchFill:
    """Works beside ``filler``, which sends plain requests: it is told what is out or will be,
    so that nothing is sent both ways. ``staying`` is called while it waits.
    """

    ledger: JobLedger
    batches: Batches
    service: BatchService
    filler: VectorFiller
    sending: Sending
    collection: Collection
    clock: Clock
    emit: EventSink
    cancelled: Cancelled
    staying: Callable[[], None]
    made_way: bool = False
    """True when it no longer waits because another sync wants its turn."""

    def takes(self, texts: int) -> bool:
        """Whether so many texts would go by jobs."""
        return self.sending.takes(texts)

    @property
    def out(self) -> bool:
        """True while a job is out."""
        return bool(self._rows())

    def look(self) -> bool:
        """Look once at each job that is due; True when one is over. Sends no texts.

        Without an index there is no place for vectors yet. Raises CancelledError.
        """
        try:
            return self.collection.has_place and self._look_at_due()
        except ProviderError as error:
            # A plain request meets it too, and the sync then says so.
            if self.batches.breaker.noted(error.message):
                Teller(self.emit).not_seen(error.message)
            return False
        finally:
            self.filler.away = self.ledger.out(self.service.space)

    def submit(self, source: Source) -> None:
        """Submit what lacks a vector, if it is enough. Raises CancelledError."""
        try:
            self.sending.some(source)
        except ProviderError as error:
            self.filler.failure = self.filler.failure or error
        self._note_away(source)

    def stay(self, source: Source) -> bool:
        """Wait for what is out as the settings say; True when anything has come of it.

        Further jobs are submitted as others end. Raises CancelledError.
        """
        ended = False
        deadline = self.clock.monotonic() + self.batches.settings.timeout_s
        try:
            ended = self._fetch_due(source)
            while rows := self._rows():
                if not self.batches.settings.wait or not self._wait(rows, deadline):
                    self._leave(rows)
                    break
                ended |= self._fetch_due(source)
        except ProviderError as error:
            self.filler.failure = self.filler.failure or error
        self._note_away(source)
        return ended

    def abandon(self) -> None:
        """The sync was cancelled: cancel at the service what it was about.

        Where the application ends, or nobody was waiting, jobs stay out.
        """
        rows = [row for row in self._rows() if row.job and self._concerned(row)]
        if self.batches.leaving():
            for row in rows:
                Teller(self.emit).goes_on(row)
            return
        for row in rows:
            part_from(row, self.ledger, self.service, self.clock, self.emit)
        self.ledger.agree(None)

    def _concerned(self, row: JobRow) -> bool:
        return self.batches.settings.wait or row.number in self.sending.begun

    def _wait(self, rows: Sequence[JobRow], deadline: float) -> bool:
        """Until a job is due; False when nobody should wait any longer. Raises CancelledError."""
        now = self.clock.monotonic()
        self.made_way = self.batches.makes_way()
        if self.made_way or now >= deadline:
            return False
        self.staying()
        due = min(self.batches.looks.due_s(row.number, now) for row in rows)
        self._pause(max(min(due, deadline) - now, 0.0))
        return True

    def _pause(self, seconds: float) -> None:
        """A pause that a cancel ends with CancelledError, and another sync without."""
        try:
            self.service.pause(seconds, lambda: self.cancelled() or self.batches.makes_way())
        except CancelledError:
            if self.cancelled() or not self.batches.makes_way():
                raise

    def _fetch_due(self, source: Source) -> bool:
        """Look at what is due; where a job is over, there is room for another one."""
        ended = self._look_at_due()
        if ended:
            self.sending.some(source)
        return ended

    def _look_at_due(self) -> bool:
        """Look at the jobs whose time has come; True when one of them is over."""
        now, looks = self.clock.monotonic(), self.batches.looks
        due = [row for row in self._rows() if looks.due_s(row.number, now) <= now]
        lost = [row for row in due if not row.job]
        for row in lost:
            looks.again(row.number, now)
        if lost:
            self.sending.recover()
        ended = [self.collection.look(row) for row in due if row.job]
        return any(ended)

    def _leave(self, rows: Sequence[JobRow]) -> None:
        """Say what stays out, once a job; not when the next sync takes over at once."""
        if not self.made_way:
            for row in rows:
                if self._concerned(row):
                    Teller(self.emit).goes_on(row)

    def _note_away(self, source: Source) -> None:
        """What plain requests leave alone: texts that are out, or will be once there is room."""
        waiting = self.sending.waiting(source)
        busy = bool(self._rows()) or self.sending.elsewhere
        later = set(waiting) if busy and self.takes(len(waiting)) else set()
        self.filler.away = self.ledger.out(self.service.space) | later

    def _rows(self) -> tuple[JobRow, ...]:
        return self.ledger.jobs(self.service.space)
