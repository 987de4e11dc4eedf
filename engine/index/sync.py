"""One sync from beginning to end, on the calling thread."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from engine.embeddings.cost.price_table import total
from engine.errors import CancelledError, SyncError
from engine.events import StageReached, SyncReport
from engine.index.batch_jobs.ahead import goes_on, held_back
from engine.index.batch_jobs.source import UnembeddedRows
from engine.index.batches import RebuiltMeanwhileError
from engine.index.catch_up import catch_up, switch_over
from engine.index.context import SyncContext, SyncParts
from engine.index.decision import Decision, SyncRequest, decide
from engine.index.estimate import count_missing
from engine.index.identity import same_chunks
from engine.index.media import MediaShelf
from engine.index.rebuild import rebuild
from engine.index.settings import IndexSettings
from engine.index.settling import cost_of_sync, settle
from engine.index.stand_in import stand_in
from engine.index.update import update
from engine.sources.found import ScanResult
from engine.sources.scan import scan
from engine.store.contract import StoredIdentity

_ATTEMPTS = 3
"""How often a sync begins anew because another process has published an index meanwhile."""

_JOURNAL = 200
"""Changes of single files that the store's journal is given; it keeps no more."""


@dataclass(frozen=True, slots=True)
class SyncOutcome:
    """The report, and the scan it rests on.

    ``rest`` is what is still to be done when the sync has made way for another one.
    """

    report: SyncReport
    scan: ScanResult
    rest: SyncRequest | None = None


def run_sync(
    parts: SyncParts,
    request: SyncRequest,
    cancelled: Callable[[], bool],
    *,
    found: ScanResult | None = None,
    bulk: bool = False,
) -> SyncOutcome:
    """Bring the index up to date. Raises SyncError, StoreError, CancelledError.

    A failing provider is no error here: texts are stored for keyword search and the
    report says so. Only a rebuild that would replace a better index stops with it.
    ``found`` is a scan made for this request, if there is one already.
    """
    clock = parts.clock
    started_ms, began = clock.now_ms(), clock.monotonic()
    done = _until_done(parts, request, cancelled, found, bulk)
    duration_ms = (clock.monotonic() - began) * 1000.0
    tally, filler = done.context.tally, done.context.filler
    if filler is not None:
        tally.submitted = len(parts.store.jobs.out(filler.space))
    cost = total(each for each in (cost_of_sync(done.context), tally.beside) if each is not None)
    report = tally.report(request, filler, done.without_vector, started_ms, duration_ms, cost)
    parts.store.record_sync(replace(report, changes=report.changes[-_JOURNAL:]))
    return SyncOutcome(report, done.scan, _rest(done.context))


def _rest(context: SyncContext) -> SyncRequest | None:
    """What the sync that comes next has to do as well; None when this one is complete."""
    if context.jobs is None or not context.jobs.made_way:
        return None
    return replace(context.request, force=context.request.force and context.held)


@dataclass(frozen=True, slots=True)
class _Done:
    """Work that came through; ``without_vector`` counts chunks."""

    context: SyncContext
    scan: ScanResult
    without_vector: int


def _until_done(
    parts: SyncParts,
    request: SyncRequest,
    cancelled: Callable[[], bool],
    found: ScanResult | None,
    bulk: bool,
) -> _Done:
    """Work, and begin anew when another process has published an index meanwhile."""
    attempts = 0
    while True:
        attempts += 1
        context = SyncContext(parts, request, cancelled, bulk=bulk)
        try:
            scan = found or look(parts.settings)
            parts.emit(StageReached("scanned"))
            return _Done(context, scan, _work(context, scan))
        except RebuiltMeanwhileError:
            if attempts == _ATTEMPTS:
                raise
            found = None
        finally:
            settle(context)


def _work(context: SyncContext, found: ScanResult) -> int:
    """Do it; returns how many chunks are left without a vector."""
    parts, jobs = context.parts, context.jobs
    context.tally.skipped.extend(found.skipped)
    if context.filler is not None:
        context.filler.media = MediaShelf(found.files)
    if jobs is not None:
        jobs.look()
    with parts.store.reader.snapshot() as now:
        stored, generation = now.identity(), now.generation()
    request = context.request
    if goes_on(parts.store, parts.wanted()):
        request = replace(request, reason="demand")
    decision = decide(
        request,
        parts.settings,
        stored,
        parts.wanted(),
        lambda: _costs(parts, request, found, stored),
    )
    try:
        return _carry_out(context, found, decision, stored, generation)
    except CancelledError:
        if jobs is not None:
            jobs.abandon()
        raise


def _carry_out(
    context: SyncContext,
    found: ScanResult,
    decision: Decision,
    stored: StoredIdentity | None,
    generation: int,
) -> int:
    wanted = context.parts.wanted()
    builds = decision.build
    if builds and stored is not None:
        builds = not held_back(context, found, decision, stored, generation)
    if builds:
        rebuild(context, found.files, decision, stored, wanted)
    elif not context.held:
        update(context, found, decision, generation)
    without = _vectors(context, decision)
    if not context.held:
        switch_over(context, wanted, decision)
        context.store.jobs.agree(None)
    context.tally.stood_in = stand_in(context)
    context.progress.finish()
    return without


def look(settings: IndexSettings) -> ScanResult:
    """Scan the disk. Raises SyncError when the workspace is gone: nothing is removed then."""
    workspace = settings.roots.workspace
    if not workspace.is_dir():
        raise SyncError(
            "Workspace not found",
            f"The folder {workspace} does not exist, or is not a folder.",
            "The index stays as it is. Bring the folder back, or choose another workspace.",
        )
    return scan(settings.roots)


def _costs(
    parts: SyncParts, request: SyncRequest, found: ScanResult, stored: StoredIdentity | None
) -> bool:
    """Whether following a change of identity would send texts away."""
    provider = parts.provider
    if provider is None or not provider.remote:
        return False
    if stored is not None and same_chunks(stored, parts.wanted()):
        return bool(parts.store.reader.unembedded(provider.identity.key()))
    if request.reason != "start":
        return True  # to read every file again is for the start, not for each event
    return count_missing(parts.store, found.files, parts.settings.rules, provider) > 0


def _vectors(context: SyncContext, decision: Decision) -> int:
    filler, jobs = context.filler, context.jobs
    if filler is None:
        return 0
    if not decision.embed or context.held:
        return len(context.store.reader.unembedded(filler.space))
    if jobs is None:
        return catch_up(context, filler)
    source = UnembeddedRows(context.store.reader, filler.space)
    jobs.submit(source)
    if jobs.out:
        # The person's word holds for what is out, whatever ends this process.
        context.store.jobs.agree(context.parts.wanted())
    without = catch_up(context, filler)
    return catch_up(context, filler) if jobs.stay(source) else without
