"""A new generation, built beside the published one and put in its place."""

from __future__ import annotations

from collections.abc import Mapping

from engine.errors import SyncError
from engine.index.context import SyncContext
from engine.index.decision import Decision
from engine.index.identity import keywords_only
from engine.index.plan import everything
from engine.index.texts import TextPass
from engine.sources.found import FoundFile
from engine.store.contract import FileRow, GenerationBuild, StoredIdentity


def rebuild(
    context: SyncContext,
    files: tuple[FoundFile, ...],
    decision: Decision,
    stored: StoredIdentity | None,
    wanted: StoredIdentity,
) -> None:
    """Read, cut and store every file anew, then publish; the old index answers meanwhile.

    A first index with any other than the built-in model is published with its keyword
    tables alone: it answers at once, and the vectors follow. Raises SyncError when the
    provider fails and an index exists that is better than the new one would be.
    """
    text_first = stored is None and not context.parts.at_once
    embed = decision.embed and not text_first
    reader = context.store.reader
    published = {row.path: row for row in reader.files()}
    counts = reader.chunk_counts()
    build = context.store.build(wanted if embed else keywords_only(wanted))
    try:
        _fill(context, build, files, published, decision, embed=embed)
        if stored is not None:
            _refuse_worse(context)
        context.check_cancelled()
        context.progress.stage("publishing")
        build.publish(context.tell_revision)
    except BaseException:
        build.abandon()
        raise
    _count_replaced(context, published, counts, files)


def _fill(
    context: SyncContext,
    build: GenerationBuild,
    files: tuple[FoundFile, ...],
    published: Mapping[str, FileRow],
    decision: Decision,
    *,
    embed: bool,
) -> None:
    plan = everything(files)
    context.begin(plan)
    TextPass(context, build.batch, published, decision.rules, embed=embed).run(plan)


def _refuse_worse(context: SyncContext) -> None:
    failure = context.filler.failure if context.filler else None
    if failure is not None:
        raise SyncError(
            failure.title,
            f"{failure.message} The rebuild was dropped; the old index still answers.",
            failure.hint,
        )


def _count_replaced(
    context: SyncContext,
    published: Mapping[str, FileRow],
    counts: Mapping[str, int],
    files: tuple[FoundFile, ...],
) -> None:
    """The whole old generation went: its chunks count as removed, its lost files too."""
    now = context.parts.clock.now_ms()
    for path in sorted(published.keys() - {file.path for file in files}):
        context.tally.removed(path, counts.get(path, 0), now)
    context.tally.chunks_removed = sum(counts.values())
