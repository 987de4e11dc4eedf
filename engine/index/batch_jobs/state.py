"""What the status says of batch jobs."""

from __future__ import annotations

from engine.embeddings.batch_jobs.breaker import LIMIT
from engine.index.batch_jobs.batches import Batches
from engine.index.batch_jobs.telling import short
from engine.status import BatchJobState, BatchState
from engine.store.job_contract import JobLedger, JobRow


def batch_state(batches: Batches, ledger: JobLedger | None) -> BatchState:
    """The state of now; without a ledger there is no index yet, and no job."""
    settings, trips, service = batches.settings, batches.breaker.trips, batches.service
    rows = ledger.jobs(service.space) if ledger is not None and service is not None else ()
    return BatchState(
        enabled=settings.enabled,
        active=not batches.why_not,
        reason=batches.why_not,
        wait=settings.wait,
        concurrency=batches.most_out,
        poll_interval_ms=round(settings.poll_interval_s * 1000),
        timeout_ms=round(settings.timeout_s * 1000),
        failures=trips.failures,
        limit=LIMIT,
        last_error=trips.last_error,
        last_provider=service.provider if service is not None and trips.last_error else None,
        jobs=tuple(map(_job, rows)),
    )


def _job(row: JobRow) -> BatchJobState:
    return BatchJobState(
        short(row.job),
        row.provider,
        row.phase,
        row.done,
        row.failed,
        row.total,
        row.since_ms,
        row.looked_ms,
    )
