"""What the engine tells while it works: small frozen facts, delivered on the emitting thread."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

SyncStage = Literal["scanning", "embedding", "storing", "publishing"]
SyncReason = Literal["start", "search", "watch", "demand", "interval"]
BatchPhase = Literal[
    "preparing",
    "uploaded",
    "queued",
    "validating",
    "in_progress",
    "finalizing",
    "completed",
    "failed",
    "expired",
    "cancelling",
    "cancelled",
]
"""How far a batch job is: first with us ("preparing", "uploaded"), then at the provider."""
Stage = Literal[
    "draft-made",
    "migration-step",
    "moving-aside",
    "sweep-before",
    "sweep-after",
    "scanned",
    "build-begun",
    "texts-cut",
    "vectors-made",
    "batch-begun",
    "batch-written",
    "batch-committed",
    "publish-before",
    "publish-after",
    "drop-before",
    "old-generation-dropped",
    "adopt-before",
    "adopt-after",
    "tokens-booked",
    "record-before",
    "record-after",
    "job-reserved",
    "job-uploaded",
    "job-created",
    "job-known",
    "job-results-stored",
    "job-settled",
]
"""The points of the write paths that can be told apart; ``-before`` and ``-written`` lie
inside a transaction, right before its commit."""


@dataclass(frozen=True, slots=True)
class SyncStarted:
    """A sync begins; ``bulk`` means that it runs in a child process."""

    reason: SyncReason
    forced: bool
    bulk: bool
    files: int
    """Files that are new or changed, of which some may turn out unchanged by hash."""


@dataclass(frozen=True, slots=True)
class SyncProgress:
    """How far a running sync is; at most about 20 a second are emitted."""

    stage: SyncStage
    files_done: int
    files_total: int
    chunks_done: int
    embedded: int
    cached: int
    remaining_s: float | None
    """Estimate from the pace so far; None while there is nothing to estimate from."""


@dataclass(frozen=True, slots=True)
class SyncFinished:
    """A sync is complete and published."""

    report: SyncReport


@dataclass(frozen=True, slots=True)
class SyncFailed:
    """A sync stopped; the last published index still answers."""

    title: str
    message: str
    hint: str


@dataclass(frozen=True, slots=True)
class SyncCancelled:
    """A sync was cancelled by the person; the last published index still answers."""


@dataclass(frozen=True, slots=True)
class IndexChanged:
    """The published index has a new revision."""

    revision: int


@dataclass(frozen=True, slots=True)
class ScanChanged:
    """A scan found another set of dirty files than the one before."""

    dirty: int


@dataclass(frozen=True, slots=True)
class WatchChanged:
    """The way the folders are watched has changed."""

    mode: Literal["off", "native", "polling"]
    note: str


@dataclass(frozen=True, slots=True)
class Notice:
    """Something a person should read once: a fallback, a moved-aside store, a retry."""

    level: Literal["info", "warning", "error"]
    text: str


@dataclass(frozen=True, slots=True)
class HostPaused:
    """A host asked to be left alone: no request goes there for so many seconds.

    ``until_ms`` is the same as wall clock; a later event for the host replaces this one.
    """

    host: str
    seconds: float
    until_ms: float
    reason: str


@dataclass(frozen=True, slots=True)
class HostResumed:
    """The pause of a host is over, and a request goes there again.

    Not told when nobody waits any more: the pause then ends by itself at its time.
    """

    host: str


@dataclass(frozen=True, slots=True)
class BatchProgress:
    """Where a batch job at the provider stands; told when it is looked at or changes.

    ``job`` is the end of its id, enough to find it in the provider's console, empty while
    the provider has given none. ``done`` and ``failed`` are of ``total`` texts, as the
    provider counts them. ``since_ms`` is when it was begun (epoch ms). A job whose phase is
    "completed", "failed", "expired" or "cancelled" is told once and then is no more.
    """

    job: str
    provider: str
    phase: BatchPhase
    done: int
    failed: int
    total: int
    since_ms: float


@dataclass(frozen=True, slots=True)
class ModelDownload:
    """How far the download of a local model is; at most about ten a second are emitted.

    ``stage`` is "waiting" while another process downloads the same file and "verifying"
    while the whole file is compared with its checksum. The last event of a download that
    succeeds is "done"; a failure is told by the error that ends the work.
    """

    name: str
    done_bytes: int
    total_bytes: int | None
    """None while the server does not say."""
    bytes_per_s: float | None = None
    """Mean over the last few seconds; None while there is nothing to measure."""
    remaining_s: float | None = None
    stage: Literal["waiting", "downloading", "verifying", "done"] = "downloading"


@dataclass(frozen=True, slots=True)
class StageReached:
    """A named point in a write path; crash tests stop the process here."""

    name: Stage


@dataclass(frozen=True, slots=True)
class SkippedFile:
    """A file that looks like memory but is not indexed, and why (one plain sentence)."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class RecentChange:
    """What a sync did to one file."""

    path: str
    change: Literal["added", "changed", "removed"]
    at_ms: float
    chunks_added: int
    chunks_removed: int
    embedded: int
    cached: int


@dataclass(frozen=True, slots=True)
class SyncReport:
    """The sum of a finished sync; counts are files and chunks, times milliseconds."""

    reason: SyncReason
    forced: bool
    files_indexed: int
    files_removed: int
    chunks_added: int
    chunks_removed: int
    embedded: int
    cached: int
    not_embedded: int
    skipped: tuple[SkippedFile, ...]
    changes: tuple[RecentChange, ...]
    started_ms: float
    duration_ms: float
    embedding_error: str | None = None
    """Why the provider stopped giving vectors; the chunks are stored for keyword search."""
    embedding_hint: str = ""
    tokens: int | None = None
    """What was charged for: the provider's count, else an estimate; None when nothing was sent."""
    stood_in: int = 0
    """Texts that the fallback has embedded in its own space, because the provider failed."""
    fallback_covers: bool = False
    """True when the fallback was called, and no chunk lacks its vector in that space."""
    tokens_estimated: bool = False
    """True when the provider gave no count and ``tokens`` is a guess from the texts' length."""
    usd: float | None = None
    """What ``tokens`` cost by the price of that day; None when no price is known."""
    batch_tokens: int | None = None
    """How many of ``tokens`` were charged for batch jobs, which cost less; None without any."""
    submitted: int = 0
    """Texts that are out in batch jobs: their vectors come with a later sync."""


EngineEvent = (
    SyncStarted
    | SyncProgress
    | SyncFinished
    | SyncFailed
    | SyncCancelled
    | IndexChanged
    | ScanChanged
    | WatchChanged
    | Notice
    | HostPaused
    | HostResumed
    | BatchProgress
    | ModelDownload
    | StageReached
)
EventSink = Callable[[EngineEvent], None]


class EventBus:
    """Hands each event to all subscribers, on the thread that emits it.

    A subscriber must return quickly and must not raise; a screen posts a message.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._sinks: list[EventSink] = []

    def subscribe(self, sink: EventSink) -> Callable[[], None]:
        """Add a sink; the returned function removes it again."""
        with self._lock:
            self._sinks.append(sink)

        def unsubscribe() -> None:
            with self._lock:
                if sink in self._sinks:
                    self._sinks.remove(sink)

        return unsubscribe

    def emit(self, event: EngineEvent) -> None:
        """Deliver one event to every subscriber of this moment."""
        with self._lock:
            sinks = tuple(self._sinks)
        for sink in sinks:
            sink(event)
