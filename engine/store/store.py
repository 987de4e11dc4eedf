"""The index file as the rest of the engine sees it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import apsw

from engine.clock import Clock
from engine.errors import EngineError, StoreError
from engine.events import EventSink, Notice, RecentChange, StageReached, SyncReport
from engine.status import FtsState, SyncHits, VectorSpace, VectorState
from engine.store import counting, gaps, health, journal, notes
from engine.store.adopt import adopt
from engine.store.build import Build
from engine.store.cache import evict
from engine.store.connections import FileAccess
from engine.store.contract import StoreCounts, StoredIdentity, Tokenizer
from engine.store.drafts import drafts, sweep_drafts
from engine.store.extension import Extension, probe
from engine.store.faults import told
from engine.store.generation import bump_revision, drop_generation, leftovers, published
from engine.store.health import StoreHealth
from engine.store.job_ledger import Ledger
from engine.store.lock import take_lock, try_lock
from engine.store.opening import open_file
from engine.store.reader import Reader
from engine.store.spaces import held_spaces, remember_space
from engine.store.upkeep import give_back, limit_size
from engine.store.writer import GenerationWriter
from engine.store.writing import WritingConnection

if TYPE_CHECKING:
    from engine.store.contract import Vector

Mode = Literal["read-write", "read-only"]


class Store:
    """Implements IndexStore: one file, one writing connection, any number of readers."""

    def __init__(
        self,
        access: FileAccess,
        connection: apsw.Connection,
        extension: Extension,
        *,
        tokenizer: Tokenizer,
        vector_enabled: bool,
        cache_max: int | None,
        events: EventSink,
        clock: Clock,
    ) -> None:
        self.path = access.path
        self.mode: Mode = "read-write" if access.writable else "read-only"
        self._writing = WritingConnection(access, connection)
        self._extension = extension
        self._tokenizer = tokenizer
        self._vector_enabled = vector_enabled
        self._cache_max = cache_max
        self._emit = events
        self._clock = clock
        self._reader = Reader(access, extension)
        self._jobs = Ledger(access.path, self._writing, self._reader.connection, events)

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        tokenizer: Tokenizer = "unicode61",
        vector_enabled: bool = True,
        extension_path: str | None = None,
        cache_max: int | None = None,
        max_bytes: int | None = None,
        events: EventSink,
        clock: Clock,
    ) -> Store:
        """Open or make the index file, bring it to the present version, sweep leftovers.

        ``cache_max`` is the number of vectors beyond which those out of use are deleted
        (None: never), ``max_bytes`` a size above which the file is not let grow.
        A file that may not be written is opened for reading.
        Raises StoreError for a file of another program, of a newer memlens, or when
        there is no place to make one.
        """
        extension = probe(vector_enabled, extension_path)
        with told(path, "opening the index"):
            access, connection = open_file(path, extension, events, clock)
            if max_bytes is not None:
                limit_size(connection, max_bytes)
            store = cls(
                access,
                connection,
                extension,
                tokenizer=tokenizer,
                vector_enabled=vector_enabled,
                cache_max=cache_max,
                events=events,
                clock=clock,
            )
            store._sweep()
        return store

    @property
    def reader(self) -> Reader:
        """The reader of the published index."""
        return self._reader

    @property
    def jobs(self) -> Ledger:
        """The batch jobs that are out at a provider."""
        return self._jobs

    def identity(self) -> StoredIdentity | None:
        """What the published generation was built with; None when there is none."""
        return self._reader.identity()

    @contextmanager
    def write(self) -> Iterator[GenerationWriter]:
        """One transaction on the published generation; ends with a new revision.

        Raises StoreError when there is no published generation yet (``build`` one).
        """
        with self._writing.transaction("storing chunks") as connection:
            generation = published(connection)
            if generation is None:
                raise StoreError("No index yet", f"{self.path} holds no index yet.", "Index first.")
            self._emit(StageReached("batch-begun"))
            writer = GenerationWriter(
                connection, generation, vec0=self._extension.loaded, clock=self._clock
            )
            yield writer
            writer.finish()
            if writer.changed:
                bump_revision(connection)
            self._emit(StageReached("batch-written"))
        self._emit(StageReached("batch-committed"))

    def build(self, identity: StoredIdentity) -> Build:
        """Begin a new generation. Raises StoreError when another process is rebuilding."""
        with self._writing.alone("beginning a rebuild"):
            lock = take_lock(self.path)
        try:
            self._drop_leftovers()
            return Build(
                self._writing,
                lock,
                identity,
                vec0=self._extension.loaded,
                cache_max=self._cache_max,
                emit=self._emit,
                clock=self._clock,
            )
        except BaseException:
            lock.release()
            raise

    def adopt(self, identity: StoredIdentity) -> int:
        """Give the published generation another vector space or tokenizer; returns the revision.

        Nothing is chunked or embedded: vectors known in the new space are used, chunks
        without one wait for ``write().put_vectors``. Raises StoreError when the chunking
        differs (that needs a build) or nothing is published.
        """
        with self._writing.transaction("switching the index over") as connection:
            adopt(connection, identity, vec0=self._extension.loaded, now_ms=self._clock.now_ms())
            revision = bump_revision(connection)
            self._emit(StageReached("adopt-before"))
        self._emit(StageReached("adopt-after"))
        return revision

    def known_vectors(self, space: str, hashes: Iterable[str]) -> set[str]:
        """Which of the chunk hashes already have a vector in that space."""
        from engine.store.vectors import known_hashes

        with self._reader.connection("looking up vectors") as connection:
            return known_hashes(connection, space, hashes)

    def vectors_for(self, space: str, hashes: Iterable[str]) -> Mapping[str, Vector]:
        """The vectors of those of the chunk hashes that have one in that space."""
        from engine.store.vectors import load_vectors

        with self._reader.connection("looking up vectors") as connection:
            return load_vectors(connection, space, hashes)

    def counts(self) -> StoreCounts:
        """Sizes of the published index and of the cache."""
        with self._reader.connection("counting") as connection:
            return counting.counts(connection, self.path)

    def fts_state(self) -> FtsState:
        """The keyword index; the tokenizer is that of the published index, if there is one."""
        with self._reader.snapshot() as now:
            identity = now.identity()
            missing = None if now.has_fts5() else "this SQLite was built without FTS5"
        tokenizer = identity.tokenizer if identity else self._tokenizer
        return FtsState(True, missing is None, tokenizer, missing)

    def vector_state(self, space: str | None) -> VectorState:
        """The vector index of a space; ``via`` says who answers the next query."""
        with self._reader.snapshot() as now:
            return counting.vector_state(
                now, space, self._extension, self._reader.matrices, self._vector_enabled
            )

    def record_sync(self, report: SyncReport) -> None:
        """Remember a finished sync and what it did to each file; the last 200 files stay.

        The vector cache is brought down to its limit. An index that may not be written
        keeps no record; a sync that found nothing to do is no failure there.
        """
        if self.mode == "read-only":
            return
        with self._writing.transaction("recording the sync") as connection:
            journal.record(connection, report)
            evict(connection, self._cache_max)
            if (generation := published(connection)) is not None:
                gaps.forget_embedded(connection, generation)
            self._emit(StageReached("record-before"))
        self._emit(StageReached("record-after"))

    def last_sync(self) -> SyncReport | None:
        """The report of the last finished sync, of whichever process."""
        with self._reader.connection("reading the last sync") as connection:
            return journal.last(connection)

    def sync_count(self) -> int:
        """How many syncs have been recorded, by all processes: tells later from earlier
        whatever the clock does.
        """
        with self._reader.connection("reading the last sync") as connection:
            return journal.count(connection)

    def cache_hits(self) -> tuple[SyncHits, ...]:
        """How the latest syncs that needed vectors came by them, newest first."""
        with self._reader.connection("reading past syncs") as connection:
            return tuple(journal.hits(connection))

    def recent_changes(self, limit: int = 50) -> list[RecentChange]:
        """What syncs did to files, newest first."""
        with self._reader.connection("reading recent changes") as connection:
            return journal.recent(connection, limit)

    def spaces(self, also: Collection[str] = ()) -> tuple[VectorSpace, ...]:
        """The vector spaces in the file and how much of the published index each covers.

        ``also`` names spaces that are listed even when nothing is in them.
        """
        with self._reader.connection("looking at the vector spaces") as connection:
            return held_spaces(connection, also)

    def remember_space(self, identity: StoredIdentity) -> None:
        """Note what a vector space is made with that is not the published index's own."""
        with self._writing.transaction("noting a vector space") as connection:
            remember_space(connection, identity)

    def add_tokens(self, space: str, tokens: int) -> None:
        """Count tokens that a provider charged for filling a space."""
        with self._writing.transaction("counting tokens") as connection:
            journal.add_tokens(connection, space, tokens)
        self._emit(StageReached("tokens-booked"))

    def note(self, name: str) -> str | None:
        """The text that was kept under a name; None when there is none."""
        with self._reader.connection("reading a note") as connection:
            return notes.read(connection, name)

    def keep_note(self, name: str, change: Callable[[str | None], str | None]) -> bool:
        """Change the text under a name in one transaction; None forgets it.

        ``change`` is given the text of this moment. False where the index may not be written.
        """
        if self.mode == "read-only":
            return False
        with self._writing.transaction("keeping a note") as connection:
            notes.write(connection, name, change(notes.read(connection, name)))
        return True

    def check(self) -> StoreHealth:
        """Check everything; reads the whole file and keeps other writers waiting meanwhile."""
        with self._writing.transaction("checking the index") as connection:
            return health.check(connection)

    def mend(self) -> list[str]:
        """Put right what ``check`` finds, as far as the file itself allows.

        Returns a sentence for each repair. Raises StoreError for a file that is damaged as
        such; the next opening moves it aside.
        """
        with self._writing.transaction("mending the index") as connection:
            done = health.mend(connection, vec0=self._extension.loaded)
            if done:
                bump_revision(connection)
        return done

    def close(self) -> None:
        """Close all connections; running searches end with CancelledError. Twice is fine."""
        self._reader.close()
        self._writing.close()

    def _sweep(self) -> None:
        """Remove what a killed process left, unless somebody is building at this moment."""
        if self.mode == "read-only" or not (self._leftovers() or drafts(self.path)):
            return
        lock = try_lock(self.path)
        if lock is not None:
            try:
                self._drop_leftovers()
                sweep_drafts(self.path, self._clock, self._emit)
            except EngineError as error:
                # The present index answers all the same; the next start tries again.
                self._emit(Notice("warning", error.message))
            finally:
                lock.release()

    def _drop_leftovers(self) -> None:
        """Only while holding the builder's lock."""
        if not self._leftovers():
            return
        with self._writing.transaction("sweeping an unfinished rebuild") as connection:
            for number in leftovers(connection):
                drop_generation(connection, number)
            self._emit(StageReached("sweep-before"))
        self._emit(StageReached("sweep-after"))
        give_back(self._writing)

    def _leftovers(self) -> set[int]:
        with self._writing.alone("looking for an unfinished rebuild") as connection:
            return leftovers(connection)
