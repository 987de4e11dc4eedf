"""MemoryEngine: the facade. It wires the parts and holds no logic of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from engine.clock import Clock, SystemClock
from engine.config.request import EngineOptions, Places
from engine.errors import EngineError, SearchUnavailableError
from engine.events import EventBus, Notice, SyncReason, SyncReport, WatchChanged
from engine.status import WatchState

if TYPE_CHECKING:
    from engine.config.resolved import AgentInfo, LookedFor, ResolvedConfig
    from engine.index.batch_jobs.batches import Batches
    from engine.index.runner import Indexer
    from engine.net.pauses import Sleeper
    from engine.provider_in_use import ProviderInUse
    from engine.ranking.pool import CandidatePool
    from engine.ranking.settings import RankSettings
    from engine.ranking.trace import Ranking
    from engine.retrieval.legs import VectorLeg
    from engine.sources.found import SourceRoots
    from engine.sources.media_card import MediaCard
    from engine.sources.native_watch import NativeWatch
    from engine.sources.reading import MemoryText
    from engine.sources.watch import Watcher
    from engine.status import (
        EngineStatus,
        FileState,
        ProbeReport,
        RebuildEstimate,
        VectorSpace,
    )
    from engine.store.contract import ChunkRow
    from engine.store.store import Store

PROBE_WORD = "ping"


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Everything from outside that the engine may look at; tests hand in their own."""

    environ: Mapping[str, str]
    places: Places
    clock: Clock = field(default_factory=SystemClock)
    inline_indexing: bool = False
    """True keeps bulk indexing in this process (tests, measurements)."""
    sleeper: Sleeper | None = None
    """Waits between attempts to reach a provider; None waits by the clock."""
    native_watch: NativeWatch | None = None
    """How the system reports changes of folders; None is the system's own way."""


class MemoryEngine:
    """One agent's memory: status, search, reading, indexing. Thread-safe; blocking.

    The store and the indexer come into being on first need, so that looking at a
    folder without memory writes nothing.
    """

    def __init__(
        self, config: ResolvedConfig, around: Surroundings, decay_now_ms: float | None
    ) -> None:
        self.config = config
        self.events = EventBus()
        self._around = around
        self._decay_now_ms = decay_now_ms
        self._lock = threading.RLock()
        self._closed = False
        self._store: Store | None = None
        self._indexer: Indexer | None = None
        self._provider: ProviderInUse | None = None
        self._batches: Batches | None = None
        self._watcher: Watcher | None = None
        self._watch_state = WatchState("off", 0, None)
        self._attended = False

    @classmethod
    def open(cls, options: EngineOptions, around: Surroundings) -> MemoryEngine:
        """Resolve the configuration; starts no thread, opens no store, sends nothing.

        Raises ConfigError for wrong options, StoreError when the demo cannot be laid out.
        """
        from engine.config.resolve import resolve
        from engine.demo.install import install_demo

        places = around.places
        demo = install_demo(places.data_dir, reset=options.reset) if options.demo else None
        config = resolve(options, around.environ, places, demo)
        return cls(config, around, options.now_ms)

    # -- what and where

    @property
    def agents(self) -> Sequence[AgentInfo]:
        """The agents of the configuration; one in demo and folder mode."""
        return self.config.agents

    @property
    def looked_for(self) -> Sequence[LookedFor]:
        """The places that were looked at for a memory, for the first-run screen."""
        return self.config.looked_for

    @property
    def has_memory(self) -> bool:
        """True when the workspace exists and holds at least one memory file."""
        from engine.sources.scan import scan

        return bool(scan(self.roots).files)

    @property
    def roots(self) -> SourceRoots:
        """Where this memory lies on disk."""
        from engine.assembly import source_roots

        return source_roots(self.config)

    @property
    def indexed(self) -> bool:
        """True when there is a published index, however old."""
        return self.config.store_path.exists() and self.store.reader.identity() is not None

    @property
    def pays_for_indexing(self) -> bool:
        """True when indexing sends texts to a provider that may cost money."""
        provider = self.provider.primary
        return provider is not None and provider.remote

    def now_ms(self) -> float:
        """The clock of decay: ``--now`` when given, else the surroundings' clock."""
        return self._around.clock.now_ms() if self._decay_now_ms is None else self._decay_now_ms

    # -- the parts, on first need

    @property
    def provider(self) -> ProviderInUse:
        """The embedding provider that the configuration leads to, and why."""
        from engine.provider_in_use import provider_in_use

        with self._lock:
            if self._provider is None:
                around = self._around
                self._provider = provider_in_use(
                    self.config,
                    around.environ,
                    around.clock,
                    self.events.emit,
                    around.sleeper,
                    self._known_size,
                    self._notes,
                )
            return self._provider

    @property
    def store(self) -> Store:
        """The index file, opened or made. Raises StoreError."""
        from engine.assembly import open_store

        with self._lock:
            self._refuse_when_closed()
            if self._store is None:
                self._store = open_store(self.config, self.events.emit, self._around.clock)
            return self._store

    @property
    def batches(self) -> Batches:
        """The batch jobs of the provider, used or not."""
        from engine.assembly import batches_of

        with self._lock:
            if self._batches is None:
                self._batches = batches_of(self.config, self.provider)
            return self._batches

    @property
    def indexer(self) -> Indexer:
        """The indexer over the store. Raises StoreError."""
        from engine.assembly import child_setup, index_settings, standby_of
        from engine.index.context import SyncParts
        from engine.index.runner import Indexer

        with self._lock:
            if self._indexer is None:
                parts = SyncParts(
                    self.store,
                    index_settings(self.config),
                    self.provider.primary,
                    self._around.clock,
                    self.events.emit,
                    standby_of(self.provider),
                    self.batches,
                    self.provider.watched,
                    self.provider.prices.price_of,
                )
                self._indexer = Indexer(
                    parts,
                    child=None if self._around.inline_indexing else child_setup(self.config),
                    environ=self._around.environ,
                    dated=self._date_reader(),
                )
            return self._indexer

    def _known_size(self, space: str) -> int | None:
        return self.store.vector_state(space).dimensions

    def _notes(self) -> Store | None:
        """The index file, as far as there is one: none is made to keep a note."""
        return self.store if self._store is not None or self.config.store_path.exists() else None

    def _date_reader(self) -> Callable[[str], str | None]:
        """What reads the date of a path, by the rule in force; asked for every file."""
        from engine.ranking.decay import path_date

        rule = self.rank_settings().decay.paths
        return lambda path: path_date(path, rule)

    def _refuse_when_closed(self) -> None:
        if self._closed:
            raise EngineError("Closed", "This memory has been closed.", "Open it again.")

    # -- status

    def status(self) -> EngineStatus:
        """The state as of now: a cheap read of the store plus the last scan."""
        import apsw

        from engine.index.batch_jobs.state import batch_state
        from engine.provider_in_use.telling import told_of_providers
        from engine.report import engine_status, facts_of, nothing_yet

        provider, ledger = self.provider, None
        if self.config.store_path.exists() or self._store is not None:
            ledger = self.store.jobs
            facts = facts_of(self.store, self.indexer, provider.space)
        else:
            facts = nothing_yet(self.config)
        status = engine_status(
            self.config,
            facts,
            provider.state(facts.vector.dimensions),
            self._watch_state,
            sqlite_version=apsw.sqlite_lib_version(),
        )
        status = replace(status, batch=batch_state(self.batches, ledger))
        return told_of_providers(status, provider, self._notes())

    def scan(self) -> Sequence[FileState]:
        """Look at the disk and compare with the index: every file with its state."""
        return self.indexer.scan_now()

    def looked(self, patience_s: float) -> Sequence[FileState]:
        """Every file with its state as of the last look; one is made if there was none.

        A look that a search has begun is waited for, but no longer than ``patience_s``.
        """
        self.indexer.await_look(patience_s)
        return self.indexer.coverage()

    def probe(self) -> ProbeReport:
        """Embed one word with the provider, now, and say how it went and how long it took.

        Sends the word where the provider is remote. An outage ends when it answers.
        """
        return self.provider.probe(PROBE_WORD)

    def vector_spaces(self) -> Sequence[VectorSpace]:
        """The vectors that the index file holds by who made them, and what each space lacks.

        Counts the whole file: for a screen that shows it, not for every status.
        """
        if self._store is None and not self.config.store_path.exists():
            return ()
        return self.provider.spaces(self.store)

    # -- reading

    def chunks(self, path: str) -> Sequence[ChunkRow]:
        """The chunks of a file in the published index, in order."""
        return self.store.reader.chunks(path)

    def chunk_id(self, chunk: ChunkRow) -> str:
        """The id that the agent's own index gives this chunk (with the model in use)."""
        from engine.chunking.chunk import Chunk
        from engine.chunking.chunker import chunk_id

        cut = Chunk(
            chunk.index, chunk.start_line, chunk.end_line, chunk.text, chunk.hash, len(chunk.text)
        )
        return chunk_id(chunk.source, chunk.path, cut, self.provider.model)

    def read_text(self, path: str) -> str:
        """The decoded text of a memory file (UTF-8, bad bytes as U+FFFD). Raises PathError."""
        from engine.sources.reading import read_memory

        return read_memory(self.roots, path)

    def media_card(self, path: str) -> MediaCard:
        """What can be said of a picture or recording of this memory. Raises PathError."""
        from engine.sources.media_card import media_card

        return media_card(self.indexer.scan_result().files, path)

    def absolute_path(self, path: str) -> Path:
        """Where a memory file lies on disk, for an editor. Raises PathError."""
        from engine.sources.access import resolve_memory_path

        return resolve_memory_path(self.roots, path)

    def get(self, path: str, from_: int | None = None, lines: int | None = None) -> MemoryText:
        """Read a range as ``memory_get`` returns it. Raises PathError."""
        from engine.sources.reading import read_range

        limits = self.config.context_limits
        return read_range(
            self.roots,
            path,
            from_,
            lines,
            default_lines=limits.memory_get_default_lines,
            max_chars=limits.memory_get_max_chars,
            style="memlens" if self.config.era.name == "memlens" else "original",
        )

    # -- search

    def rank_settings(self, profile: str | None = None) -> RankSettings:
        """The settings of a profile with what the configuration overrides."""
        from engine.retrieval.settings import rank_settings

        return rank_settings(self.config, profile)

    def retrieve(
        self, query: str, settings: RankSettings, *, send_query: bool = True
    ) -> CandidatePool:
        """Fetch the candidates of a query, once. Raises SearchUnavailableError, StoreError.

        ``send_query`` False keeps a paid provider out of it: keywords and cached or
        free query vectors only (search as you type).
        """
        from engine.retrieval.retrieve import retrieve

        self._refuse_when_disabled()
        if self._attended:
            self.indexer.searched()

        def ask(leg: VectorLeg) -> CandidatePool:
            monotonic = self._around.clock.monotonic
            return retrieve(self.store.reader, query, settings, leg, monotonic=monotonic)

        leg = self.provider.vector_leg(query, send_query=send_query, consented=self._consented)
        pool = ask(leg)
        if not self.provider.gave_way(leg, pool):
            return pool
        if self._attended:
            self.start_sync("search")  # the standby gets its vectors
        return ask(self.provider.vector_leg(query, send_query=send_query))

    def _consented(self) -> bool:
        """Whether the person has agreed to this provider: now, or when it made vectors before."""
        if not self.indexer.state().awaits_consent:
            return True
        return self.store.vector_state(self.provider.space).vectors > 0

    def rank(self, pool: CandidatePool, settings: RankSettings) -> Ranking:
        """Rank a pool; pure, touches neither index nor provider."""
        from engine.ranking.rank import rank

        return rank(pool, settings, self.now_ms())

    def interrupt(self) -> None:
        """Stop a superseded search, also while it waits for a provider: CancelledError."""
        if self._store is not None:
            self._store.reader.interrupt()
        if self._provider is not None:
            self._provider.interrupt()

    def _refuse_when_disabled(self) -> None:
        from engine.config.switched_off import switched_off

        off = switched_off(self.config)
        if off is not None:
            raise SearchUnavailableError("Memory search is disabled", f"{off.because}.", off.hint)

    # -- indexing

    def sync(self, reason: SyncReason, *, force: bool = False) -> SyncReport:
        """Bring the index up to date and wait for it. Raises SyncError, CancelledError."""
        return self.indexer.run(reason, force=force)

    def start_sync(self, reason: SyncReason, *, force: bool = False) -> bool:
        """Start a sync in the background; False when one is already running (it is joined).

        The reason "start" only looks at the disk when ``sync.onSessionStart`` is off.
        """
        if reason == "start" and not force:
            return self.indexer.start_of_use()
        return self.indexer.start(reason, force=force)

    def cancel_sync(self) -> None:
        """Ask a running sync to stop; returns at once."""
        if self._indexer is not None:
            self._indexer.cancel()

    def cancel_batch_jobs(self) -> int:
        """Ask the provider to cancel the jobs that are out; returns how many it was asked for.

        What they have done is fetched by the next sync, and paid for.
        """
        return self.indexer.cancel_batch_jobs()

    def estimate_rebuild(self) -> RebuildEstimate:
        """What a forced reindex would cost; sends nothing."""
        return self.indexer.estimate()

    def watch(self) -> None:
        """Watch the folders and sync on change until close, as far as ``sync.*`` allows.

        From now on the memory is attended: searches look at the disk too (``retrieve``).
        """
        from engine.sources.native_watch import watch_folders
        from engine.sources.watch import Watcher

        sync = self.config.memory_search.sync
        self.indexer.keep_interval()
        with self._lock:
            self._refuse_when_closed()
            self._attended = True
            if not sync.watch or self._watcher is not None:
                return
            self._watcher = Watcher(
                self.roots,
                self._disk_changed,
                self._watch_changed,
                quiet_s=sync.watch_debounce_ms / 1000.0,
                clock=self._around.clock,
                native=self._around.native_watch or watch_folders,
            )
        self._watcher.start()

    def _disk_changed(self) -> None:
        """An event only means "look again"; the sync follows when something differs."""
        try:
            if any(state.dirty for state in self.scan()):
                self.start_sync("watch")
        except EngineError as error:
            self.events.emit(Notice("warning", f"{error.title}: {error.message}"))

    def _watch_changed(self, state: WatchState) -> None:
        before, self._watch_state = self._watch_state, state
        if (before.mode, before.note) != (state.mode, state.note):
            self.events.emit(WatchChanged(state.mode, state.note))

    def close(self) -> None:
        """Stop watching, cancel a running sync, close the store. Safe to call twice."""
        with self._lock:
            self._closed = True
            watcher, indexer, store, provider = (
                self._watcher,
                self._indexer,
                self._store,
                self._provider,
            )
        if watcher is not None:
            watcher.stop()
        if indexer is not None:
            indexer.close()
        if provider is not None:
            provider.close()
        if store is not None:
            store.close()
