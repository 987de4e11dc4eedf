"""Beginning a job so that a kill at any point costs nothing twice.

Each step is in the ledger before the next one begins: reserved (nothing is out), uploaded
(costs nothing), created. A job that was asked for but whose id did not get here is looked
for at the service by its label and file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.clock import Clock
from engine.embeddings.batch_jobs.refusals import UnclearError
from engine.embeddings.batch_jobs.request_file import RequestFile
from engine.errors import CancelledError, ProviderError
from engine.store.job_contract import JobLedger, JobRow

if TYPE_CHECKING:
    from engine.embeddings.batch_jobs.service import BatchService
    from engine.net.messages import Cancelled


@dataclass(frozen=True, slots=True)
class Submission:
    """Begins and recovers jobs; only inside ``ledger.submitting()``."""

    ledger: JobLedger
    service: BatchService
    clock: Clock
    cancelled: Cancelled

    def submit(self, hashes: Sequence[str], tokens: int, file: RequestFile) -> JobRow | None:
        """Make a job of a file with these texts; None when they are all out already.

        Raises ProviderError of the kinds in ``refusals`` and CancelledError; the texts are
        free again then, unless it is open whether there is a job.
        """
        service, now_ms = self.service, self.clock.now_ms()
        row = self.ledger.reserve(service.space, service.provider, hashes, tokens, now_ms)
        if row is None:
            return None
        try:
            uploaded = self.service.upload(file, row.label, self.cancelled)
        except (ProviderError, CancelledError):
            self.ledger.settle(row.number)
            raise
        self.ledger.uploaded(row.number, uploaded)
        return self._create(row, uploaded)

    def recover(self, *, send: bool) -> None:
        """Take up what a process that has ended left half begun.

        ``send`` allows to ask for a job that is not there. Raises ProviderError,
        CancelledError.
        """
        for row in self.ledger.jobs(self.service.space):
            if row.job:
                continue
            if not row.file:
                self.ledger.settle(row.number)
                continue
            found = self.service.find(row.file, row.label, self.cancelled)
            if found is not None:
                self.ledger.created(row.number, found.job)
            elif send:
                self._create(row, row.file)

    def _create(self, row: JobRow, file: str) -> JobRow | None:
        try:
            view = self.service.create(file, row.label, self.cancelled)
        except UnclearError:
            raise
        except ProviderError:
            self.ledger.settle(row.number)
            self.service.discard((file,))
            raise
        return self.ledger.created(row.number, view.job)
