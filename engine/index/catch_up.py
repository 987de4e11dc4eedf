"""The vector half of a sync: give stored chunks the vectors they lack, then switch over."""

from __future__ import annotations

from dataclasses import replace

from engine.events import StageReached
from engine.index.batches import keep_vectors, put_filled
from engine.index.context import SyncContext
from engine.index.decision import Decision
from engine.index.vectors import VectorFiller
from engine.store.contract import StoredIdentity, Unembedded


def catch_up(context: SyncContext, filler: VectorFiller) -> int:
    """Embed what the published index holds without a vector, without cutting it again.

    Texts that the provider has refused are left alone, and so is everything once the
    provider fails. Returns how many chunks are still without a vector then. Raises
    CancelledError; vectors made until then are stored.
    """
    missing = context.store.reader.unembedded(filler.space)
    tried = context.tally.tried
    todo = [row for row in missing if not row.final and row.hash not in tried]
    if not todo:
        return len(missing)
    context.progress.begin(len({row.path for row in todo}), len(todo))
    size = context.parts.settings.batch_chunks
    for at in range(0, len(todo), size):
        context.check_cancelled()
        _fill(context, filler, todo[at : at + size])
        context.progress.files_done = len({row.path for row in todo[: at + size]})
        if filler.failure is not None:
            break
    return len(context.store.reader.unembedded(filler.space))


def switch_over(context: SyncContext, wanted: StoredIdentity, decision: Decision) -> None:
    """Let the published index answer with the wanted vector space and tokenizer.

    A failed provider does not hold it back: the person's consent stands, and the next
    sync continues. Without leave to embed the space stays.
    """
    stored = context.store.reader.identity()
    if stored is None:
        return
    space = wanted if decision.embed else stored
    target = replace(space, chunking=stored.chunking, tokenizer=wanted.tokenizer)
    if target != stored:
        context.store.adopt(target)
        context.tell_revision()


def _fill(context: SyncContext, filler: VectorFiller, part: list[Unembedded]) -> None:
    progress = context.progress
    progress.stage("embedding")

    def advance(vectors: int) -> None:
        progress.embedded += vectors
        progress.chunks_done += vectors
        progress.work_done += vectors
        progress.tick()

    rows = context.store.reader.rows([row.rowid for row in part]).values()
    filled = filler.fill([(row.hash, row.text) for row in rows], advance)
    if filler.cancelled_error is not None:
        keep_vectors(context.store.write, filler.space, filled)
        raise filler.cancelled_error
    progress.emit(StageReached("vectors-made"))
    with context.store.write() as writer:
        put_filled(writer, filler, filled)
    context.tally.caught_up(filled, len(rows))
    progress.embedded, progress.cached = context.tally.embedded, context.tally.cached
    context.tell_revision()
