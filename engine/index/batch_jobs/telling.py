"""What is said about batch jobs while they go on."""

from __future__ import annotations

from engine.embeddings.batch_jobs.dialect import JobView
from engine.events import BatchProgress, EventSink, Notice
from engine.store.job_contract import JobRow

_SHOWN = 8


def short(job: str) -> str:
    """The end of a job's id, by which it is found in the provider's console."""
    return job[-_SHOWN:]


def name_of(row: JobRow) -> str:
    """A job as it is called in a sentence."""
    id = short(row.job)
    return f"Batch job ...{id} at {row.provider}" if id else f"A batch job for {row.provider}"


def progress_of(row: JobRow) -> BatchProgress:
    """Where a job stands."""
    return BatchProgress(
        short(row.job), row.provider, row.phase, row.done, row.failed, row.total, row.since_ms
    )


class Teller:
    """Puts it into words; each thing is said once."""

    def __init__(self, emit: EventSink) -> None:
        self._emit = emit

    def stands(self, row: JobRow) -> None:
        """A job was begun, or looked at."""
        self._emit(progress_of(row))

    def ended(self, row: JobRow, view: JobView, vectors: int) -> None:
        """A job is over; only what a person might miss is worth a sentence."""
        missing = row.total - vectors
        if not missing:
            return
        how = {
            "failed": "failed",
            "expired": "ran out of time",
            "cancelled": "was cancelled",
        }.get(view.phase, "is done")
        why = f" It says: {view.problem}" if view.problem else ""
        self._emit(
            Notice(
                "warning" if view.phase != "completed" else "info",
                f"{name_of(row)} {how}: {vectors} of {row.total} texts have their vectors, "
                f"{missing} are sent again.{why}",
            )
        )

    def submitted(self, row: JobRow) -> None:
        """A job was begun."""
        self.stands(row)
        self._emit(Notice("info", f"{name_of(row)} was submitted with {row.total} texts."))

    def off(self, reason: str) -> None:
        """No more jobs in this process."""
        self._emit(Notice("warning", f"Plain requests instead of batch jobs: {reason}"))

    def failed(self, reason: str) -> None:
        """A job could not be begun; another is tried."""
        self._emit(Notice("warning", f"A batch job failed. {reason}"))

    def not_seen(self, reason: str) -> None:
        """The provider lets nobody look at jobs."""
        self._emit(Notice("warning", f"Batch jobs cannot be looked at. {reason}"))

    def goes_on(self, row: JobRow) -> None:
        """Nobody waits for a job any longer, and it stays out."""
        self._emit(
            Notice(
                "info",
                f"{name_of(row)} goes on without us ({row.done} of {row.total} done); "
                "a later sync fetches its vectors.",
            )
        )

    def asked_to_stop(self, row: JobRow) -> None:
        """The service has been asked to cancel a job."""
        self._emit(
            Notice(
                "info",
                f"{name_of(row)} is being cancelled ({row.done} of {row.total} were done); "
                "the next sync fetches what there is.",
            )
        )

    def not_stopped(self, row: JobRow, reason: str) -> None:
        """The service could not be asked."""
        self._emit(Notice("warning", f"{name_of(row)} could not be cancelled: {reason}"))
