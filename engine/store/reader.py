"""Readers of the published index: each read, or each snapshot of reads, sees one state."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

import apsw

from engine.store import gaps, keyword
from engine.store.asking import Row, rows, value
from engine.store.connections import ConnectionPool, FileAccess
from engine.store.contract import (
    ChunkRow,
    FileRow,
    KeywordHit,
    KeywordTable,
    StoredIdentity,
    Unembedded,
    VectorHit,
)
from engine.store.faults import told
from engine.store.generation import Generation, load_generation, pointer
from engine.store.names import read_name, stored_name

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from engine.store.contract import Vector
    from engine.store.extension import Extension
    from engine.store.matrix import MatrixCache

_CHUNK = "c.id, c.path, c.source, c.start_line, c.end_line, c.hash, c.body, c.idx"


class Snapshot:
    """Implements IndexReader within one read transaction, for the thread that opened it."""

    def __init__(self, connection: apsw.Connection, matrices: Matrices, *, vec0: bool) -> None:
        self._connection = connection
        self._matrices = matrices
        self._vec0 = vec0
        self._open = True
        self._guard = threading.Lock()
        number, self._revision = pointer(connection)
        self._generation = None if number is None else load_generation(connection, number)

    @property
    def generation(self) -> Generation | None:
        """The published generation of this state."""
        return self._generation

    def snapshot(self) -> AbstractContextManager[Snapshot]:
        """This very snapshot; it ends with the outer block."""
        return nullcontext(self)

    def interrupt(self) -> None:
        """Stop what this snapshot is asking, from any thread: it raises CancelledError."""
        with self._guard:
            if self._open:
                self._connection.interrupt()

    def end(self) -> None:
        """Called once by the reader when the block ends."""
        with self._guard:
            self._open = False

    def revision(self) -> int:
        """Counts up with every published change; 0 for an index never written."""
        return self._revision

    def identity(self) -> StoredIdentity | None:
        """What the published generation was built with; None when there is none."""
        return self._generation.identity if self._generation else None

    def files(self) -> list[FileRow]:
        """All files, by path."""
        if self._generation is None:
            return []
        found = self._rows(
            f"select path, source, hash, size, mtime_ms from {self._generation.files} order by path"
        )
        return [_file(row) for row in found]

    def chunks(self, path: str | None = None) -> list[ChunkRow]:
        """The chunks of a file in order of emission; without a path all chunks."""
        if self._generation is None:
            return []
        where, bound = ("", ()) if path is None else ("where c.path = ?", (stored_name(path),))
        rows = self._rows(
            f"select {_CHUNK} from {self._generation.chunks} c {where} order by c.path, c.idx",
            bound,
        )
        return [_chunk(row) for row in rows]

    def chunk_counts(self) -> Mapping[str, int]:
        """Chunks per path of the published index; files without chunks are absent."""
        if self._generation is None:
            return {}
        found = self._rows(f"select path, count(*) from {self._generation.chunks} group by path")
        return {read_name(path): count for path, count in found}

    def unembedded(self, space: str) -> list[Unembedded]:
        """The chunks that have no vector in that space, in order of path and emission."""
        if self._generation is None:
            return []
        return gaps.unembedded(self._connection, self._generation, space)

    def rows(self, rowids: Sequence[int]) -> Mapping[int, ChunkRow]:
        """Chunks by row number; unknown numbers are left out."""
        if self._generation is None or not rowids:
            return {}
        found = self._rows(
            f"select {_CHUNK} from json_each(?) j cross join {self._generation.chunks} c "
            "on c.id = j.value",
            (json.dumps([int(row) for row in rowids]),),
        )
        return {row[0]: _chunk(row) for row in found}

    def mtimes(self, paths: Sequence[str]) -> Mapping[str, float]:
        """File times in milliseconds of those of the paths that are indexed."""
        if self._generation is None or not paths:
            return {}
        files = self._generation.files
        sql = f"select path, mtime_ms from {files} where path in ({','.join('?' * len(paths))})"
        rows = self._rows(sql, tuple(map(stored_name, paths)))
        return {read_name(path): mtime_ms for path, mtime_ms in rows}

    def keyword(
        self, table: KeywordTable, match: str, limit: int, source: str | None = None
    ) -> list[KeywordHit]:
        """The best ``limit`` rows for an FTS5 MATCH string, best first. Raises StoreError."""
        if self._generation is None or limit <= 0:
            return []
        return keyword.best_rows(self._connection, self._generation, table, match, limit, source)

    def keyword_scores(
        self, table: KeywordTable, match: str, rowids: Sequence[int]
    ) -> Mapping[int, float]:
        """bm25 of those of the given rows that match. Raises StoreError."""
        if self._generation is None or not rowids:
            return {}
        return keyword.scores_of(self._connection, self._generation, table, match, rowids)

    def nearest(
        self, space: str, query: Vector, limit: int, source: str | None = None
    ) -> list[VectorHit]:
        """The best ``limit`` rows of a vector space by cosine, best first; exact."""
        if self._generation is None:
            return []
        from engine.store.nearest import nearest

        g = self._generation
        vec0 = self._vec0 and g.vec_sound and space == g.identity.vector_space
        cache = self._matrices.cache()
        key = (g.number, self._revision, space)
        return nearest(self._connection, g, cache, key, query, limit, source, vec0=vec0)

    def cosines(self, space: str, query: Vector, rowids: Sequence[int]) -> Mapping[int, float]:
        """Cosines of the given rows that have a vector in that space."""
        if self._generation is None:
            return {}
        from engine.store.nearest import cosines

        g, key = self._generation, (self._generation.number, self._revision, space)
        return cosines(self._connection, g, self._matrices.cache(), key, query, rowids)

    def vector_count(self, space: str) -> tuple[int, int | None]:
        """How many chunks have a vector in a space, and its dimensions (None: unknown)."""
        size = value(self._connection, "select dimensions from spaces where name = ?", (space,))
        if self._generation is None or size is None:
            return 0, None
        count = value(
            self._connection,
            f"select count(*) from spaces s cross join {self._generation.chunks} c "
            "cross join vectors v on v.space = s.id and v.hash = c.hash where s.name = ?",
            (space,),
        )
        return count, size

    def _rows(self, sql: str, bound: tuple[Any, ...] = ()) -> list[Row]:
        return rows(self._connection, sql, bound)


class Matrices:
    """The matrix cache of a store, made (and numpy loaded) on first use."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._cache: MatrixCache | None = None

    def cache(self) -> MatrixCache:
        """The cache itself."""
        with self._lock:
            if self._cache is None:
                from engine.store.matrix import MatrixCache

                self._cache = MatrixCache()
            return self._cache

    def holds(self, generation: int, revision: int, space: str) -> bool:
        """True when the next query at that state is answered from memory."""
        return (
            self._cache is not None and self._cache.held((generation, revision, space)) is not None
        )

    def clear(self) -> None:
        """Free the memory."""
        if self._cache is not None:
            self._cache.clear()


class Reader:
    """Implements IndexReader for any number of threads; each call is a snapshot of its own."""

    def __init__(self, access: FileAccess, extension: Extension) -> None:
        self._path = access.path
        self._vec0 = extension.loaded
        self._pool = ConnectionPool(access, extension)
        self.matrices = Matrices()

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
            snapshot = Snapshot(connection, self.matrices, vec0=self._vec0)
            try:
                yield snapshot
            finally:
                snapshot.end()

    def interrupt(self) -> None:
        """Stop all running reads, from any thread; they raise CancelledError."""
        self._pool.interrupt()

    def close(self) -> None:
        """Close the connections and free the matrices."""
        self._pool.close()
        self.matrices.clear()

    def revision(self) -> int:
        """Counts up with every published change; 0 for an index never written."""
        with self.snapshot() as now:
            return now.revision()

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

    def mtimes(self, paths: Sequence[str]) -> Mapping[str, float]:
        """File times in milliseconds of those of the paths that are indexed."""
        with self.snapshot() as now:
            return now.mtimes(paths)

    def keyword(
        self, table: KeywordTable, match: str, limit: int, source: str | None = None
    ) -> list[KeywordHit]:
        """The best ``limit`` rows for an FTS5 MATCH string, best first. Raises StoreError."""
        with self.snapshot() as now:
            return now.keyword(table, match, limit, source)

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


def _chunk(row: Row) -> ChunkRow:
    if isinstance(row[1], str):
        return ChunkRow(*row)
    number, path, *rest = row
    return ChunkRow(number, read_name(path), *rest)


def _file(row: Row) -> FileRow:
    if isinstance(row[0], str):
        return FileRow(*row)
    path, *rest = row
    return FileRow(read_name(path), *rest)
