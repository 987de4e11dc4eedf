"""Submitting what lacks a vector, in as many jobs as fit and may be out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine.embeddings.batch_jobs.refusals import BatchUnavailableError, JobTooLargeError
from engine.embeddings.batch_jobs.request_file import RequestFile, request_file
from engine.embeddings.cost.tokens import tokens_of_bytes
from engine.embeddings.remote.splitting import utf8_length
from engine.errors import CancelledError, ProviderError
from engine.index.batch_jobs.batches import Batches
from engine.index.batch_jobs.source import Source
from engine.index.batch_jobs.submission import Submission
from engine.index.batch_jobs.telling import Teller
from engine.store.job_contract import JobLedger, JobRow

if TYPE_CHECKING:
    from engine.clock import Clock
    from engine.embeddings.batch_jobs.service import BatchService
    from engine.events import EventSink
    from engine.index.vectors import VectorFiller
    from engine.net.messages import Cancelled

_JOBS_A_TEXT = 2
"""A text that two jobs of one sync gave no vector goes as a plain request, which says why."""


@dataclass(frozen=True, slots=True)
class _Written:
    """What is in a file of requests; ``tokens`` is a guess."""

    hashes: list[str]
    tokens: int


@dataclass(slots=True)
class Sending:
    """Submits jobs in one sync. ``begun`` are the numbers of those it has submitted;
    ``elsewhere`` says that another process is submitting, probably the same texts.
    """

    ledger: JobLedger
    batches: Batches
    service: BatchService
    filler: VectorFiller
    clock: Clock
    emit: EventSink
    cancelled: Cancelled
    begun: set[int] = field(default_factory=set)
    elsewhere: bool = False
    _plain: set[str] = field(default_factory=set)
    _tries: dict[str, int] = field(default_factory=dict)

    def takes(self, texts: int) -> bool:
        """Whether so many texts would go by a job."""
        return texts >= self.batches.settings.fewest and not self.batches.why_not

    def waiting(self, source: Source) -> list[str]:
        """The texts that have no vector, are not out, and may go by a job."""
        wanted = dict.fromkeys(source.hashes(), "")
        kept = self.filler.known(wanted) | self.ledger.out(self.service.space) | self._plain
        return [each for each in wanted if each not in kept]

    def some(self, source: Source) -> None:
        """Submit until enough jobs are out or too few texts are left.

        Raises ProviderError when the provider answers nobody, CancelledError.
        """
        with self.ledger.submitting() as mine:
            self.elsewhere = not mine
            if mine and self._recovered(send=not self.batches.why_not):
                while self._room() and self.takes(len(waiting := self.waiting(source))):
                    if not self._next(source, waiting):
                        break

    def _recovered(self, *, send: bool) -> bool:
        """Take up what was left half begun; False while nobody can say what became of it."""
        try:
            self._submission().recover(send=send)
        except ProviderError as error:
            if error.status in (401, 403):
                raise
            if self.batches.breaker.noted(error.message):
                Teller(self.emit).not_seen(error.message)
            return False
        return True

    def recover(self) -> None:
        """Find jobs whose id did not get here, without asking for any. Raises ProviderError,
        CancelledError.
        """
        with self.ledger.submitting() as mine:
            if mine:
                self._recovered(send=False)

    def _next(self, source: Source, waiting: Sequence[str]) -> bool:
        """Submit one job; False when there is no point in another one now."""
        try:
            with request_file(self.batches.learned.caps) as file:
                written = self._write(file, source, waiting)
                return self.takes(len(written.hashes)) and self._submit(written, file)
        except OSError as error:
            self._off(f"There is no room for the file of requests: {error.strerror}.")
            return False

    def _write(self, file: RequestFile, source: Source, waiting: Sequence[str]) -> _Written:
        hashes, octets = [], 0
        for chunk_hash, text in source.texts(waiting):
            if self.cancelled():
                raise CancelledError("The sync")
            if not self._fits(text):
                self._plain.add(chunk_hash)
            elif file.add(self.service.line(chunk_hash, text)):
                hashes.append(chunk_hash)
                octets += utf8_length(text)
            else:
                break
        return _Written(hashes, tokens_of_bytes(octets))

    def _fits(self, text: object) -> bool:
        """Only plain text that needs no cutting: anything else is for the provider itself."""
        if type(text) is not str or not text.strip():
            return False
        return utf8_length(text) <= self.filler.provider.limits.bytes_per_input

    def _submit(self, written: _Written, file: RequestFile) -> bool:
        """Submit a file; False when there is no point in another one now."""
        try:
            row = self._submission().submit(written.hashes, written.tokens, file)
        except JobTooLargeError as error:
            self.batches.learned.take_fewer(len(written.hashes))
            if self.batches.learned.caps.requests < self.batches.settings.fewest:
                self._off(error.message)
            return True
        except BatchUnavailableError as error:
            self._off(error.message)
            return False
        except ProviderError as error:
            self._count_failure(error.message)
            return True
        if row is not None:
            self._begun(row, written.hashes)
        return row is not None

    def _begun(self, row: JobRow, hashes: Sequence[str]) -> None:
        self.begun.add(row.number)
        self.batches.looks.begin(row.number, self.clock.monotonic())
        for each in hashes:
            self._tries[each] = self._tries.get(each, 0) + 1
            if self._tries[each] == _JOBS_A_TEXT:
                self._plain.add(each)
        Teller(self.emit).submitted(row)

    def _room(self) -> bool:
        return len(self.ledger.jobs(self.service.space)) < self.batches.most_out

    def _submission(self) -> Submission:
        return Submission(self.ledger, self.service, self.clock, self.cancelled)

    def _count_failure(self, reason: str) -> None:
        if self.batches.breaker.failed(reason):
            Teller(self.emit).off(self.batches.breaker.trips.off or reason)
        else:
            Teller(self.emit).failed(reason)

    def _off(self, reason: str) -> None:
        if self.batches.breaker.unavailable(reason):
            Teller(self.emit).off(reason)
