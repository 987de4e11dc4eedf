"""The text half of a sync: read what the plan asks for, cut it, store it in batches."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engine.chunking.chunk import ChunkingRules
from engine.errors import PathError
from engine.events import Notice, SkippedFile
from engine.index.batches import BatchWriter, Transaction
from engine.index.context import SyncContext
from engine.index.cutting import cut, file_row
from engine.index.plan import SyncPlan, only_touched
from engine.sources.found import FoundFile
from engine.sources.front_matter import head_problem
from engine.sources.media import modality_of
from engine.sources.reading import read_found, undecodable
from engine.store.contract import FileRow

_SLOW_BATCH_CHUNKS = 64
"""Least batch with any other than the built-in model: a kill loses no more than its vectors."""


class TextPass:
    """Stores the files of a plan into one generation.

    ``published`` are the rows of the published index: what a change is measured against.
    ``generation`` is the number of the one that the plan was made for; None in a build.
    With ``embed`` the vectors of a batch are stored together with its texts. ``stored``
    is called after each transaction.
    """

    def __init__(
        self,
        context: SyncContext,
        transaction: Transaction,
        published: Mapping[str, FileRow],
        rules: ChunkingRules,
        *,
        embed: bool,
        generation: int | None = None,
        stored: Callable[[], None] = lambda: None,
    ) -> None:
        self._context = context
        self._published = published
        self._rules = rules
        self._writer = BatchWriter(
            transaction,
            context.filler,
            context.tally,
            context.progress,
            context.parts.clock,
            embed=embed,
            limit=_batch_limit(context) if embed else context.parts.settings.batch_chunks,
            generation=generation,
            published=published,
            stored=stored,
        )

    def run(self, plan: SyncPlan) -> None:
        """Work through the plan. Raises CancelledError between files and batches."""
        self._writer.delete(plan.deleted)
        for file in plan.new:
            self._take(file, None)
        for file in plan.suspect:
            self._take(file, self._published[file.path])
        self._context.check_cancelled()
        self._writer.flush()

    def _take(self, file: FoundFile, row: FileRow | None) -> None:
        self._context.check_cancelled()
        try:
            most = self._context.parts.settings.roots.max_file_bytes
            text, text_hash = read_found(file, most)
        except PathError as error:  # vanished or locked since the scan
            self._context.tally.skipped.append(SkippedFile(file.path, error.message))
            return
        if only_touched(file, text_hash, row):
            self._writer.touch(file_row(file, text_hash))
        else:
            self._tell_problems(file, text)
            self._writer.add(cut(file, text, text_hash, self._rules))

    def _tell_problems(self, file: FoundFile, text: str) -> None:
        if modality_of(file.path) is not None:
            return
        for problem in (head_problem(text), undecodable(text)):
            if problem is not None:
                self._context.parts.emit(Notice("warning", f"{file.path}: {problem}"))


def _batch_limit(context: SyncContext) -> int:
    provider, most = context.parts.provider, context.parts.settings.batch_chunks
    if provider is None or context.parts.at_once:
        return most
    return min(most, max(_SLOW_BATCH_CHUNKS, provider.limits.inputs_per_request))
