"""Everything an index answers with, so that two of them can be compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import apsw
import numpy as np
import sqlite_vec

from engine.store.contract import StoredIdentity
from engine.store.generation import published
from engine.store.store import Store
from tests.crash.bench import Bench, Setup, provider_called

Place = tuple[str, int, int, str]
"""Path, first and last line, text."""
FileFacts = tuple[str, str, int, float]
"""Source, hash, size, mtime."""

WORDS = ("heron0", "heron3", "heron5", "plover1", "dunlin9", "pier", "seen", "heron4x2")


@dataclass(frozen=True, slots=True)
class Contents:
    """What a reader of the published index gets.

    ``keywords`` holds, for each table and word, the places with their bm25;
    ``near`` the cosines of all chunks to a query in the space that is asked for.
    """

    identity: StoredIdentity | None
    files: Mapping[str, FileFacts]
    chunks: frozenset[Place]
    keywords: Mapping[tuple[str, str], Mapping[Place, float]]
    near: Mapping[Place, float]
    unembedded: int

    def of(self, path: str) -> frozenset[Place]:
        """The chunks of one file."""
        return frozenset(place for place in self.chunks if place[0] == path)


def contents_of(store: Store, setup: Setup) -> Contents:
    """Read everything in one snapshot."""
    provider = provider_called(setup.provider)
    with store.reader.snapshot() as now:
        rows = {row.rowid: row for row in now.chunks()}
        places = {n: (r.path, r.start_line, r.end_line, r.text) for n, r in rows.items()}
        keywords = {
            (table, word): {
                places[hit.rowid]: round(hit.bm25, 9)
                for hit in now.keyword(table, f'"{word}"', 999)
            }
            for table in ("documented", "tuned")
            for word in WORDS
        }
        near: dict[Place, float] = {}
        missing = 0
        if provider is not None:
            query = provider.embed_query("heron at the pier")
            assert query is not None
            space = provider.identity.key()
            near = {places[h.rowid]: round(h.cosine, 6) for h in now.nearest(space, query, 999)}
            missing = len(now.unembedded(space))
        return Contents(
            identity=now.identity(),
            files={f.path: (f.source, f.hash, f.size, f.mtime_ms) for f in now.files()},
            chunks=frozenset(places.values()),
            keywords=keywords,
            near=near,
            unembedded=missing,
        )


def read_contents(bench: Bench, setup: Setup) -> Contents:
    """Open the index and read everything."""
    with bench.open() as store:
        return contents_of(store, setup)


def assert_sound(bench: Bench) -> None:
    """SQLite's own checks pass, and all tables of the published index hold the same rows."""
    connection = apsw.Connection(str(bench.index), flags=apsw.SQLITE_OPEN_READWRITE)
    connection.enable_load_extension(True)
    connection.load_extension(sqlite_vec.loadable_path())
    try:
        assert connection.execute("pragma integrity_check").fetchall() == [("ok",)]
        generation = published(connection)
        if generation is None:
            return
        chunks = connection.execute(f"select id from {generation.chunks} order by id").fetchall()
        for table in (generation.documented, generation.tuned):
            # With rank 1 FTS5 compares itself with the text it was made from.
            connection.execute(f"insert into {table}({table}, rank) values ('integrity-check', 1)")
            sizes = connection.execute(f"select id from {table}_docsize order by id").fetchall()
            assert sizes == chunks, table
        if generation.vec_table is not None and generation.vec_sound:
            found = connection.execute(f"select rowid from {generation.vec_table}").fetchall()
            expected = connection.execute(
                f"select c.id from {generation.chunks} c join vectors v "
                "on v.space = ? and v.hash = c.hash",
                (generation.space,),
            ).fetchall()
            assert sorted(found) == sorted(expected), "vec0 rows are those of the vectors"
        for (blob,) in connection.execute("select vector from vectors"):
            vector = np.frombuffer(blob, "<f4")
            assert np.isfinite(vector).all()
            assert vector.any()
    finally:
        connection.close()


def generations(bench: Bench) -> set[int]:
    """Numbers of all generations of which anything is in the file."""
    connection = apsw.Connection(str(bench.index), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        names = [str(name) for (name,) in connection.execute("select name from sqlite_schema")]
        rows = {int(n) for (n,) in connection.execute("select id from generations")}
    finally:
        connection.close()
    return rows | {int(name.split("_g")[1].split("_")[0]) for name in names if "_g" in name}
