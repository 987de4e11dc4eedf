"""The store against the least that SQLite and numpy need for the same work.

Thread CPU time, best of some runs: a busy machine does not change the ratio much.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import apsw
import numpy as np
import pytest

from engine.store.extension import probe
from tests.engine.store.desk import (
    SPACE,
    Desk,
    cut,
    digest,
    file_row,
    identity,
    random_vectors,
)

pytestmark = pytest.mark.bench

CHUNKS, SIZE, BATCH = 2000, 256, 500
WORDS = 180


def _texts() -> list[str]:
    numbers = np.random.default_rng(5).integers(0, 5000, (CHUNKS, WORDS))
    return [f"note {at} " + " ".join(f"w{n}" for n in row) for at, row in enumerate(numbers)]


def _cpu(work: Callable[[int], object], runs: int) -> float:
    """The shortest CPU time of some runs, in seconds."""
    times = []
    for run in range(runs):
        begun = time.thread_time()
        work(run)
        times.append(time.thread_time() - begun)
    return min(times)


def test_filling_costs_at_most_twice_the_plain_loop(tmp_path: Path) -> None:
    texts = _texts()
    embedded = random_vectors(texts, SIZE)
    hashes = [digest(text) for text in texts]

    def fill(run: int) -> None:
        desk = Desk(tmp_path / f"store{run}.sqlite")
        store = desk.open()
        with store.build(identity()) as build:
            for at in range(0, CHUNKS, BATCH):
                with build.batch() as writer:
                    writer.put_vectors(SPACE, {h: embedded[h] for h in hashes[at : at + BATCH]})
                    for first in range(at, at + BATCH, 2):
                        writer.upsert(file_row(f"{first}.md"), cut(*texts[first : first + 2]))
            build.publish()
        desk.close()

    def plain(run: int) -> None:
        rows = [(h, t, embedded[h].tobytes()) for h, t in zip(hashes, texts, strict=True)]
        _plain_loop(tmp_path / f"plain{run}.sqlite", rows)

    assert _cpu(fill, 3) <= 2.0 * _cpu(plain, 3)


def _plain_loop(path: Path, rows: list[tuple[str, str, bytes]]) -> None:
    """The same tables, filled by statements alone."""
    connection = apsw.Connection(str(path))
    probe(True, None).load_into(connection)
    connection.pragma("journal_mode", "wal")
    connection.pragma("synchronous", "normal")
    connection.execute(f"""
        create table c(id integer primary key, hash text, body text, cjk text);
        create index ch on c(hash);
        create table v(hash text primary key, vector blob);
        create virtual table d using fts5(body, content='c', content_rowid='id');
        create virtual table t using fts5(body, cjk, content='c', content_rowid='id',
            tokenize='porter unicode61 remove_diacritics 2');
        create virtual table n using vec0(source text, embedding float[{SIZE}]
            distance_metric=cosine);
    """)
    for at in range(0, len(rows), BATCH):
        part = [(i, *row) for i, row in enumerate(rows[at : at + BATCH], at + 1)]
        connection.execute("begin immediate")
        for table, bound in (
            ("c(id, hash, body)", [(i, h, t) for i, h, t, _ in part]),
            ("d(rowid, body)", [(i, t) for i, _, t, _ in part]),
            ("t(rowid, body, cjk)", [(i, t, "") for i, _, t, _ in part]),
            ("v(hash, vector)", [(h, v) for _, h, _, v in part]),
            ("n(rowid, source, embedding)", [(i, "memory", v) for i, _, _, v in part]),
        ):
            marks = ", ".join("?" * len(bound[0]))
            connection.executemany(f"insert into {table} values ({marks})", bound)
        connection.execute("commit")
    connection.close()


def test_a_warm_vector_search_beats_sqlite_vec(tmp_path: Path) -> None:
    texts = [f"t{n}" for n in range(CHUNKS)]
    embedded = random_vectors(texts, SIZE)
    desk = Desk(tmp_path / "store.sqlite")
    store = desk.open()
    with store.build(identity()) as build:
        with build.batch() as writer:
            writer.put_vectors(SPACE, embedded)
            writer.upsert(file_row("a.md"), cut(*texts))
        build.publish()
    query = random_vectors(["query"], SIZE, seed=9)[digest("query")]
    raw = apsw.Connection(str(desk.path))
    probe(True, None).load_into(raw)
    sql = "select rowid, distance from vectors_g1_s1 where embedding match ? and k = 200"

    with store.reader.snapshot() as now:
        for _ in range(3):
            now.nearest(SPACE, query, 200)
        ours = _cpu(lambda _: now.nearest(SPACE, query, 200), 30)
    native = _cpu(lambda _: raw.execute(sql, (query.tobytes(),)).fetchall(), 30)

    raw.close()
    desk.close()
    assert ours <= native
