"""The vector half of a sync: give stored chunks the vectors they lack, then switch over."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace

from engine.events import StageReached
from engine.index.batches import keep_vectors, put_filled
from engine.index.context import SyncContext
from engine.index.decision import Decision
from engine.index.packs import Text
from engine.index.vectors import Filled, VectorFiller
from engine.sources.media import modality_of
from engine.store.contract import StoredIdentity, Unembedded

_WORTH_STORING = 64
"""Vectors that are kept in hand at most before they are stored: a kill loses no more."""


def catch_up(context: SyncContext, filler: VectorFiller) -> int:
    """Embed what the published index holds without a vector, without cutting it again.

    Texts that the provider has refused are left alone, and so is everything once the
    provider fails. Returns how many chunks are still without a vector then. Raises
    CancelledError; vectors made until then are stored.
    """
    missing = context.store.reader.unembedded(filler.space)
    without = context.tally.tried | filler.away
    todo = [row for row in missing if not row.final and row.hash not in without]
    todo.sort(key=lambda row: modality_of(row.path) is not None)  # texts prove the settings first
    if not todo:
        return len(missing)
    context.progress.begin(len({row.path for row in todo}), len(todo))
    _CatchUp(context, filler, todo).run()
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


class _CatchUp:
    """Stores vectors while further ones are on their way."""

    def __init__(self, context: SyncContext, filler: VectorFiller, todo: list[Unembedded]) -> None:
        self._context = context
        self._filler = filler
        self._todo = todo
        self._rows = _rows_by_hash(todo)
        self._files = _Files(todo)
        self._worth_storing = min(_WORTH_STORING, context.parts.settings.batch_chunks)
        self._settled: set[str] = set()

    def run(self) -> None:
        """Work through all of it, or up to a failure. Raises CancelledError."""
        context, filler = self._context, self._filler
        context.check_cancelled()
        context.progress.stage("embedding")
        in_hand = Filled()
        with closing(filler.answers(self._texts(), len(self._rows))) as parts:
            for part in parts:
                in_hand.add(part)
                self._advance(part)
                if filler.cancelled_error is None and len(in_hand.settled) >= self._worth_storing:
                    self._store(in_hand)
                    in_hand = Filled()
        if filler.cancelled_error is not None:
            keep_vectors(context.store.write, filler.space, in_hand)
            raise filler.cancelled_error
        if filler.failure is not None:
            in_hand.errors |= self._unsettled(filler.failure.message)
        self._store(in_hand)

    def _texts(self) -> Iterator[Text]:
        """Each text once, read from the store a few hundred at a time."""
        firsts = [rows[0] for rows in self._rows.values()]
        size = self._context.parts.settings.batch_chunks
        for at in range(0, len(firsts), size):
            found = self._context.store.reader.rows([row.rowid for row in firsts[at : at + size]])
            yield from ((row.hash, row.text) for row in found.values())

    def _advance(self, part: Filled) -> None:
        progress = self._context.progress
        self._settled |= part.settled
        chunks = sum(len(self._rows[hash_]) for hash_ in part.settled)
        progress.embedded += len(part.vectors)
        progress.chunks_done += chunks
        progress.work_done += chunks
        progress.files_done = self._files.done(self._rows, part)
        progress.tick()

    def _unsettled(self, reason: str) -> dict[str, str]:
        """The texts that a failure left without an answer, no more than one batch of them."""
        left = [hash_ for hash_ in self._rows if hash_ not in self._settled]
        return dict.fromkeys(left[: self._context.parts.settings.batch_chunks], reason)

    def _store(self, filled: Filled) -> None:
        context = self._context
        context.progress.emit(StageReached("vectors-made"))
        with context.store.write() as writer:
            put_filled(writer, self._filler, filled)
        chunks = sum(len(self._rows[hash_]) for hash_ in filled.settled | filled.without)
        context.tally.caught_up(filled, chunks)
        context.progress.embedded, context.progress.cached = (
            context.tally.embedded,
            context.tally.cached,
        )
        context.tell_revision()


class _Files:
    """How many files have all that this run can give them."""

    def __init__(self, todo: list[Unembedded]) -> None:
        self._left: dict[str, int] = {}
        for row in todo:
            self._left[row.path] = self._left.get(row.path, 0) + 1
        self._done = 0

    def done(self, rows: dict[str, list[Unembedded]], part: Filled) -> int:
        """The number after these further texts were answered for."""
        for hash_ in part.settled:
            for row in rows[hash_]:
                self._left[row.path] -= 1
                self._done += self._left[row.path] == 0
        return self._done


def _rows_by_hash(todo: list[Unembedded]) -> dict[str, list[Unembedded]]:
    found: dict[str, list[Unembedded]] = {}
    for row in todo:
        found.setdefault(row.hash, []).append(row)
    return found
