"""Giving a job up: the service is asked to cancel it, and what it has done is fetched later."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.errors import ProviderError
from engine.index.batch_jobs.telling import Teller
from engine.store.job_contract import JobLedger, JobRow

if TYPE_CHECKING:
    from engine.clock import Clock
    from engine.embeddings.batch_jobs.service import BatchService
    from engine.events import EventSink


def part_from_all(ledger: JobLedger, service: BatchService, clock: Clock, emit: EventSink) -> int:
    """Ask for every job that is out to be cancelled; returns for how many that came through."""
    rows = [row for row in ledger.jobs(service.space) if row.job]
    return sum([part_from(row, ledger, service, clock, emit) for row in rows])


def part_from(
    row: JobRow, ledger: JobLedger, service: BatchService, clock: Clock, emit: EventSink
) -> bool:
    """Ask the service to cancel a job, and say so; False when it could not be asked.

    The job stays in the ledger: until it has ended there, its texts are not sent again.
    """
    teller = Teller(emit)
    try:
        service.cancel(row.job)
    except ProviderError as error:
        teller.not_stopped(row, error.message)
        return False
    seen = ledger.looked(row.number, "cancelling", row.done, row.failed, clock.now_ms())
    if seen is not None:
        teller.stands(seen)
    teller.asked_to_stop(row)
    return True
