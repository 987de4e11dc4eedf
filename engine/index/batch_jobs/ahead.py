"""Before a rebuild: its vectors come by batch jobs while the old index answers and stays fresh."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from engine.index.batch_jobs.source import FilesOnDisk
from engine.index.decision import Decision
from engine.index.identity import same_chunks, same_space, stored_rules
from engine.index.update import update

if TYPE_CHECKING:
    from engine.index.context import SyncContext
    from engine.sources.found import ScanResult
    from engine.store.contract import IndexStore, StoredIdentity


def goes_on(store: IndexStore, wanted: StoredIdentity) -> bool:
    """Whether a rebuild to this identity was agreed to and waits for its vectors.

    An agreement to another one is void.
    """
    agreed = store.jobs.agreed()
    if agreed is not None and agreed != wanted and store.jobs.writable:
        store.jobs.agree(None)
    return agreed == wanted


def held_back(
    context: SyncContext,
    found: ScanResult,
    decision: Decision,
    stored: StoredIdentity,
    generation: int,
) -> bool:
    """Get the vectors of a rebuild by jobs; True when it has to wait for a later sync.

    Where only vectors are missing, and no chunk changes, there is nothing to wait for: the
    new generation is as good as the old one. Raises CancelledError.
    """
    jobs, filler = context.jobs, context.filler
    if jobs is None or filler is None or not decision.embed:
        return False
    source = FilesOnDisk(found.files, decision.rules)
    if not jobs.out and not jobs.takes(len(jobs.sending.waiting(source))):
        return False
    wanted = context.parts.wanted()
    waits = not same_chunks(stored, wanted)
    if waits:
        context.store.jobs.agree(wanted)
        _keep_fresh(context, found, decision, stored, generation)
    jobs.submit(source)
    jobs.stay(source)
    context.held = waits and not filler.away.isdisjoint(source.hashes())
    if not context.held:
        # The rebuild counts every file again.
        context.tally.files_indexed = context.tally.chunks_added = 0
    return context.held


def _keep_fresh(
    context: SyncContext,
    found: ScanResult,
    decision: Decision,
    stored: StoredIdentity,
    generation: int,
) -> None:
    """Take changed files up into the index that answers, by the rules it was built with."""
    rules = stored_rules(stored)
    if rules is None:
        return
    meanwhile = replace(
        decision, build=False, rules=rules, embed=same_space(stored, context.parts.wanted())
    )
    update(context, found, meanwhile, generation)
