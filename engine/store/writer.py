"""The writer of one generation, inside one transaction."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import apsw

from engine.clock import Clock
from engine.store import chunk_rows, gaps, vector_table
from engine.store.asking import Row, rows, value
from engine.store.contract import FileRow, NewChunk
from engine.store.generation import Generation, space_number
from engine.store.names import stored_name

if TYPE_CHECKING:
    from engine.store.contract import Vector


class GenerationWriter:
    """Implements IndexWriter. Lives as long as its transaction, which calls ``finish``.

    New chunks are gathered and written together, at the end or before something needs
    to see them.
    """

    def __init__(
        self, connection: apsw.Connection, generation: Generation, *, vec0: bool, clock: Clock
    ) -> None:
        self._connection = connection
        self._generation = generation
        self._vec0 = vec0
        self._clock = clock
        self._next_row = self._first_free_row()
        self._gathered: list[Row] = []
        self._gathered_paths: set[str] = set()
        self.changed = False
        """True once something a reader can see has been written."""

    @property
    def generation(self) -> int:
        """The number of the generation that is written."""
        return self._generation.number

    def upsert(self, file: FileRow, chunks: Sequence[NewChunk]) -> tuple[int, int]:
        """Replace a file and all its chunks; returns chunks (added, removed)."""
        removed = self._clear(file.path)
        self._put_file(file)
        self._gathered += chunk_rows.prepared(file, chunks, self._next_row)
        self._gathered_paths.add(file.path)
        self._next_row += len(chunks)
        return len(chunks), removed

    def touch(self, file: FileRow) -> None:
        """Record a new size and mtime of a file whose text is unchanged."""
        self._put_file(file)

    def delete(self, paths: Iterable[str]) -> int:
        """Remove files with chunks, keyword rows and vector rows; returns chunks removed."""
        removed = 0
        for path in paths:
            removed += self._clear(path)
            self._connection.execute(
                f"delete from {self._generation.files} where path = ?", (stored_name(path),)
            )
            self.changed = True
        return removed

    def put_vectors(self, space: str, vectors: Mapping[str, Vector]) -> None:
        """Store vectors by chunk hash. Raises StoreError before any of an unusable batch."""
        if not vectors:
            return
        from engine.store.vectors import checked_blobs, known_hashes

        number = space_number(self._connection, space)
        size = value(self._connection, "select dimensions from spaces where id = ?", (number,))
        blobs, seen = checked_blobs(vectors, size)
        if size is None:
            bound = (seen, number)
            self._connection.execute("update spaces set dimensions = ? where id = ?", bound)
        replaced = known_hashes(self._connection, space, vectors)
        self._keep(number, blobs)
        if number == self._generation.space:
            self._index_vectors(blobs, replaced)
        self.changed = True

    def note_failures(self, space: str, errors: Mapping[str, str], *, final: bool = False) -> None:
        """Record by chunk hash why the last attempt to embed it gave no vector."""
        gaps.note(self._connection, space, errors, final=final)
        self.changed = True

    def finish(self) -> None:
        """Write what is still gathered."""
        gathered, self._gathered = self._gathered, []
        self._gathered_paths.clear()
        if gathered:
            chunk_rows.insert(self._connection, self._generation, gathered)
            self._add_known_vectors(gathered[0][0], gathered[-1][0])

    def _put_file(self, file: FileRow) -> None:
        self._connection.execute(
            f"insert into {self._generation.files}(path, source, hash, size, mtime_ms) "
            "values (?, ?, ?, ?, ?) on conflict(path) do update set source = excluded.source, "
            "hash = excluded.hash, size = excluded.size, mtime_ms = excluded.mtime_ms",
            (stored_name(file.path), file.source, file.hash, file.size, file.mtime_ms),
        )
        self.changed = True

    def _clear(self, path: str) -> int:
        if path in self._gathered_paths:
            self.finish()
        removed = chunk_rows.remove(self._connection, self._generation, path)
        if removed:
            self._forget_vectors(removed)
        return len(removed)

    def _forget_vectors(self, removed: Sequence[Row]) -> None:
        table = self._vec_table()
        if table is not None:
            vector_table.delete(self._connection, table, [number for number, _ in removed])
        # The cache drops what has been out of use longest: its time begins now.
        now, space = self._clock.now_ms(), self._generation.space
        self._connection.executemany(
            "update vectors set used_at = ? where space = ? and hash = ?",
            [(now, space, chunk_hash) for _, chunk_hash in removed],
        )

    def _add_known_vectors(self, first: int, last: int) -> None:
        was_sound = self._generation.vec_sound
        table = self._vec_table()
        if table is None or not was_sound:
            return  # no extension, or just made from all rows, these included
        # Not INSERT ... SELECT: its statement journal makes FTS5 write out all it has
        # gathered, which is ten times slower.
        known = rows(
            self._connection,
            f"select c.id, c.source, v.vector from {self._generation.chunks} c "
            "cross join vectors v on v.space = ? and v.hash = c.hash where c.id between ? and ?",
            (self._generation.space, first, last),
        )
        vector_table.insert(self._connection, table, known)

    def _keep(self, space: int, blobs: Sequence[tuple[str, bytes]]) -> None:
        now = self._clock.now_ms()
        self._connection.executemany(
            "insert into vectors(space, hash, used_at, vector) values (?, ?, ?, ?) "
            "on conflict do update set used_at = excluded.used_at, vector = excluded.vector",
            [(space, chunk_hash, now, blob) for chunk_hash, blob in blobs],
        )

    def _index_vectors(self, blobs: Sequence[tuple[str, bytes]], replaced: set[str]) -> None:
        """Bring the vec0 rows of written chunks up to date; gathered ones come later."""
        was_sound = self._generation.vec_sound
        table = self._vec_table()
        if table is None or not was_sound:
            return
        fresh: list[Row] = []
        for chunk_hash, blob in blobs:
            found = self._rows_of(chunk_hash)
            if chunk_hash in replaced:
                vector_table.delete(self._connection, table, [number for number, _ in found])
            fresh += [(number, source, blob) for number, source in found]
        vector_table.insert(self._connection, table, fresh)

    def _rows_of(self, chunk_hash: str) -> list[Row]:
        return rows(
            self._connection,
            f"select id, source from {self._generation.chunks} where hash = ?",
            (chunk_hash,),
        )

    def _vec_table(self) -> str | None:
        """The sound vec0 table, made when it is missing; None when there can be none."""
        g = self._generation
        if not self._vec0:
            if g.vec_sound:
                self._generation = vector_table.mark_unsound(self._connection, g)
            return None
        if not g.vec_sound:
            self._generation = g = vector_table.create(self._connection, g)
        return g.vec_table

    def _first_free_row(self) -> int:
        last = value(
            self._connection,
            "select seq from sqlite_sequence where name = ?",
            (self._generation.chunks,),
        )
        return 1 if last is None else int(last) + 1
