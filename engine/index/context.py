"""What the steps of one sync share: its parts, its counts, and how it tells of itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from engine.clock import Clock
from engine.embeddings.builtin.provider import BUILTIN_ID
from engine.embeddings.remote.limits_memory import recall_limits
from engine.errors import CancelledError, ProviderError
from engine.events import EventSink, IndexChanged, SyncStarted
from engine.index.decision import SyncRequest
from engine.index.identity import wanted_identity
from engine.index.plan import SyncPlan
from engine.index.progress import Progress
from engine.index.settings import IndexSettings
from engine.index.tally import Tally
from engine.index.vectors import VectorFiller
from engine.status import Price
from engine.store.contract import IndexStore, StoredIdentity

if TYPE_CHECKING:
    from engine.embeddings.contract import EmbeddingProvider, ProviderIdentity
    from engine.index.batch_jobs.batches import Batches
    from engine.index.batch_jobs.fill import BatchFill


@dataclass(frozen=True, slots=True)
class Standby:
    """The provider that answers while the first one fails; ``called`` says whether it does now."""

    provider: EmbeddingProvider
    called: Callable[[], bool]


class ProviderWatch(Protocol):
    """Whoever remembers how the provider did, also in searches and in other processes."""

    def rests(self) -> ProviderError | None:
        """What to say instead of asking it: it fails, and is not due to be asked again."""
        ...

    def failed(self, error: ProviderError) -> None:
        """It did not answer."""
        ...

    def answered(self) -> None:
        """It gave a vector."""
        ...


@dataclass(frozen=True, slots=True)
class SyncParts:
    """What every sync works with. ``provider`` None: chunks and keyword tables only.

    ``batches`` are the batch jobs of the provider, None where nobody asks for them.
    ``watch`` is told how the provider did; ``price_of`` gives the price of a model.
    """

    store: IndexStore
    settings: IndexSettings
    provider: EmbeddingProvider | None
    clock: Clock
    emit: EventSink
    standby: Standby | None = None
    batches: Batches | None = None
    watch: ProviderWatch | None = None
    price_of: Callable[[ProviderIdentity], Price | None] = lambda identity: None

    @property
    def at_once(self) -> bool:
        """True when nobody has to be waited for: the built-in model, or no provider.

        All others answer over a socket, may fail, and may cost money for each text.
        """
        return self.provider is None or self.provider.identity.provider == BUILTIN_ID

    def wanted(self) -> StoredIdentity:
        """What an index built with these parts is stamped with."""
        identity = None if self.provider is None else self.provider.identity
        return wanted_identity(self.settings.rules, self.settings.tokenizer, identity)


class SyncContext:
    """One running sync; ``bulk`` says that it runs in a child process."""

    def __init__(
        self,
        parts: SyncParts,
        request: SyncRequest,
        cancelled: Callable[[], bool],
        *,
        bulk: bool,
    ) -> None:
        self.parts = parts
        self.store = parts.store
        self.request = request
        self.tally = Tally()
        self.progress = Progress(parts.emit, parts.clock)
        self.filler = _filler(parts, request, cancelled)
        self._cancelled = cancelled
        self.rest = self._leave_alone()
        """What is said instead of asking a provider that has just failed."""
        self.jobs = _jobs(self, cancelled)
        self.held = False
        """True when a rebuild waits for vectors that are out in batch jobs."""
        self._bulk = bulk
        self._revision = parts.store.reader.revision()

    def with_provider(self, provider: EmbeddingProvider) -> SyncContext:
        """The same sync with another provider: its counts and its progress are its own."""
        parts = replace(self.parts, provider=provider, batches=None, watch=None)
        return SyncContext(parts, self.request, self._cancelled, bulk=self._bulk)

    def begin(self, plan: SyncPlan) -> None:
        """Say that the work begins, and how much there is."""
        request, files = self.request, len(plan.to_read)
        self.progress.begin(files, plan.bytes_to_read)
        self.parts.emit(SyncStarted(request.reason, request.force, self._bulk, files))

    def tell_revision(self) -> None:
        """Say that the published index has changed, if it has."""
        revision = self.store.reader.revision()
        if revision != self._revision:
            self._revision = revision
            self.parts.emit(IndexChanged(revision))

    def _leave_alone(self) -> ProviderError | None:
        """A provider that has just failed is not asked again by every event, only by a person."""
        watch, filler = self.parts.watch, self.filler
        if watch is None or filler is None or self.request.by_person:
            return None
        filler.failure = watch.rests()
        return filler.failure

    def check_cancelled(self) -> None:
        """Raise CancelledError once the person has cancelled."""
        if self._cancelled():
            raise CancelledError("The sync")


def _jobs(context: SyncContext, cancelled: Callable[[], bool]) -> BatchFill | None:
    if context.filler is None or context.parts.batches is None:
        return None
    from engine.index.batch_jobs.making import batch_fill

    return batch_fill(context, context.filler, cancelled)


def _filler(
    parts: SyncParts, request: SyncRequest, cancelled: Callable[[], bool]
) -> VectorFiller | None:
    if parts.provider is None:
        return None
    fresh = request.force and not parts.settings.cache_enabled
    recall_limits(parts.provider, parts.store, parts.clock.now_ms())
    return VectorFiller(parts.provider, parts.store, cancelled, fresh=fresh)
