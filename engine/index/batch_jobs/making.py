"""Putting the batch jobs of one sync together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.index.batch_jobs.collection import Collection
from engine.index.batch_jobs.fill import BatchFill
from engine.index.batch_jobs.sending import Sending

if TYPE_CHECKING:
    from engine.index.context import SyncContext
    from engine.index.vectors import VectorFiller
    from engine.net.messages import Cancelled


def batch_fill(
    context: SyncContext, filler: VectorFiller, cancelled: Cancelled
) -> BatchFill | None:
    """The batch jobs for the vector space that a sync fills; None where there can be none."""
    parts, store = context.parts, context.store
    batches = parts.batches
    if batches is None or batches.service is None or not store.jobs.writable:
        return None
    service = batches.service
    if service.space != filler.space:
        return None
    receipt = _Receipt(context, filler)
    return BatchFill(
        ledger=store.jobs,
        batches=batches,
        service=service,
        filler=filler,
        sending=Sending(store.jobs, batches, service, filler, parts.clock, parts.emit, cancelled),
        collection=Collection(
            store,
            batches,
            service,
            parts.clock,
            parts.emit,
            cancelled,
            receipt.stored,
            receipt.charged,
        ),
        clock=parts.clock,
        emit=parts.emit,
        cancelled=cancelled,
        staying=lambda: context.progress.stage("embedding"),
    )


class _Receipt:
    """Counts what jobs bring as part of a sync."""

    def __init__(self, context: SyncContext, filler: VectorFiller) -> None:
        self._context = context
        self._filler = filler

    def stored(self, hashes: set[str]) -> None:
        """These texts have their vectors, and a search finds them from now on."""
        context = self._context
        self._filler.made(hashes)
        context.tally.embedded += len(hashes)
        context.tally.by_jobs |= hashes
        context.progress.embedded = context.tally.embedded
        context.progress.tick()
        context.tell_revision()

    def charged(self, tokens: int, guessed: bool) -> None:
        """A job was charged for."""
        if tokens:
            self._filler.tokens = (self._filler.tokens or 0) + tokens
            self._filler.tokens_estimated |= guessed
            self._context.tally.batch_tokens += tokens
