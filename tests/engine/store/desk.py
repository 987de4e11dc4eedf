"""A store in a temporary folder, with short ways to fill it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import apsw
import numpy as np

from engine.clock import FixedClock
from engine.events import EngineEvent, Notice, StageReached
from engine.store.contract import FileRow, NewChunk, StoredIdentity, Tokenizer
from engine.store.generation import Generation, published
from engine.store.store import Store

if TYPE_CHECKING:
    from engine.store.contract import Vector

SPACE = "space-a"
OTHER_SPACE = "space-b"


def identity(
    space: str = SPACE, tokenizer: str = "unicode61", chunking: str = "2026.3:400/80"
) -> StoredIdentity:
    """An identity that differs only in what a test is about."""
    return StoredIdentity(chunking, tokenizer, space, "fake", "model", "", None)


def digest(text: str) -> str:
    """The hash of a chunk's text."""
    return hashlib.sha256(text.encode()).hexdigest()


def file_row(path: str, source: str = "memory", mtime_ms: float = 1.5) -> FileRow:
    """A file of that path."""
    return FileRow(path, source, digest(ascii(path)), 10, mtime_ms)


def cut(*texts: str) -> list[NewChunk]:
    """One chunk a text."""
    return [NewChunk(at, at + 1, at + 2, digest(t), t) for at, t in enumerate(texts)]


def vectors(**by_text: Sequence[float]) -> dict[str, Vector]:
    """Vectors by the hash of their text."""
    return {digest(text): np.asarray(v, dtype=np.float32) for text, v in by_text.items()}


def random_vectors(texts: Sequence[str], size: int = 16, seed: int = 1) -> dict[str, Vector]:
    """A vector for each text, the same for the same seed."""
    made = np.random.default_rng(seed).standard_normal((len(texts), size)).astype(np.float32)
    return {digest(text): made[at] for at, text in enumerate(texts)}


@dataclass
class Desk:
    """Opens stores on one path and keeps what they tell."""

    path: Path
    clock: FixedClock = field(default_factory=lambda: FixedClock(1_770_000_000_000.0))
    events: list[EngineEvent] = field(default_factory=list)
    opened: list[Store] = field(default_factory=list)

    def open(
        self,
        *,
        tokenizer: Tokenizer = "unicode61",
        vector_enabled: bool = True,
        extension_path: str | None = None,
        cache_max: int | None = None,
        max_bytes: int | None = None,
    ) -> Store:
        """Open the store; closed when the test ends."""
        store = Store.open(
            self.path,
            tokenizer=tokenizer,
            vector_enabled=vector_enabled,
            extension_path=extension_path,
            cache_max=cache_max,
            max_bytes=max_bytes,
            events=self.events.append,
            clock=self.clock,
        )
        self.opened.append(store)
        return store

    @property
    def stages(self) -> list[str]:
        """The named points passed so far."""
        return [event.name for event in self.events if isinstance(event, StageReached)]

    @property
    def notices(self) -> list[str]:
        """What a person was told."""
        return [event.text for event in self.events if isinstance(event, Notice)]

    def close(self) -> None:
        """Close everything that was opened."""
        for store in self.opened:
            store.close()


def publish(
    store: Store,
    notes: Mapping[str, Sequence[str]],
    embedded: Mapping[str, Vector] | None = None,
    *,
    wanted: StoredIdentity | None = None,
    source: str = "memory",
) -> int:
    """Build and publish a generation of notes (path to chunk texts); returns the revision."""
    wanted = wanted or identity()
    with store.build(wanted) as build:
        with build.batch() as writer:
            writer.put_vectors(wanted.vector_space, embedded or {})
            for path, texts in notes.items():
                writer.upsert(file_row(path, source), cut(*texts))
        return build.publish()


def texts_found(store: Store, match: str, table: str = "tuned") -> list[str]:
    """The texts that a MATCH finds, best first."""
    assert table in ("tuned", "documented")
    with store.reader.snapshot() as now:
        hits = now.keyword("tuned" if table == "tuned" else "documented", match, 100)
        rows = now.rows([hit.rowid for hit in hits])
    return [rows[hit.rowid].text for hit in hits]


def look_inside(path: Path) -> apsw.Connection:
    """A plain connection without sqlite-vec, as any other program has it."""
    return apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)


def assert_sound(path: Path) -> Generation | None:
    """All of SQLite's own checks pass, and only the published generation is there."""
    connection = look_inside(path)
    try:
        assert connection.execute("pragma integrity_check").fetchall() == [("ok",)]
        generation = published(connection)
        numbers = {n for (n,) in connection.execute("select id from generations")}
        assert numbers == ({generation.number} if generation else set())
        if generation is None:
            return None
        count = f"select count(*) from {generation.chunks}"
        chunks = connection.execute(count).get
        for table in (generation.documented, generation.tuned):
            # With rank 1 FTS5 compares itself with the text it was made from.
            connection.execute(f"insert into {table}({table}, rank) values ('integrity-check', 1)")
            assert connection.execute(f"select count(*) from {table}_docsize").get == chunks
        return generation
    finally:
        connection.close()
