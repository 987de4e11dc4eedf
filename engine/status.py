"""What the engine says of itself: plain values, computed when asked, never a latched flag."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.cost_status import NO_COST
from engine.cost_status import Cost as Cost
from engine.cost_status import CostState as CostState
from engine.cost_status import Price as Price
from engine.cost_status import Spending as Spending
from engine.events import BatchPhase, RecentChange, SkippedFile, SyncProgress, SyncReport
from engine.local_status import LocalModelState
from engine.traffic_status import FallbackSpell as FallbackSpell
from engine.traffic_status import HostPause as HostPause
from engine.traffic_status import ProviderTraffic as ProviderTraffic
from engine.traffic_status import RequestLimits as RequestLimits

FileStateName = Literal["indexed", "new", "changed", "deleted", "skipped", "failed"]
SyncPhase = Literal["idle", "running", "failed", "cancelled"]
WatchMode = Literal["off", "native", "polling"]
WorkspaceMode = Literal["agent", "folder", "demo"]
ProviderMode = Literal["active", "fallback-active", "degraded", "keyword-only", "pending"]


@dataclass(frozen=True, slots=True)
class Caution:
    """Something a person should know: a sentence, and what to do about it."""

    title: str
    message: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class PassedOver:
    """A provider that selection looked at and did not take, and why.

    ``plugin`` marks one that another distribution has brought, and whether it could be named.
    """

    provider: str
    reason: str
    plugin: Literal["usable", "unusable"] | None = None


@dataclass(frozen=True, slots=True)
class FallbackState:
    """Which provider failed, which one answers instead, why, and since when (epoch ms)."""

    from_: str
    to: str
    reason: str
    since_ms: float
    again_ms: float | None = None
    """From when on a search asks the one that failed again (epoch ms); None: never by itself."""


@dataclass(frozen=True, slots=True)
class ProviderState:
    """The provider asked for and the one in use, with the reason."""

    requested: str
    provider: str
    model: str
    dimensions: int | None
    mode: ProviderMode
    reason: str
    passed_over: tuple[PassedOver, ...]
    agent_would: str
    """One sentence: what the agent itself would do with this configuration."""
    key_source: str | None = None
    """Where a key came from (an environment variable's name, a file), never the key."""
    remote: bool = False
    fallback: FallbackState | None = None
    error: str | None = None
    error_hint: str = ""
    """What to do about the error."""
    again_ms: float | None = None
    """Until when a failing provider without a fallback is left alone (epoch ms), if it is."""
    local: LocalModelState | None = None
    """Of the provider "local" alone."""


@dataclass(frozen=True, slots=True)
class ProbeReport:
    """What came of embedding one word with the provider, never answered from memory.

    ``problem`` says what went wrong, None when it works. ``latency_ms`` is the time until
    the answer, pauses included; None when there was nobody to ask.
    """

    provider: str
    model: str
    at_ms: float
    latency_ms: float | None = None
    dimensions: int | None = None
    problem: str | None = None
    hint: str = ""


@dataclass(frozen=True, slots=True)
class BatchJobState:
    """A batch job that is out, as it stood when it was looked at last.

    ``job`` is the end of its id (empty while the provider has given none), ``done`` and
    ``failed`` are of ``total`` texts; times are epoch ms.
    """

    job: str
    provider: str
    phase: BatchPhase
    done: int
    failed: int
    total: int
    since_ms: float
    looked_ms: float | None = None


@dataclass(frozen=True, slots=True)
class BatchState:
    """Batch jobs at the provider: whether bulk indexing uses them, and what is out.

    ``enabled`` is the configuration, ``active`` whether the next bulk sync would submit
    one; ``reason`` says why not. After ``limit`` failures in a row this process sends
    plain requests.
    """

    enabled: bool = False
    active: bool = False
    reason: str = ""
    wait: bool = True
    concurrency: int = 2
    poll_interval_ms: int = 2000
    timeout_ms: int = 3_600_000
    failures: int = 0
    limit: int = 2
    last_error: str | None = None
    last_provider: str | None = None
    jobs: tuple[BatchJobState, ...] = ()


@dataclass(frozen=True, slots=True)
class FtsState:
    """The keyword index."""

    enabled: bool
    available: bool
    tokenizer: str
    error: str | None = None


@dataclass(frozen=True, slots=True)
class ChunkPlace:
    """Where a chunk stands: the file, and its lines, 1-based and inclusive."""

    path: str
    start_line: int
    end_line: int


@dataclass(frozen=True, slots=True)
class MissingVectors:
    """Chunks that have no vector for one and the same cause.

    ``cause`` is what the last attempt said, None when there was none. ``final`` marks
    texts that the provider refuses, which only a forced reindex sends again. ``places``
    are the first twenty chunks that were tried in vain, by path and line.
    """

    cause: str | None
    chunks: int
    files: int
    final: bool
    places: tuple[ChunkPlace, ...] = ()


@dataclass(frozen=True, slots=True)
class VectorState:
    """The vector index. ``via`` says who computes cosines; ``load_error`` why not sqlite-vec."""

    enabled: bool
    available: bool
    via: Literal["sqlite-vec", "in-process", "none"]
    version: str | None
    extension_path: str | None
    load_error: str | None
    dimensions: int | None
    vectors: int
    missing: tuple[MissingVectors, ...] = ()
    """By cause, the most chunks first."""


@dataclass(frozen=True, slots=True)
class VectorSpace:
    """Vectors in the store that one identity made; those of two identities are never compared.

    ``provider`` is None where the file does not say who made them. ``covered`` chunks of the
    published index have a vector here, ``missing`` have none; ``missing_tokens`` is an
    estimate of their texts. ``tokens`` is what filling it has cost so far.
    """

    key: str
    provider: str | None
    model: str
    dimensions: int | None
    vectors: int
    covered: int
    missing: int
    missing_tokens: int
    tokens: int
    role: Literal["in use", "fallback", "kept"] = "kept"
    remote: bool | None = None
    """Whether filling it sends texts away; None where nothing is configured to fill it."""
    endpoint: str = ""
    """Where its vectors came from: the address without secrets, as part of the identity."""
    missing_usd: float | None = None
    """What ``missing_tokens`` would cost; None where no price is known."""


@dataclass(frozen=True, slots=True)
class SyncHits:
    """How many texts of one sync had their vector already (hits), and how many were embedded."""

    started_ms: float
    reason: str
    hits: int
    misses: int

    @property
    def hit_rate(self) -> float | None:
        """Share of the texts that needed no request; None when there were none."""
        asked = self.hits + self.misses
        return self.hits / asked if asked else None


@dataclass(frozen=True, slots=True)
class CacheState:
    """The embedding cache; hits and misses are those of the last sync.

    ``by_sync`` are the latest syncs that needed vectors, newest first.
    """

    enabled: bool
    entries: int
    max_entries: int | None
    last_hits: int
    last_misses: int
    by_sync: tuple[SyncHits, ...] = ()

    @property
    def hit_rate(self) -> float | None:
        """Share of texts of the last sync that needed no request; None before any."""
        asked = self.last_hits + self.last_misses
        return self.last_hits / asked if asked else None


@dataclass(frozen=True, slots=True)
class WatchState:
    """How changes on disk are noticed."""

    mode: WatchMode
    folders: int
    last_event_ms: float | None
    note: str = ""


@dataclass(frozen=True, slots=True)
class FileState:
    """One memory file on disk or in the index, with the state of its index entry.

    ``chunks`` is the number in the published index. ``reason`` explains "skipped"
    and "failed". ``dated`` is the date that decay reads from the path, if any.
    """

    path: str
    source: str
    size: int
    mtime_ms: float
    hash: str | None
    state: FileStateName
    chunks: int
    reason: str | None = None
    dated: str | None = None

    @property
    def dirty(self) -> bool:
        """True when the index does not hold what is on disk."""
        return self.state in ("new", "changed", "deleted", "failed")


@dataclass(frozen=True, slots=True)
class SourceCount:
    """Files and chunks of one source in the published index."""

    source: str
    files: int
    chunks: int


@dataclass(frozen=True, slots=True)
class SyncState:
    """What the indexer does now, and how the last run ended."""

    phase: SyncPhase
    progress: SyncProgress | None
    bulk: bool
    last: SyncReport | None
    last_at_ms: float | None
    error: str | None
    error_hint: str = ""
    awaits_consent: bool = False
    """True when a rebuild or the first embedding waits until a person asks for it."""


@dataclass(frozen=True, slots=True)
class IdentityState:
    """Whether the index fits the configuration. ``changes`` name what, old and new.

    ``cost`` says in a sentence or two what following them takes, found out cheaply;
    ``RebuildEstimate`` is the exact answer.
    """

    status: Literal["valid", "missing", "mismatched"]
    changes: tuple[str, ...] = ()
    cost: str = ""


@dataclass(frozen=True, slots=True)
class RebuildEstimate:
    """What a forced reindex costs, before it is started."""

    files: int
    chunks: int
    cached: int
    to_embed: int
    tokens: int
    """Estimate: UTF-8 bytes of the texts to embed divided by four."""
    remote: bool
    provider: str
    seconds: float | None
    note: str
    cost: Cost | None = None
    """The same tokens with their price; None where nothing is sent."""


@dataclass(frozen=True, slots=True)
class EngineStatus:
    """Everything the status line, the overview and ``memlens status`` say."""

    agent_id: str
    mode: WorkspaceMode
    workspace: str
    store_path: str
    store_bytes: int
    sqlite_version: str
    era: str
    profile: str
    search_mode: Literal["hybrid", "vector", "keyword"]
    enabled: bool
    provider: ProviderState
    files: int
    chunks: int
    revision: int
    generation: int
    identity: IdentityState
    dirty: tuple[FileState, ...]
    skipped: tuple[SkippedFile, ...]
    scanned_at_ms: float | None
    sync: SyncState
    fts: FtsState
    vector: VectorState
    cache: CacheState
    watch: WatchState
    sources: tuple[str, ...]
    extra_paths: tuple[str, ...]
    source_counts: tuple[SourceCount, ...]
    recent: tuple[RecentChange, ...]
    warnings: tuple[Caution, ...]
    config_path: str | None
    batch: BatchState = BatchState()
    traffic: tuple[ProviderTraffic, ...] = ()
    """Providers that are asked over the network, the one in use first."""
    pauses: tuple[HostPause, ...] = ()
    fallback_history: tuple[FallbackSpell, ...] = ()
    """The latest times in which the fallback answered, newest first."""
    cost: CostState = NO_COST
