"""The seams of storage: what an index reader and an index writer must offer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]

KeywordTable = Literal["documented", "tuned"]


@dataclass(frozen=True, slots=True)
class FileRow:
    """A file of the published index; ``hash`` is SHA-256 of its decoded text in UTF-8."""

    path: str
    source: str
    hash: str
    size: int
    mtime_ms: float


@dataclass(frozen=True, slots=True)
class ChunkRow:
    """A chunk of the published index; ``rowid`` is its number in this generation."""

    rowid: int
    path: str
    source: str
    start_line: int
    end_line: int
    hash: str
    text: str
    index: int


@dataclass(frozen=True, slots=True)
class KeywordHit:
    """A row that matched, with FTS5's raw bm25 (negative, lower is better)."""

    rowid: int
    bm25: float


@dataclass(frozen=True, slots=True)
class VectorHit:
    """A row near the query, with its cosine (-1..1)."""

    rowid: int
    cosine: float


@dataclass(frozen=True, slots=True)
class StoredIdentity:
    """What the published generation was built with."""

    chunking: str
    tokenizer: str
    vector_space: str
    provider: str
    model: str
    endpoint: str
    dimensions: int | None


class IndexReader(Protocol):
    """Reads one consistent state of the published index; safe from any thread."""

    def snapshot(self) -> AbstractContextManager[IndexReader]:
        """All reads inside see one revision of one generation."""
        ...

    def revision(self) -> int:
        """Counts up with every published change; 0 for an index never written."""
        ...

    def identity(self) -> StoredIdentity | None:
        """What the published generation was built with; None when there is none."""
        ...

    def files(self) -> list[FileRow]:
        """All files, by path."""
        ...

    def chunks(self, path: str | None = None) -> list[ChunkRow]:
        """The chunks of a file in order of emission; without a path all chunks."""
        ...

    def rows(self, rowids: Sequence[int]) -> Mapping[int, ChunkRow]:
        """Chunks by row number; unknown numbers are left out."""
        ...

    def keyword(
        self, table: KeywordTable, match: str, limit: int, source: str | None = None
    ) -> list[KeywordHit]:
        """The best ``limit`` rows for an FTS5 MATCH string, best first. Raises StoreError."""
        ...

    def keyword_scores(
        self, table: KeywordTable, match: str, rowids: Sequence[int]
    ) -> Mapping[int, float]:
        """bm25 of those of the given rows that match (completion)."""
        ...

    def nearest(
        self, space: str, query: Vector, limit: int, source: str | None = None
    ) -> list[VectorHit]:
        """The best ``limit`` rows of a vector space by cosine, best first; exact."""
        ...

    def cosines(self, space: str, query: Vector, rowids: Sequence[int]) -> Mapping[int, float]:
        """Cosines of the given rows that have a vector in that space (completion)."""
        ...


class IndexWriter(Protocol):
    """Changes the index; one at a time across processes."""

    def upsert(self, file: FileRow, chunks: Sequence[ChunkRow]) -> None:
        """Replace a file and all its chunks."""
        ...

    def delete(self, paths: Iterable[str]) -> None:
        """Remove files with their chunks, keyword rows and vectors."""
        ...

    def publish(self) -> int:
        """Make everything written so far visible at once; returns the revision."""
        ...
