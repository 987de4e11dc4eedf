"""One consistent state of the published index, read inside one transaction."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import apsw

from engine.store import annotated, gaps, keyword, substrings
from engine.store.asking import Row, rows, value
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
from engine.store.generation import Generation, load_generation, pointer
from engine.store.keyword_pass import keyword_pass
from engine.store.matrices import Matrices
from engine.store.names import read_name, stored_name
from engine.store.path_words import PathWords, PathWordsCache
from engine.store.remembered import Remembered, Revision

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from engine.status import MissingVectors
    from engine.store.contract import Vector

_CHUNK = (
    "c.id, c.path, c.source, c.start_line, c.end_line, c.hash, c.body, c.idx, "
    "c.importance, c.triggers, c.projects"
)

_LISTED = (
    "c.id, c.path, c.source, c.start_line, c.end_line, c.hash, c.body, c.idx, f.mtime_ms, "
    "c.importance, c.projects"
)


class Snapshot:
    """Implements IndexReader within one read transaction, for the thread that opened it."""

    def __init__(
        self,
        connection: apsw.Connection,
        matrices: Matrices,
        path_words: PathWordsCache,
        remembered: Remembered,
        *,
        vec0: bool,
    ) -> None:
        self._connection = connection
        self._matrices = matrices
        self._path_words = path_words
        self._remembered = remembered
        self._vec0 = vec0
        self._open = True
        self._guard = threading.Lock()
        number, self._revision = pointer(connection)
        self._generation = None if number is None else load_generation(connection, number)

    @property
    def published(self) -> Generation | None:
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

    def generation(self) -> int:
        """The number of the published generation; 0 when there is none."""
        return self._generation.number if self._generation else 0

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

    def listed(self, rowids: Sequence[int]) -> Mapping[int, ListedChunk]:
        """What a search needs of these rows; unknown numbers are left out."""
        if self._generation is None or not rowids:
            return {}
        memory = self._memory(self._generation)
        known = memory.rows
        missing = [row for row in rowids if row not in known]
        if not missing:
            return {row: known[row] for row in rowids}
        found = self._listed(self._generation, missing)
        memory.keep_rows(found.values())
        return {
            row: chunk for row in rowids if (chunk := known.get(row) or found.get(row)) is not None
        }

    def _listed(self, g: Generation, rowids: Sequence[int]) -> dict[int, ListedChunk]:
        found = self._rows(
            f"select {_LISTED} from json_each(?) j cross join {g.chunks} c "
            f"on c.id = j.value left join {g.files} f on f.path = c.path",
            (json.dumps([int(row) for row in rowids]),),
        )
        return {row[0]: _listed(row) for row in found}

    def keyword(
        self, table: KeywordTable, match: str, limit: int, source: str | None = None
    ) -> list[KeywordHit]:
        """The best ``limit`` rows for an FTS5 MATCH string, best first. Raises StoreError."""
        if self._generation is None or limit <= 0:
            return []
        return keyword.best_rows(self._connection, self._generation, table, match, limit, source)

    def containing(
        self, match: str | None, parts: Sequence[str], limit: int, source: str | None = None
    ) -> list[KeywordHit]:
        """Rows of the documented table that match and contain every part, best first."""
        if self._generation is None or limit <= 0:
            return []
        g = self._generation
        return substrings.containing(self._connection, g, match, parts, limit, source)

    def paths_with(
        self, match: str | None, parts: Sequence[str], limit: int, source: str | None = None
    ) -> list[KeywordHit]:
        """First chunks of the files whose path matches and contains every part."""
        words = self._words_of_paths()
        return words.matching(match, parts, limit, source) if words is not None else []

    def files_named(self, name: str, source: str | None = None) -> list[int]:
        """First chunks of the files whose folded path, file name or stem is ``name``."""
        words = self._words_of_paths()
        return words.named(name, source) if words is not None else []

    def _words_of_paths(self) -> PathWords | None:
        if self._generation is None:
            return None
        key = (self._generation.number, self._revision)
        return self._path_words.at(key, self._connection, self._generation)

    def keyword_pass(
        self,
        table: KeywordTable,
        match: str,
        limit: int,
        source: str | None = None,
        also: Sequence[int] = (),
    ) -> KeywordPass:
        """``keyword`` and ``keyword_scores`` of the rows ``also`` in one. Raises StoreError."""
        if self._generation is None or limit <= 0:
            return KeywordPass((), {})
        g = self._generation
        return keyword_pass(self._connection, g, table, match, limit, source, also)

    def chunk_total(self) -> int:
        """The number of chunks; counted once a revision."""
        if self._generation is None:
            return 0
        memory = self._memory(self._generation)
        if memory.chunks is None:
            count = f"select count(*) from {self._generation.chunks}"
            memory.chunks = int(value(self._connection, count))
        return memory.chunks

    def frequencies(self, table: KeywordTable, matches: Sequence[str]) -> Mapping[str, int]:
        """How many chunks each MATCH string finds; counted once a revision."""
        if self._generation is None:
            return {}
        memory, counts = self._memory(self._generation), {}
        for match in matches:
            key = f"{table} {match}"
            count = memory.counts.get(key)
            if count is None:
                count = keyword.count_of(self._connection, self._generation, table, match)
                memory.keep_count(key, count)
            counts[match] = count
        return counts

    def _memory(self, generation: Generation) -> Revision:
        return self._remembered.at((generation.number, self._revision))

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

    def warm(self) -> None:
        """Bring the vectors that searches keep in memory up to this state."""
        if self._generation is not None:
            self._matrices.follow(self._connection, self._generation, self._revision)

    def cosines(self, space: str, query: Vector, rowids: Sequence[int]) -> Mapping[int, float]:
        """Cosines of the given rows that have a vector in that space."""
        if self._generation is None:
            return {}
        from engine.store.nearest import cosines

        g, key = self._generation, (self._generation.number, self._revision, space)
        return cosines(self._connection, g, self._matrices.cache(), key, query, rowids)

    def has_fts5(self) -> bool:
        """True when this SQLite can search by keywords at all."""
        return bool(self._rows("select 1 from pragma_module_list where name = 'fts5'"))

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

    def missing_vectors(self, space: str, have: int) -> tuple[MissingVectors, ...]:
        """Why chunks have no vector in a space; ``have`` is how many of them have one."""
        if self._generation is None:
            return ()
        chunks = value(self._connection, f"select count(*) from {self._generation.chunks}")
        if have >= chunks:
            return ()
        return gaps.by_cause(self._connection, self._generation, space)

    def _rows(self, sql: str, bound: tuple[Any, ...] = ()) -> list[Row]:
        return rows(self._connection, sql, bound)


def _chunk(row: Row) -> ChunkRow:
    number, path, source, start, end, text_hash, text, index, *said = row
    return ChunkRow(
        number,
        read_name(path),
        source,
        start,
        end,
        text_hash,
        text,
        index,
        annotated.read(*said),
    )


def _listed(row: Row) -> ListedChunk:
    chunk = ListedChunk._make(row)
    return chunk if isinstance(chunk.path, str) else chunk._replace(path=read_name(chunk.path))


def _file(row: Row) -> FileRow:
    if isinstance(row[0], str):
        return FileRow(*row)
    path, *rest = row
    return FileRow(read_name(path), *rest)
