"""The indexer: a writer thread that answers requests, and what it tells of itself."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from engine.errors import CancelledError, EngineError, SyncError
from engine.events import (
    EngineEvent,
    IndexChanged,
    SyncCancelled,
    SyncFailed,
    SyncFinished,
    SyncReason,
    SyncReport,
)
from engine.index.bulk import BulkProcess
from engine.index.context import SyncParts
from engine.index.coverage import Dated
from engine.index.decision import SyncRequest, asks_first
from engine.index.estimate import estimate_rebuild
from engine.index.following_cost import following_cost
from engine.index.identity import compare, same_chunks
from engine.index.idling import Idling, JobWatch
from engine.index.last_run import LastRun
from engine.index.requests import RequestQueue, Run
from engine.index.search_look import SearchLook
from engine.index.survey import Survey
from engine.index.sync import look, run_sync
from engine.index.warming import Warming
from engine.index.wire import ChildSetup, Job
from engine.index.workload import belongs_in_child
from engine.sources.found import ScanResult
from engine.status import FileState, IdentityState, RebuildEstimate, SyncState
from engine.store.contract import StoredIdentity

if TYPE_CHECKING:
    from engine.embeddings.contract import EmbeddingProvider
    from engine.index.batch_jobs.batches import Batches

_CLOSE_S = 10.0


class Indexer:
    """Keeps one index in step with the disk. Thread-safe; the thread starts on first need.

    ``child`` tells how a process of its own opens the store for bulk work; None keeps
    everything in this process. ``environ`` is this process's environment, of which the
    child sees a part without keys. ``dated`` gives the date that decay reads from a path.
    """

    def __init__(
        self,
        parts: SyncParts,
        *,
        child: ChildSetup | None = None,
        environ: Mapping[str, str] | None = None,
        dated: Dated = lambda path: None,
    ) -> None:
        self._bus = parts.emit
        self._queue = RequestQueue()
        self._parts = replace(parts, emit=self._heard, batches=self._in_turn(parts.batches))
        self._setup = child
        self._environ = dict(environ or {})
        self._last = LastRun(parts.clock)
        self._survey = Survey(lambda: self._parts, parts.clock, parts.emit, dated)
        self._look = SearchLook(
            self.scan_now,
            (lambda: self.start("search")) if parts.settings.on_search else None,
            parts.clock,
        )
        self._warming = Warming(parts.store.reader.warm)
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._child: BulkProcess | None = None
        self._cost: tuple[tuple[int, StoredIdentity], str] | None = None

    # -- asking for work

    def start(self, reason: SyncReason, *, force: bool = False) -> bool:
        """Ask for a sync in the background; False when one was under way or waiting already.

        Requests share runs, but each is answered by a scan made after it was asked.
        Raises SyncError once closed.
        """
        return self._ask(SyncRequest(reason, force))[1]

    def run(self, reason: SyncReason, *, force: bool = False) -> SyncReport:
        """Sync and wait for it. Raises SyncError, StoreError, CancelledError.

        Must not be called by a subscriber of events: they come on the writer thread.
        """
        return self._ask(SyncRequest(reason, force))[0].answer.result()

    def cancel(self) -> None:
        """Ask a sync under way to stop, and drop one that waits; returns at once."""
        self._queue.cancel()
        with self._lock:
            if self._child is not None:
                self._child.stop()

    def cancel_batch_jobs(self) -> int:
        """Ask the provider to cancel the jobs that are out; returns how many it was asked for."""
        parts = self._parts
        if parts.batches is None or parts.batches.service is None:
            return 0
        from engine.index.batch_jobs.parting import part_from_all

        return part_from_all(parts.store.jobs, parts.batches.service, parts.clock, parts.emit)

    def start_of_use(self) -> bool:
        """What opening a memory does: a sync if ``on_start`` says so, else a look at the disk.

        Returns at once; False when it joined a sync that was under way already.
        """
        if self._parts.settings.on_start:
            return self.start("start")
        self._look.begin(sync=False)
        return True

    def searched(self) -> None:
        """Somebody has searched: look at the disk soon, and sync what differs if allowed.

        Returns at once; never more than one look every two seconds.
        """
        self._look.begin()

    def await_look(self, patience_s: float) -> None:
        """Wait for a look at the disk that a search has begun, but no longer than that."""
        self._look.wait(patience_s)

    def keep_interval(self) -> None:
        """Begin to sync by itself every ``interval_minutes``; a no-op when that is 0."""
        if self._parts.settings.interval_minutes > 0:
            self._start_thread()

    def use_provider(self, provider: EmbeddingProvider | None) -> None:
        """Embed with another provider from the next sync on."""
        self._parts = replace(self._parts, provider=provider)

    def close(self) -> None:
        """Cancel, and wait for the writer thread to end. Safe to call twice."""
        self._look.close()
        self._warming.close()
        self._queue.close()
        with self._lock:
            thread, child = self._thread, self._child
        if child is not None:
            child.stop()
        if thread is not None:
            thread.join(_CLOSE_S)
        if thread is not None and thread.is_alive() and child is not None:
            child.kill()

    # -- what is

    def state(self) -> SyncState:
        """What the indexer does now, and how the last run ended, in whichever process."""
        parts = self._parts
        count, last = parts.store.sync_count(), parts.store.last_sync()
        state = self._last.state(running=self._queue.busy, stored=last, count=count)
        stored = parts.store.reader.identity()
        waits = asks_first(parts.settings, stored, parts.wanted(), lambda: self._costs(stored))
        agreed = waits and parts.store.jobs.agreed() == parts.wanted()
        return replace(state, awaits_consent=waits and not agreed)

    def scan_now(self) -> tuple[FileState, ...]:
        """Look at the disk: every file with its state. Raises SyncError without a workspace."""
        return self._survey.look_now()

    def coverage(self) -> tuple[FileState, ...]:
        """The last look, compared with what the index holds now."""
        return self._survey.states()

    @property
    def scanned_at_ms(self) -> float | None:
        """When the disk was looked at last, in milliseconds since the epoch."""
        return self._survey.scanned_at_ms

    def scan_result(self) -> ScanResult:
        """The last scan itself: files, skipped ones, remarks on the whole."""
        return self._survey.scan()

    def identity(self) -> IdentityState:
        """Whether the index fits the configuration, what differs, and what following takes."""
        parts = self._parts
        with parts.store.reader.snapshot() as now:
            state, mark = compare(now.identity(), parts.wanted()), (now.revision(), parts.wanted())
        if state.status != "mismatched":
            return state
        if self._cost is None or self._cost[0] != mark:
            self._cost = (mark, following_cost(parts))
        return replace(state, cost=self._cost[1])

    def estimate(self) -> RebuildEstimate:
        """What a forced reindex would cost; sends nothing. Reads every file."""
        parts = self._parts
        files = look(parts.settings).files
        return estimate_rebuild(
            files, parts.store, parts.settings, parts.provider, self._last.pace, parts.price_of
        )

    @property
    def child_pid(self) -> int | None:
        """The process id of the indexing process, while there is one."""
        with self._lock:
            return None if self._child is None else self._child.pid

    # -- the writer thread

    def _ask(self, request: SyncRequest) -> tuple[Run, bool]:
        asked = self._queue.put(request)
        self._start_thread()
        return asked

    def _start_thread(self) -> None:
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._work, name="memlens-index", daemon=True
                )
                self._thread.start()

    def _in_turn(self, batches: Batches | None) -> Batches | None:
        """Batch jobs that are waited for only while nothing else is to be done."""
        if batches is None:
            return None
        queue = self._queue
        return replace(batches, makes_way=lambda: queue.waiting, leaving=lambda: queue.closed)

    def _work(self) -> None:
        interval = self._parts.settings.interval_minutes * 60.0 or None
        watch = JobWatch(lambda: self._parts, lambda: self._queue.closed)
        idling = Idling(self._queue, interval, watch)
        while (run := idling.next_run()) is not None:
            self._answer(run)

    def _answer(self, run: Run) -> None:
        """Do one run; whatever happens, somebody is told and nobody waits for ever."""
        try:
            report, rest = self._sync(run)
        except CancelledError as error:
            self._last.cancelled()
            self._end(run, SyncCancelled(), error)
        except EngineError as error:
            self._fail(run, error)
        except Exception as error:
            self._fail(run, _unexpected(error))
        else:
            self._last.finished(report)
            self._end(run, SyncFinished(report), None)
            if rest is None or not self._queue.hand_on(rest, run.answer):
                run.answer.set_result(report)

    def _fail(self, run: Run, error: EngineError) -> None:
        self._last.failed(error)
        self._end(run, SyncFailed(error.title, error.message, error.hint), error)

    def _end(self, run: Run, event: EngineEvent, error: EngineError | None) -> None:
        self._queue.done()
        with suppress(EngineError):  # an index that cannot be read has told so already
            self._last.ended_at(self._parts.store.sync_count())
        self._bus(event)
        if error is not None:
            run.answer.set_exception(error)

    def _sync(self, run: Run) -> tuple[SyncReport, SyncRequest | None]:
        """The report, and what is left to the next run when this one has made way for it."""
        parts, rest = self._parts, None
        found = look(parts.settings)
        if self._setup is not None and belongs_in_child(parts, run.request, found):
            report = self._sync_in_child(parts, run, self._setup)
            found = look(parts.settings)
        else:
            outcome = run_sync(parts, run.request, run.cancelled.is_set, found=found)
            report, rest = outcome.report, outcome.rest
        self._survey.take(found)
        self._survey.states()
        return report, rest

    def _sync_in_child(self, parts: SyncParts, run: Run, setup: ChildSetup) -> SyncReport:
        job = Job(setup, parts.settings, run.request, builtin=parts.provider is not None)
        child = BulkProcess(job, self._environ)
        with self._lock:
            self._child = child
            if run.cancelled.is_set():
                child.stop()
        try:
            return child.run(self._heard)
        finally:
            with self._lock:
                self._child = None

    def _heard(self, event: EngineEvent) -> None:
        self._last.heard(event)
        if isinstance(event, IndexChanged):
            self._warming.changed()
        self._bus(event)

    def _costs(self, stored: StoredIdentity | None) -> bool:
        provider = self._parts.provider
        if provider is None or not provider.remote:
            return False
        if stored is None or not same_chunks(stored, self._parts.wanted()):
            return True
        return bool(self._parts.store.reader.unembedded(provider.identity.key()))


def _unexpected(error: Exception) -> SyncError:
    wrapped = SyncError(
        "Indexing stopped",
        f"Something unforeseen happened: {type(error).__name__}: {error}",
        "The last index still answers. Please report this.",
    )
    wrapped.__cause__ = error
    return wrapped
