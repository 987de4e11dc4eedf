"""The writer of one generation, inside one transaction."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import apsw

from engine.clock import Clock
from engine.store import vector_table
from engine.store.asking import Row, rows, value
from engine.store.cjk import index_pairs
from engine.store.contract import FileRow, NewChunk
from engine.store.folding import fold
from engine.store.generation import Generation, space_number
from engine.store.names import stored_name

if TYPE_CHECKING:
    from engine.store.contract import Vector


class GenerationWriter:
    """Implements IndexWriter. Lives as long as its transaction."""

    def __init__(
        self, connection: apsw.Connection, generation: Generation, *, vec0: bool, clock: Clock
    ) -> None:
        self._connection = connection
        self._generation = generation
        self._vec0 = vec0
        self._clock = clock
        self._next_row = self._first_free_row()
        self.changed = False
        """True once something a reader can see has been written."""

    def upsert(self, file: FileRow, chunks: Sequence[NewChunk]) -> tuple[int, int]:
        """Replace a file and all its chunks; returns chunks (added, removed)."""
        removed = self._clear(file.path)
        self._put_file(file)
        self._put_chunks(file, chunks)
        self.changed = True
        return len(chunks), removed

    def touch(self, file: FileRow) -> None:
        """Record a new size and mtime of a file whose text is unchanged."""
        self._put_file(file)
        self.changed = True

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
        known_size = value(
            self._connection, "select dimensions from spaces where id = ?", (number,)
        )
        blobs, size = checked_blobs(vectors, known_size)
        replaced = known_hashes(self._connection, space, vectors)
        if known_size is None:
            self._connection.execute(
                "update spaces set dimensions = ? where id = ?", (size, number)
            )
        now = self._clock.now_ms()
        self._connection.executemany(
            "insert into vectors(space, hash, used_at, vector) values (?, ?, ?, ?) "
            "on conflict do update set used_at = excluded.used_at, vector = excluded.vector",
            [(number, chunk_hash, now, blob) for chunk_hash, blob in blobs],
        )
        if number == self._generation.space:
            self._index_vectors(blobs, replaced)
        self.changed = True

    def _put_file(self, file: FileRow) -> None:
        self._connection.execute(
            f"insert into {self._generation.files}(path, source, hash, size, mtime_ms) "
            "values (?, ?, ?, ?, ?) on conflict(path) do update set source = excluded.source, "
            "hash = excluded.hash, size = excluded.size, mtime_ms = excluded.mtime_ms",
            (stored_name(file.path), file.source, file.hash, file.size, file.mtime_ms),
        )

    def _put_chunks(self, file: FileRow, chunks: Sequence[NewChunk]) -> None:
        g, path, first = self._generation, stored_name(file.path), self._next_row
        self._next_row += len(chunks)
        copies = [(fold(c.text), index_pairs(c.text)) for c in chunks]
        self._connection.executemany(
            f"insert into {g.chunks} values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    row, path, file.source, c.index, c.start_line, c.end_line, c.hash, c.text,
                    None if folded == c.text else folded, pairs or None,
                )
                for row, (c, (folded, pairs)) in enumerate(zip(chunks, copies, strict=True), first)
            ],
        )  # fmt: skip
        self._connection.executemany(
            f"insert into {g.documented}(rowid, body) values (?, ?)",
            [(row, c.text) for row, c in enumerate(chunks, first)],
        )
        self._connection.executemany(
            f"insert into {g.tuned}(rowid, body, cjk) values (?, ?, ?)",
            [(row, folded, pairs) for row, (folded, pairs) in enumerate(copies, first)],
        )
        self._add_known_vectors(path)

    def _clear(self, path: str) -> int:
        g = self._generation
        old = rows(
            self._connection,
            f"select id, hash, body, folded, cjk from {g.chunks} where path = ?",
            (stored_name(path),),
        )
        if not old:
            return 0
        # An external-content table forgets a row only when given its exact old text.
        self._connection.executemany(
            f"insert into {g.documented}({g.documented}, rowid, body) values ('delete', ?, ?)",
            [(row, body) for row, _, body, _, _ in old],
        )
        self._connection.executemany(
            f"insert into {g.tuned}({g.tuned}, rowid, body, cjk) values ('delete', ?, ?, ?)",
            [
                (row, body if folded is None else folded, pairs or "")
                for row, _, body, folded, pairs in old
            ],
        )
        self._connection.execute(f"delete from {g.chunks} where path = ?", (stored_name(path),))
        self._forget_vectors(old)
        return len(old)

    def _forget_vectors(self, old: Sequence[Row]) -> None:
        table = self._vec_table()
        if table is not None:
            vector_table.delete(self._connection, table, [row for row, *_ in old])
        # The cache drops what has been out of use longest: its time begins now.
        now, space = self._clock.now_ms(), self._generation.space
        self._connection.executemany(
            "update vectors set used_at = ? where space = ? and hash = ?",
            [(now, space, chunk_hash) for _, chunk_hash, *_ in old],
        )

    def _add_known_vectors(self, path: str | bytes) -> None:
        was_sound = self._generation.vec_sound
        table = self._vec_table()
        if table is None or not was_sound:
            return
        g = self._generation
        self._connection.execute(
            f"insert into {table}(rowid, source, embedding) "
            f"select c.id, c.source, v.vector from {g.chunks} c "
            "join vectors v on v.space = ? and v.hash = c.hash where c.path = ?",
            (g.space, path),
        )

    def _index_vectors(self, blobs: Sequence[tuple[str, bytes]], replaced: set[str]) -> None:
        was_sound = self._generation.vec_sound
        table = self._vec_table()
        if table is None or not was_sound:
            return  # no extension, or just made from all stored vectors, these included
        fresh: list[vector_table.Row] = []
        for chunk_hash, blob in blobs:
            found = self._rows_of(chunk_hash)
            if chunk_hash in replaced:
                vector_table.delete(self._connection, table, [row for row, _ in found])
            fresh += [(row, source, blob) for row, source in found]
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
