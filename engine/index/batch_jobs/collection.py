"""Looking after jobs that are out, and storing what they bring."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from engine.embeddings.batch_jobs.refusals import JobGoneError, worth_another_try
from engine.embeddings.batch_jobs.service import NoLook
from engine.errors import ProviderError
from engine.events import StageReached
from engine.index.batch_jobs.batches import Batches
from engine.index.batch_jobs.telling import Teller
from engine.store.contract import IndexStore
from engine.store.job_contract import JobRow

if TYPE_CHECKING:
    from engine.clock import Clock
    from engine.embeddings.batch_jobs.dialect import JobView
    from engine.embeddings.batch_jobs.service import BatchService
    from engine.embeddings.contract import Vector
    from engine.events import EventSink
    from engine.net.messages import Cancelled

_AT_ONCE = 500
"""Vectors of one write transaction."""


@dataclass(slots=True)
class Yield:
    """What a job has brought: the hashes whose vectors are stored, and tokens charged."""

    stored: set[str] = field(default_factory=set)
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class Collection:
    """Looks at jobs and fetches their results.

    ``stored`` is told the hashes of new vectors, ``charged`` the tokens of a job and
    whether they are a guess.
    """

    store: IndexStore
    batches: Batches
    service: BatchService
    clock: Clock
    emit: EventSink
    cancelled: Cancelled
    stored: Callable[[set[str]], None]
    charged: Callable[[int, bool], None]

    @property
    def has_place(self) -> bool:
        """True when there is an index to store vectors in."""
        return self.store.reader.generation() > 0

    def look(self, row: JobRow) -> bool:
        """Ask after one job; True once it is over, and what it brought is stored.

        Raises ProviderError when the provider lets nobody look, CancelledError.
        """
        now_s = self.clock.monotonic()
        self.batches.looks.again(row.number, now_s)
        try:
            view = self.service.look(row.job, self.cancelled)
            if isinstance(view, NoLook):
                self.batches.looks.later(row.number, now_s, view.hint_s)
                return False
            seen = self._seen(row, view)
            if seen is None:
                return True
            return view.ended and self._settle(seen, view)
        except JobGoneError as error:
            self._gone(row, error)
            return True

    def _seen(self, row: JobRow, view: JobView) -> JobRow | None:
        """The row after a look; None when another process has settled it."""
        counts = (view.done, view.failed, self.clock.now_ms())
        seen = self.store.jobs.looked(row.number, view.phase, *counts)
        if seen is not None:
            Teller(self.emit).stands(seen)
        return seen

    def _settle(self, row: JobRow, view: JobView) -> bool:
        """Fetch, store, forget, clean up there; in this order, so that nothing is lost.

        False when the results could not be had yet.
        """
        brought = Yield()
        try:
            self._fetch(view, self.store.jobs.texts(row.number), brought)
        except JobGoneError:
            raise
        except ProviderError as error:
            if worth_another_try(error):
                return False
            if error.status in (401, 403):  # the results are there, for the right key
                raise
            view = replace(view, problem=error.message)
        vectors = len(brought.stored)
        self.emit(StageReached("job-results-stored"))
        self.store.jobs.settle(row.number)
        guess = row.tokens * vectors // row.total
        self.charged(brought.tokens or guess, not brought.tokens)
        self.service.discard((row.file, *view.files))
        Teller(self.emit).ended(row, view, vectors)
        self._judge(row, view, vectors)
        return True

    def _fetch(self, view: JobView, texts: set[str], brought: Yield) -> None:
        """Store every usable vector of a text of ours, whatever order they come in."""
        in_hand: dict[str, Vector] = {}
        for result in self.service.results(view, self.cancelled):
            brought.tokens += result.tokens or 0
            ours = result.id in texts and result.id not in brought.stored
            if result.vector is not None and ours and result.id not in in_hand:
                in_hand[result.id] = result.vector
            if len(in_hand) == _AT_ONCE:
                self._keep(in_hand, brought)
                in_hand = {}
        self._keep(in_hand, brought)

    def _keep(self, vectors: dict[str, Vector], brought: Yield) -> None:
        if not vectors:
            return
        with self.store.write() as writer:
            writer.put_vectors(self.service.space, vectors)
        brought.stored |= vectors.keys()
        self.stored(set(vectors))

    def _judge(self, row: JobRow, view: JobView, vectors: int) -> None:
        """What the end of a job means for further ones."""
        learned = self.batches.learned
        if vectors:
            self.batches.breaker.succeeded()
        elif view.crowded and row.total // 2 >= self.batches.settings.fewest:
            learned.take_fewer(row.total)
            learned.concurrency = 1
        elif view.phase != "cancelled":
            self._count_failure(view.problem or f"A job of {row.total} texts brought no vector.")

    def _gone(self, row: JobRow, error: ProviderError) -> None:
        if any(each.number == row.number for each in self.store.jobs.jobs(self.service.space)):
            self.store.jobs.settle(row.number)
            self._count_failure(error.message)

    def _count_failure(self, reason: str) -> None:
        if self.batches.breaker.failed(reason):
            Teller(self.emit).off(self.batches.breaker.trips.off or reason)
