"""A real index of some notes, for tests of search: chunked, stored, embedded, readable."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.chunking.chunk import ChunkingRules
from engine.chunking.chunker import chunk_id, chunk_text
from engine.clock import FixedClock
from engine.ranking.pool import CandidatePool
from engine.ranking.rank import rank
from engine.ranking.settings import RankSettings
from engine.ranking.trace import Ranking
from engine.retrieval.legs import VectorLeg
from engine.retrieval.retrieve import retrieve
from engine.sources.reading import decode
from engine.store.contract import FileRow, NewChunk, StoredIdentity, Tokenizer
from engine.store.store import Store

Vector = NDArray[np.float32]
Embed = Callable[[str], Sequence[float]]

NOW_MS = 1_770_724_800_000.0
SPACE = "test-space"
STANDARD = ChunkingRules(400, 80)


@dataclass(frozen=True, slots=True)
class Note:
    """A note to be indexed."""

    path: str
    text: str
    mtime_ms: float = NOW_MS
    source: str = "memory"


@dataclass(frozen=True, slots=True)
class Memory:
    """An index and the embedding that its vectors and queries come from (None: no provider)."""

    store: Store
    embed: Embed | None
    floor: float = 0.0

    def pool(self, query: str, settings: RankSettings) -> CandidatePool:
        """The pool of a query."""
        return retrieve(self.store.reader, query, settings, self.vectors())

    def search(self, query: str, settings: RankSettings, now_ms: float = NOW_MS) -> Ranking:
        """The whole way from a query to its ranking."""
        return rank(self.pool(query, settings), settings, now_ms)

    def vectors(self) -> VectorLeg:
        """The vector leg of this memory."""
        ask = self.vector if self.embed is not None else None
        return VectorLeg(ask, SPACE, "test", "toy", self.floor)

    def vector(self, text: str) -> Vector | None:
        """A vector as a provider gives it: float32, None when it is unusable."""
        assert self.embed is not None
        vector = np.asarray(self.embed(text), dtype=np.float32)
        return vector if np.any(vector) else None


def build(
    file: Path,
    notes: Sequence[Note],
    embed: Embed | None = None,
    *,
    rules: ChunkingRules = STANDARD,
    vector_enabled: bool = True,
    floor: float = 0.0,
    tokenizer: Tokenizer = "unicode61",
) -> Memory:
    """Index notes into a new file."""
    store = Store.open(
        file,
        vector_enabled=vector_enabled,
        events=lambda event: None,
        clock=FixedClock(NOW_MS),
    )
    memory = Memory(store, embed, floor)
    with store.build(_identity(embed, tokenizer)) as building:
        for start in range(0, len(notes), 200):
            with building.batch() as writer:
                for note in notes[start : start + 200]:
                    row, chunks = rows_of(note, rules)
                    writer.upsert(row, chunks)
                    if embed is not None:
                        writer.put_vectors(SPACE, _vectors(memory, chunks))
        building.publish()
    return memory


def rows_of(note: Note, rules: ChunkingRules = STANDARD) -> tuple[FileRow, list[NewChunk]]:
    """A note as the store takes it."""
    return _row(note), _chunks(note, rules)


def notes_below(folder: Path, source: str = "memory") -> list[Note]:
    """The Markdown files of a workspace as notes."""
    return [
        Note(path.relative_to(folder).as_posix(), decode(path.read_bytes()), source=source)
        for path in sorted(folder.rglob("*.md"))
    ]


def _identity(embed: Embed | None, tokenizer: Tokenizer) -> StoredIdentity:
    provider = ("test", "toy") if embed is not None else ("none", "")
    space = SPACE if embed is not None else ""
    return StoredIdentity(STANDARD.fingerprint(), tokenizer, space, *provider, "", None)


def _row(note: Note) -> FileRow:
    data = note.text.encode("utf-8", "replace")
    return FileRow(note.path, note.source, sha256(data).hexdigest(), len(data), note.mtime_ms)


def _chunks(note: Note, rules: ChunkingRules) -> list[NewChunk]:
    """Chunks of one id are stored once, as in the original."""
    unique = {chunk_id(note.source, note.path, c, ""): c for c in chunk_text(note.text, rules)}
    return [
        NewChunk(index, c.start_line, c.end_line, c.hash, c.text)
        for index, c in enumerate(unique.values())
    ]


def _vectors(memory: Memory, chunks: Sequence[NewChunk]) -> Mapping[str, Vector]:
    found = {chunk.hash: memory.vector(chunk.text) for chunk in chunks}
    return {hash_: vector for hash_, vector in found.items() if vector is not None}
