"""Writing files in batches: vectors first, then everything in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

from engine.clock import Clock
from engine.errors import SyncError
from engine.events import Stage, StageReached
from engine.index.cutting import CutFile
from engine.index.progress import Progress
from engine.index.tally import Tally
from engine.index.vectors import Filled, VectorFiller
from engine.store.contract import FileRow, IndexWriter


class RebuiltMeanwhileError(SyncError):
    """The plan was made for an index that another process has replaced since."""

    def __init__(self) -> None:
        super().__init__(
            "Index rebuilt meanwhile",
            "Another process has published a new index during this sync.",
            "Sync again.",
        )


Transaction = Callable[[], AbstractContextManager[IndexWriter]]


@dataclass(slots=True)
class Pending:
    """What the next transaction will write."""

    deleted: list[str] = field(default_factory=list)
    touched: list[FileRow] = field(default_factory=list)
    files: list[CutFile] = field(default_factory=list)
    chunks: int = 0

    def __bool__(self) -> bool:
        """True when there is anything to write."""
        return bool(self.deleted or self.touched or self.files)


class BatchWriter:
    """Collects cut files and stores them into one generation, some chunks at a time.

    A file is never split over two transactions, so a long one may exceed ``limit``
    chunks. Without ``embed`` the provider is not asked. ``generation`` is the number of
    the one that the plan was made for: nothing is written into another one. ``published``
    are the rows of the published index by path.
    """

    def __init__(
        self,
        transaction: Transaction,
        filler: VectorFiller | None,
        tally: Tally,
        progress: Progress,
        clock: Clock,
        *,
        embed: bool,
        limit: int,
        generation: int | None,
        published: Mapping[str, FileRow],
        stored: Callable[[], None],
    ) -> None:
        self._transaction = transaction
        self._filler = filler
        self._tally = tally
        self._progress = progress
        self._clock = clock
        self._embed = embed
        self._limit = limit
        self._generation = generation
        self._published = published
        self._stored = stored
        self._pending = Pending()

    def delete(self, paths: tuple[str, ...]) -> None:
        """Remove stored files with the next transaction."""
        self._pending.deleted.extend(paths)

    def touch(self, row: FileRow) -> None:
        """Record a new size and mtime with the next transaction."""
        self._pending.touched.append(row)

    def add(self, file: CutFile) -> None:
        """Store a file; writes when enough chunks are waiting."""
        if self._pending.chunks and self._pending.chunks + len(file.chunks) > self._limit:
            self.flush()
        self._pending.files.append(file)
        self._pending.chunks += len(file.chunks)
        if self._pending.chunks >= self._limit:
            self.flush()

    def flush(self) -> None:
        """Write what is waiting. Raises CancelledError after storing vectors paid for."""
        pending, self._pending = self._pending, Pending()
        if not pending:
            return
        self._reached("texts-cut")
        filled = self._fill(pending)
        if self._embed and self._filler is not None:
            self._reached("vectors-made")
        self._progress.stage("storing")
        try:
            with self._transaction() as writer:
                self._write(writer, pending, filled)
        except RebuiltMeanwhileError:
            if self._filler is not None:
                keep_vectors(self._transaction, self._filler.space, filled)
            raise
        self._count(pending)
        self._stored()

    def _fill(self, pending: Pending) -> Filled:
        if self._filler is None:
            return Filled()
        texts = [(chunk.hash, chunk.text) for file in pending.files for chunk in file.chunks]
        if not self._embed:
            return Filled(known=self._filler.known(dict(texts)))
        self._progress.stage("embedding")
        filled = self._filler.fill(texts, self._embedded)
        if self._filler.cancelled_error is not None:
            keep_vectors(self._transaction, self._filler.space, filled)
            raise self._filler.cancelled_error
        return filled

    def _reached(self, stage: Stage) -> None:
        self._progress.emit(StageReached(stage))

    def _embedded(self, texts: int) -> None:
        self._progress.embedded += texts
        self._progress.tick()

    def _write(self, writer: IndexWriter, pending: Pending, filled: Filled) -> None:
        if self._generation not in (None, writer.generation):
            raise RebuiltMeanwhileError
        now = self._clock.now_ms()
        for path in pending.deleted:
            self._tally.removed(path, writer.delete([path]), now)
        for row in pending.touched:
            writer.touch(row)
        put_filled(writer, self._filler, filled)
        for file in pending.files:
            _, removed = writer.upsert(file.row, file.chunks)
            row_before = self._published.get(file.row.path)
            before = None if row_before is None else row_before.hash
            self._tally.stored(file, before, removed, filled, now)
        self._tally.tried |= filled.without

    def _count(self, pending: Pending) -> None:
        progress = self._progress
        progress.files_done += len(pending.files) + len(pending.touched)
        progress.chunks_done += pending.chunks
        progress.embedded, progress.cached = self._tally.embedded, self._tally.cached
        progress.work_done += sum(file.row.size for file in pending.files)
        progress.work_done += sum(row.size for row in pending.touched)
        progress.tick()


def put_filled(writer: IndexWriter, filler: VectorFiller | None, filled: Filled) -> None:
    """Store new vectors, and why others are missing."""
    if filler is None:
        return
    if filled.vectors:
        writer.put_vectors(filler.space, filled.vectors)
    if filled.refused:
        writer.note_failures(filler.space, filled.refused, final=True)
    if filled.errors:
        writer.note_failures(filler.space, filled.errors)


def keep_vectors(transaction: Transaction, space: str, filled: Filled) -> None:
    """Store vectors of a batch that goes no further: they are paid for."""
    if filled.vectors:
        with transaction() as writer:
            writer.put_vectors(space, filled.vectors)
