"""What a running sync has done so far, and the report that comes of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from engine.events import RecentChange, SkippedFile, SyncReport
from engine.index.cutting import CutFile
from engine.index.decision import SyncRequest
from engine.index.vectors import Filled, VectorFiller
from engine.status import Cost


@dataclass(slots=True)
class Tally:
    """Counts files and chunks; every chunk counts once as embedded, cached or neither."""

    files_indexed: int = 0
    files_removed: int = 0
    chunks_added: int = 0
    chunks_removed: int = 0
    embedded: int = 0
    cached: int = 0
    stood_in: int = 0
    fallback_covers: bool = False
    """Texts that the standby has embedded, beside all other counts."""
    beside: Cost | None = None
    """What the standby has charged for."""
    skipped: list[SkippedFile] = field(default_factory=list)
    changes: list[RecentChange] = field(default_factory=list)
    tried: set[str] = field(default_factory=set)
    """Hashes that this sync has asked a vector for in vain."""
    submitted: int = 0
    """Texts that are out in batch jobs at the end."""
    batch_tokens: int = 0
    """Tokens that batch jobs were charged for."""
    by_jobs: set[str] = field(default_factory=set)
    """Hashes that batch jobs have embedded, until a chunk with that text is stored."""
    _paid: set[str] = field(default_factory=set)

    def stored(
        self, file: CutFile, before: str | None, removed: int, filled: Filled, now_ms: float
    ) -> None:
        """Count a stored file; ``before`` is the hash it had in the index, if any."""
        embedded, cached = self._vectors_of(file, filled)
        self.files_indexed += 1
        self.chunks_added += len(file.chunks)
        self.chunks_removed += removed
        if before != file.row.hash:
            change: Literal["added", "changed"] = "added" if before is None else "changed"
            counts = (len(file.chunks), removed, embedded, cached)
            self.changes.append(RecentChange(file.row.path, change, now_ms, *counts))

    def removed(self, path: str, chunks: int, now_ms: float) -> None:
        """Count a file that is gone."""
        self.files_removed += 1
        self.chunks_removed += chunks
        self.changes.append(RecentChange(path, "removed", now_ms, 0, chunks, 0, 0))

    def caught_up(self, filled: Filled, chunks: int) -> None:
        """Count vectors for ``chunks`` chunks that were stored without one before."""
        self.embedded += len(filled.vectors)
        self.cached += max(0, chunks - len(filled.vectors) - len(filled.without))

    def _vectors_of(self, file: CutFile, filled: Filled) -> tuple[int, int]:
        embedded = cached = 0
        for chunk in file.chunks:
            if chunk.hash in filled.vectors and chunk.hash not in self._paid:
                self._paid.add(chunk.hash)
                embedded += 1
            elif chunk.hash in self.by_jobs:
                self.by_jobs.discard(chunk.hash)  # counted when its vector came
            elif chunk.hash in filled.vectors or chunk.hash in filled.known:
                cached += 1
        self.embedded += embedded
        self.cached += cached
        return embedded, cached

    def report(
        self,
        request: SyncRequest,
        filler: VectorFiller | None,
        not_embedded: int,
        started_ms: float,
        duration_ms: float,
        cost: Cost | None = None,
    ) -> SyncReport:
        """The sum, once everything is done; times in milliseconds.

        ``cost`` is what all providers together have charged for.
        """
        failure = filler.failure if filler else None
        return SyncReport(
            reason=request.reason,
            forced=request.force,
            files_indexed=self.files_indexed,
            files_removed=self.files_removed,
            chunks_added=self.chunks_added,
            chunks_removed=self.chunks_removed,
            embedded=self.embedded,
            cached=self.cached,
            not_embedded=not_embedded,
            skipped=tuple(self.skipped),
            changes=tuple(self.changes),
            started_ms=started_ms,
            duration_ms=duration_ms,
            embedding_error=failure.message if failure else None,
            embedding_hint=failure.hint if failure else "",
            tokens=cost.tokens if cost else filler.tokens if filler else None,
            stood_in=self.stood_in,
            fallback_covers=self.fallback_covers,
            batch_tokens=self.batch_tokens or None,
            submitted=self.submitted,
            tokens_estimated=cost is not None and cost.estimated,
            usd=None if cost is None else cost.usd,
        )
