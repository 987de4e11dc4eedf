"""Readers of the published index, for any number of threads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import apsw

from engine.store.connections import ConnectionPool, FileAccess
from engine.store.contract import (
    ChunkRow,
    FileRow,
    KeywordHit,
    KeywordPass,
    KeywordTable,
    ListedChunk,
    StoredIdentity,
    Unembedded,
    VectorHit,
)
from engine.store.faults import told
from engine.store.matrices import Matrices
from engine.store.path_words import PathWordsCache
from engine.store.remembered import Remembered
from engine.store.snapshot import Snapshot

if TYPE_CHECKING:
    from engine.store.contract import Vector
    from engine.store.extension import Extension


class Reader:
    """Implements IndexReader for any number of threads; each call is a snapshot of its own."""

    def __init__(self, access: FileAccess, extension: Extension) -> None:
        self._path = access.path
        self._vec0 = extension.loaded
        self._pool = ConnectionPool(access, extension)
        self.matrices = Matrices()
        self._path_words = PathWordsCache()
        self._remembered = Remembered()

    @contextmanager
    def connection(self, doing: str) -> Iterator[apsw.Connection]:
        """A connection inside one read transaction; ``doing`` as in ``told``."""
        with told(self._path, doing), self._pool.lend() as connection:
            connection.execute("begin")
            try:
                yield connection
            finally:
                if connection.in_transaction:
                    connection.execute("rollback")

    @contextmanager
    def snapshot(self) -> Iterator[Snapshot]:
        """All reads inside see one revision of one generation. Raises StoreError."""
        with self.connection("searching") as connection:
            snapshot = Snapshot(
                connection, self.matrices, self._path_words, self._remembered, vec0=self._vec0
            )
            try:
                yield snapshot
            finally:
                snapshot.end()

    def warm(self) -> None:
        """Bring what frequent searches keep in memory up to the present state.

        Takes as long as reading all vectors; does nothing where nobody searches often.
        """
        with self.snapshot() as now:
            now.warm()

    def interrupt(self) -> None:
        """Stop all running reads, from any thread; they raise CancelledError."""
        self._pool.interrupt()

    def close(self) -> None:
        """Close the connections and free the matrices."""
        self._pool.close()
        self.matrices.clear()
        self._path_words.clear()
        self._remembered.clear()

    def revision(self) -> int:
        """Counts up with every published change; 0 for an index never written."""
        with self.snapshot() as now:
            return now.revision()

    def generation(self) -> int:
        """The number of the published generation; 0 when there is none."""
        with self.snapshot() as now:
            return now.generation()

    def identity(self) -> StoredIdentity | None:
        """What the published generation was built with; None when there is none."""
        with self.snapshot() as now:
            return now.identity()

    def files(self) -> list[FileRow]:
        """All files, by path."""
        with self.snapshot() as now:
            return now.files()

    def chunks(self, path: str | None = None) -> list[ChunkRow]:
        """The chunks of a file in order of emission; without a path all chunks."""
        with self.snapshot() as now:
            return now.chunks(path)

    def chunk_counts(self) -> Mapping[str, int]:
        """Chunks per path of the published index; files without chunks are absent."""
        with self.snapshot() as now:
            return now.chunk_counts()

    def unembedded(self, space: str) -> list[Unembedded]:
        """The chunks that have no vector in that space, in order of path and emission."""
        with self.snapshot() as now:
            return now.unembedded(space)

    def rows(self, rowids: Sequence[int]) -> Mapping[int, ChunkRow]:
        """Chunks by row number; unknown numbers are left out."""
        with self.snapshot() as now:
            return now.rows(rowids)

    def listed(self, rowids: Sequence[int]) -> Mapping[int, ListedChunk]:
        """What a search needs of these rows; unknown numbers are left out."""
        with self.snapshot() as now:
            return now.listed(rowids)

    def keyword(
        self, table: KeywordTable, match: str, limit: int, source: str | None = None
    ) -> list[KeywordHit]:
        """The best ``limit`` rows for an FTS5 MATCH string, best first. Raises StoreError."""
        with self.snapshot() as now:
            return now.keyword(table, match, limit, source)

    def containing(
        self, match: str | None, parts: Sequence[str], limit: int, source: str | None = None
    ) -> list[KeywordHit]:
        """Rows of the documented table that match and contain every part, best first."""
        with self.snapshot() as now:
            return now.containing(match, parts, limit, source)

    def paths_with(
        self, match: str | None, parts: Sequence[str], limit: int, source: str | None = None
    ) -> list[KeywordHit]:
        """First chunks of the files whose path matches and contains every part."""
        with self.snapshot() as now:
            return now.paths_with(match, parts, limit, source)

    def files_named(self, name: str, source: str | None = None) -> list[int]:
        """First chunks of the files whose folded path, file name or stem is ``name``."""
        with self.snapshot() as now:
            return now.files_named(name, source)

    def keyword_pass(
        self,
        table: KeywordTable,
        match: str,
        limit: int,
        source: str | None = None,
        also: Sequence[int] = (),
    ) -> KeywordPass:
        """``keyword`` and ``keyword_scores`` of the rows ``also`` in one. Raises StoreError."""
        with self.snapshot() as now:
            return now.keyword_pass(table, match, limit, source, also)

    def chunk_total(self) -> int:
        """The number of chunks; counted once a revision."""
        with self.snapshot() as now:
            return now.chunk_total()

    def frequencies(self, table: KeywordTable, matches: Sequence[str]) -> Mapping[str, int]:
        """How many chunks each MATCH string finds; counted once a revision."""
        with self.snapshot() as now:
            return now.frequencies(table, matches)

    def keyword_scores(
        self, table: KeywordTable, match: str, rowids: Sequence[int]
    ) -> Mapping[int, float]:
        """bm25 of those of the given rows that match. Raises StoreError."""
        with self.snapshot() as now:
            return now.keyword_scores(table, match, rowids)

    def nearest(
        self, space: str, query: Vector, limit: int, source: str | None = None
    ) -> list[VectorHit]:
        """The best ``limit`` rows of a vector space by cosine, best first; exact."""
        with self.snapshot() as now:
            return now.nearest(space, query, limit, source)

    def cosines(self, space: str, query: Vector, rowids: Sequence[int]) -> Mapping[int, float]:
        """Cosines of the given rows that have a vector in that space."""
        with self.snapshot() as now:
            return now.cosines(space, query, rowids)
