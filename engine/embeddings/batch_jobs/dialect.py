"""What differs from service to service in batch jobs; pure, no requests are sent here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from engine.embeddings.batch_jobs.multipart import Multipart
from engine.embeddings.remote.wire import Call
from engine.events import BatchPhase

MOST_REQUESTS = 50_000
MOST_BYTES = 190 * 1024 * 1024
ENDED: frozenset[BatchPhase] = frozenset({"completed", "failed", "expired", "cancelled"})
"""The phases after which a job does not change any more; each may have left results."""


@dataclass(frozen=True, slots=True)
class Caps:
    """What one job may hold: requests, and bytes of their file."""

    requests: int = MOST_REQUESTS
    bytes: int = MOST_BYTES


@dataclass(frozen=True, slots=True)
class JobView:
    """A job as its service shows it.

    ``files`` hold results: those with vectors first, then those with errors. ``total`` is
    None while the service has not counted. ``crowded`` says that the job failed because
    too much is waiting for this account already. ``known`` is how the job can be told from
    others: our label, the id of the uploaded file.
    """

    job: str
    phase: BatchPhase
    done: int = 0
    failed: int = 0
    total: int | None = None
    files: tuple[str, ...] = ()
    problem: str = ""
    crowded: bool = False
    known: frozenset[str] = frozenset()

    @property
    def ended(self) -> bool:
        """True when the job will not change any more."""
        return self.phase in ENDED


@dataclass(frozen=True, slots=True)
class RawResult:
    """A line of a result file: the id that we gave, and a vector as it was sent or an error."""

    id: str
    embedding: Any = None
    error: str = ""
    tokens: int | None = None


@dataclass(frozen=True, slots=True)
class JobPage:
    """A page of the list of jobs, the latest first, and the path of the next one."""

    jobs: tuple[JobView, ...]
    next: str | None = None


class BatchDialect(Protocol):
    """One service's way of batch jobs. Paths are below the base address.

    What reads answers raises AnswerError when they are not understood.
    """

    def line(self, id: str, text: str, model: str) -> bytes:
        """The request for one text as a line of the file, line feed included."""
        ...

    def upload_url(self, base_url: str) -> str:
        """The whole address that takes files."""
        ...

    def upload_form(self, label: str) -> Multipart:
        """What stands around the lines in the body of the upload."""
        ...

    def uploaded(self, answer: Mapping[str, Any]) -> str:
        """The id of the file."""
        ...

    def create(self, file: str, label: str, model: str) -> Call:
        """The request that makes a job of a file."""
        ...

    def view(self, answer: Mapping[str, Any]) -> JobView:
        """The job, from the answer to ``create`` or to a look at it."""
        ...

    def job_path(self, job: str) -> str:
        """Where a job is looked at."""
        ...

    def cancel_path(self, job: str) -> str:
        """Where a job is cancelled."""
        ...

    def list_path(self) -> str:
        """The first page of the jobs."""
        ...

    def page(self, answer: Mapping[str, Any]) -> JobPage:
        """A page of the list."""
        ...

    def content_urls(self, base_url: str, file: str) -> tuple[str, ...]:
        """Whole addresses of a result file, in the order in which they are tried."""
        ...

    def file_path(self, file: str) -> str:
        """Where a file is deleted."""
        ...

    def result(self, line: Mapping[str, Any]) -> RawResult | None:
        """What a line of a result file says; None when it is no such line."""
        ...


def count_of(value: Any) -> int:
    """A count as services write them: a number, or its digits in a string; else 0."""
    if isinstance(value, str) and value.isdecimal() and len(value) < 16:
        value = int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def text_of(value: Any) -> str:
    """The text, or nothing where something else stands."""
    return value if isinstance(value, str) else ""


def part_of(value: Any, name: str) -> Mapping[str, Any]:
    """The object under a name; an empty one where there is none."""
    part = value.get(name) if isinstance(value, Mapping) else None
    return part if isinstance(part, Mapping) else {}
