"""Building a generation beside the published one, and publishing it in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import apsw

from engine.errors import EngineError, StoreError
from engine.events import Notice, StageReached
from engine.store.cache import evict
from engine.store.generation import (
    begin_generation,
    bump_revision,
    drop_generation,
    load_generation,
    pointer,
)
from engine.store.spaces import remember_space
from engine.store.upkeep import give_back
from engine.store.writer import GenerationWriter

if TYPE_CHECKING:
    from engine.clock import Clock
    from engine.events import EventSink
    from engine.store.contract import StoredIdentity
    from engine.store.lock import BuilderLock
    from engine.store.writing import WritingConnection


class Build:
    """Implements GenerationBuild. As a context manager it is abandoned unless published."""

    def __init__(
        self,
        writing: WritingConnection,
        lock: BuilderLock,
        identity: StoredIdentity,
        *,
        vec0: bool,
        cache_max: int | None,
        emit: EventSink,
        clock: Clock,
    ) -> None:
        self._writing = writing
        self._lock = lock
        self._vec0 = vec0
        self._cache_max = cache_max
        self._emit = emit
        self._clock = clock
        self._over = False
        with writing.transaction("beginning a rebuild") as connection:
            self._number = begin_generation(connection, identity, clock.now_ms()).number
            remember_space(connection, identity)
        emit(StageReached("build-begun"))

    def __enter__(self) -> Build:
        return self

    def __exit__(self, *_: object) -> None:
        self.abandon()

    @contextmanager
    def batch(self) -> Iterator[GenerationWriter]:
        """One transaction of at most about 500 chunks into the new generation."""
        self._still_going()
        with self._writing.transaction("storing chunks") as connection:
            self._emit(StageReached("batch-begun"))
            generation = load_generation(connection, self._number)
            writer = GenerationWriter(connection, generation, vec0=self._vec0, clock=self._clock)
            yield writer
            writer.finish()
            self._emit(StageReached("batch-written"))
        self._emit(StageReached("batch-committed"))

    def publish(self, told: Callable[[], None] = lambda: None) -> int:
        """Point readers at the new generation in one transaction; returns the revision.

        ``told`` is called as soon as readers see it. The old generation is dropped
        afterwards, in a transaction of its own: should that fail, the next start does it.
        """
        self._still_going()
        with self._writing.transaction("publishing") as connection:
            old, _ = pointer(connection)
            connection.execute("update pointer set generation = ?", (self._number,))
            revision = bump_revision(connection)
            self._emit(StageReached("publish-before"))
        self._over = True
        try:
            self._emit(StageReached("publish-after"))
            told()
        finally:
            self._last_duty(lambda: self._clean_up(old))
        return revision

    def abandon(self) -> None:
        """Drop what was built; the published generation is untouched. May be called twice."""
        if not self._over:
            self._over = True
            self._last_duty(self._drop)

    def _last_duty(self, duty: Callable[[], None]) -> None:
        """Clean up and free the lock; what cannot be cleaned now is swept at the next start."""
        try:
            duty()
        except EngineError as error:
            self._emit(Notice("warning", f"{error.message} Left-over data is removed later."))
        finally:
            self._lock.release()

    def _drop(self) -> None:
        with self._writing.transaction("dropping an unfinished rebuild") as connection:
            drop_generation(connection, self._number)
        give_back(self._writing)

    def _clean_up(self, old: int | None) -> None:
        with self._writing.transaction("dropping the old index") as connection:
            if old is not None:
                _begin_disuse(connection, old, self._clock.now_ms())
                drop_generation(connection, old)
            evict(connection, self._cache_max)
            self._emit(StageReached("drop-before"))
        self._emit(StageReached("old-generation-dropped"))
        give_back(self._writing)

    def _still_going(self) -> None:
        if self._over:
            raise StoreError("Rebuild over", "This rebuild was published or abandoned.", "")


def _begin_disuse(connection: apsw.Connection, old: int, now_ms: float) -> None:
    """Vectors that only the old generation used are out of use from now on."""
    former = load_generation(connection, old)
    number, _ = pointer(connection)
    assert number is not None
    present = load_generation(connection, number)
    still_used = f"and hash not in (select hash from {present.chunks})"
    connection.execute(
        "update vectors set used_at = ? where space = ? "
        f"and hash in (select hash from {former.chunks}) "
        + (still_used if former.space == present.space else ""),
        (now_ms, former.space),
    )
