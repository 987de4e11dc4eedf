"""Case deleted-renamed: nothing is left of files that went, and a rename is free."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import apsw
import numpy as np
import pytest
import sqlite_vec
from numpy.typing import NDArray

from engine.embeddings.contract import (
    Cancelled,
    EmbeddedBatch,
    ProviderIdentity,
    ProviderLimits,
)
from tests.cases.desk import case_desk
from tests.cases.inputs import DATA
from tests.engine.index.desk import Desk

RULES = json.loads((DATA / "deleted-renamed/vectors.json").read_text("utf-8"))


class RuledProvider:
    """Gives the vectors that the case's rules name."""

    identity = ProviderIdentity("fake", "rules", "nowhere", RULES["dims"])
    limits = ProviderLimits(100, 1 << 20, 1 << 20)
    remote = False
    vector_floor = 0.0

    def __init__(self) -> None:
        self.texts: list[str] = []

    def embed_documents(self, texts: Sequence[str], cancelled: Cancelled) -> EmbeddedBatch:
        self.texts += texts
        return EmbeddedBatch(tuple(map(self.embed_query, texts)), (), None, 1)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        matching = (rule["vector"] for rule in RULES["rules"] if rule["contains"] in text)
        return np.array(next(matching, RULES["default"]), np.float32)

    def cached_query(self, text: str) -> NDArray[np.float32] | None:
        return self.embed_query(text)

    def close(self) -> None:
        pass


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = case_desk("deleted-renamed", tmp_path)
    yield desk
    desk.close()


def counts(path: Path) -> dict[str, int]:
    """Rows of the published chunk, keyword and vector tables, counted in the file itself."""
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    connection.enable_load_extension(True)
    connection.load_extension(sqlite_vec.loadable_path())
    names = [str(row[0]) for row in connection.execute("select name from sqlite_schema")]
    tables = [n for n in names if re.fullmatch(r"[a-z]+_g\d+(_s\d+)?(_\d+)?", n)]
    count = {n: connection.execute(f"select count(*) from {n}").get for n in sorted(tables)}
    connection.close()
    return {name: int(rows) for name, rows in count.items()}


def test_deleted_and_renamed(desk: Desk) -> None:
    provider = RuledProvider()
    desk.sync(provider)
    sent = len(provider.texts)
    memory = desk.workspace / "memory"
    (memory / "a.md").unlink()
    (memory / "b.md").rename(memory / "d.md")
    report = desk.sync(provider, "watch")
    assert len(provider.texts) == sent
    assert (report.files_indexed, report.files_removed, report.cached) == (1, 2, 1)

    reader = desk.store.reader
    space = provider.identity.key()
    hits = reader.nearest(space, provider.embed_query("tern"), 2)
    rows = reader.rows([hit.rowid for hit in hits])
    assert [rows[hit.rowid].path for hit in hits] == ["memory/d.md", "memory/c.md"]
    assert {row.path for row in reader.files()} == {"memory/c.md", "memory/d.md"}
    assert {row.path for row in reader.chunks()} == {"memory/c.md", "memory/d.md"}
    for table in ("documented", "tuned"):
        assert reader.keyword(table, '"tern"', 5) == []
        assert len(reader.keyword(table, '"word"', 5)) == 2
    health = desk.store.check()
    assert health.sound
    assert health.orphans == 0
    desk.store.close()
    rows_of = counts(desk.store.path)
    assert {name.split("_g")[0] for name in rows_of} >= {"files", "chunks", "documented", "tuned"}
    assert any("vec" in name for name in rows_of)
    assert set(rows_of.values()) == {2}
