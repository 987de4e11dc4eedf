"""The seams of storage: what an index reader and an index writer must offer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

from engine.chunking.annotations import NO_ANNOTATIONS, Annotations

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from engine.events import SyncReport
    from engine.status import SourceCount
    from engine.store.job_contract import JobLedger

    Vector = NDArray[np.float32]

KeywordTable = Literal["documented", "tuned"]
Tokenizer = Literal["unicode61", "trigram"]


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
    annotations: Annotations = NO_ANNOTATIONS


class ListedChunk(NamedTuple):
    """A chunk and its file's time as a search lists them; ``place`` is the chunk's index.

    ``importance`` and ``projects`` are as stored; ``annotated.projects_of`` reads the latter.

    A tuple, because every search makes hundreds of them, most of which nobody looks at.
    """

    rowid: int
    path: str
    source: str
    start_line: int
    end_line: int
    hash: str
    text: str
    place: int
    mtime_ms: float | None
    importance: int | None = None
    projects: str | None = None


class KeywordHit(NamedTuple):
    """A row that matched, with FTS5's raw bm25 (negative, lower is better)."""

    rowid: int
    bm25: float


class KeywordPass(NamedTuple):
    """The best rows of a MATCH in order, and the bm25 of these and of other rows asked for."""

    best: Sequence[int]
    scores: Mapping[int, float]


class VectorHit(NamedTuple):
    """A row near the query, with its cosine (-1..1)."""

    rowid: int
    cosine: float


@dataclass(frozen=True, slots=True)
class Unembedded:
    """A chunk of the published index without a vector in a space.

    ``error`` is what the last attempt to embed its text said, None when there was none:
    the difference between "failed" and "pending", also for the next process. ``final``
    marks a refusal of this very text, which another attempt would not change. The lines
    are 1-based and inclusive.
    """

    rowid: int
    path: str
    hash: str
    error: str | None
    final: bool = False
    start_line: int = 1
    end_line: int = 1


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
    input_type: str | None = None
    """The document input type; part of the vector space."""


@dataclass(frozen=True, slots=True)
class StoreCounts:
    """Sizes of the published index and of the vector cache.

    ``vectors`` and ``tokens`` are by vector space: stored vectors, and tokens that
    providers charged for them. ``file_bytes`` counts the file and its log.
    """

    files: int
    chunks: int
    sources: tuple[SourceCount, ...]
    vectors: Mapping[str, int]
    tokens: Mapping[str, int]
    cache_entries: int
    file_bytes: int
    generation: int
    revision: int


class IndexReader(Protocol):
    """Reads one consistent state of the published index; safe from any thread."""

    def snapshot(self) -> AbstractContextManager[IndexReader]:
        """All reads inside see one revision of one generation."""
        ...

    def warm(self) -> None:
        """Bring what frequent searches keep in memory up to the present state."""
        ...

    def revision(self) -> int:
        """Counts up with every published change; 0 for an index never written."""
        ...

    def generation(self) -> int:
        """The number of the published generation; 0 when there is none."""
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

    def chunk_counts(self) -> Mapping[str, int]:
        """Chunks per path of the published index; files without chunks may be absent."""
        ...

    def unembedded(self, space: str) -> list[Unembedded]:
        """The chunks that have no vector in that space, in order of path and emission."""
        ...

    def rows(self, rowids: Sequence[int]) -> Mapping[int, ChunkRow]:
        """Chunks by row number; unknown numbers are left out."""
        ...

    def listed(self, rowids: Sequence[int]) -> Mapping[int, ListedChunk]:
        """What a search needs of these rows; unknown numbers are left out."""
        ...

    def keyword(
        self, table: KeywordTable, match: str, limit: int, source: str | None = None
    ) -> list[KeywordHit]:
        """The best ``limit`` rows for an FTS5 MATCH string, best first. Raises StoreError."""
        ...

    def containing(
        self, match: str | None, parts: Sequence[str], limit: int, source: str | None = None
    ) -> list[KeywordHit]:
        """As ``keyword`` on the documented table, of the rows that contain every part.

        ASCII letters are compared without case. With no ``match`` the bm25 is 0.0.
        """
        ...

    def paths_with(
        self, match: str | None, parts: Sequence[str], limit: int, source: str | None = None
    ) -> list[KeywordHit]:
        """First chunks of the files whose path matches and contains every part, best first.

        The bm25 is that of the path among all paths, 0.0 without a ``match``.
        """
        ...

    def files_named(self, name: str, source: str | None = None) -> list[int]:
        """First chunks of the files whose path, file name or stem is ``name``, as folded by
        ``ranking.file_names.folded_name``.
        """
        ...

    def keyword_pass(
        self,
        table: KeywordTable,
        match: str,
        limit: int,
        source: str | None = None,
        also: Sequence[int] = (),
    ) -> KeywordPass:
        """``keyword`` and ``keyword_scores`` of the rows ``also`` in one. Raises StoreError."""
        ...

    def chunk_total(self) -> int:
        """The number of chunks; counted once a revision."""
        ...

    def frequencies(self, table: KeywordTable, matches: Sequence[str]) -> Mapping[str, int]:
        """How many chunks each MATCH string finds; counted once a revision."""
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


@dataclass(frozen=True, slots=True)
class NewChunk:
    """A chunk to be stored; lines 1-based and inclusive, ``hash`` SHA-256 of the text."""

    index: int
    start_line: int
    end_line: int
    hash: str
    text: str
    annotations: Annotations = NO_ANNOTATIONS


class IndexWriter(Protocol):
    """One write transaction on one generation; committed when the context ends well."""

    @property
    def generation(self) -> int:
        """The number of the generation that is written."""
        ...

    def upsert(self, file: FileRow, chunks: Sequence[NewChunk]) -> tuple[int, int]:
        """Replace a file and all its chunks; returns chunks (added, removed)."""
        ...

    def touch(self, file: FileRow) -> None:
        """Record a new size and mtime of a file whose text is unchanged."""
        ...

    def delete(self, paths: Iterable[str]) -> int:
        """Remove files with chunks, keyword rows and vector rows; returns chunks removed."""
        ...

    def put_vectors(self, space: str, vectors: Mapping[str, Vector]) -> None:
        """Store vectors (float32, one dimension per space) by chunk hash; the durable cache.

        Forgets what ``note_failures`` recorded for these hashes.
        """
        ...

    def note_failures(self, space: str, errors: Mapping[str, str], *, final: bool = False) -> None:
        """Record by chunk hash why the last attempt to embed it gave no vector.

        ``final`` for texts that the provider refuses; False when it failed as a whole.
        """
        ...


class GenerationBuild(Protocol):
    """A new generation beside the published one; holds the rebuild lock until it ends."""

    def batch(self) -> AbstractContextManager[IndexWriter]:
        """One transaction of at most about 500 chunks into the new generation."""
        ...

    def publish(self, told: Callable[[], None] = ...) -> int:
        """Point readers at the new generation in one transaction; returns the revision.

        ``told`` is called as soon as readers see it, before the old one is cleaned up.
        """
        ...

    def abandon(self) -> None:
        """Drop what was built; the published generation is untouched."""
        ...


class IndexStore(Protocol):
    """The index file as the indexer sees it."""

    @property
    def jobs(self) -> JobLedger:
        """The batch jobs that are out at a provider."""
        ...

    @property
    def reader(self) -> IndexReader:
        """The reader of the published index."""
        ...

    def write(self) -> AbstractContextManager[IndexWriter]:
        """One transaction on the published generation; ends with a new revision."""
        ...

    def build(self, identity: StoredIdentity) -> GenerationBuild:
        """Begin a new generation. Raises StoreError when another process is rebuilding."""
        ...

    def known_vectors(self, space: str, hashes: Iterable[str]) -> set[str]:
        """Which of the chunk hashes already have a vector in that space."""
        ...

    def adopt(self, identity: StoredIdentity) -> int:
        """Give the published generation another vector space or tokenizer; chunks stay.

        Returns the revision. Raises StoreError when the chunking differs.
        """
        ...

    def record_sync(self, report: SyncReport) -> None:
        """Remember a finished sync and what it did to each file."""
        ...

    def last_sync(self) -> SyncReport | None:
        """The report of the last finished sync, of whichever process."""
        ...

    def sync_count(self) -> int:
        """How many syncs have been recorded, of all processes."""
        ...

    def add_tokens(self, space: str, tokens: int) -> None:
        """Count tokens that a provider charged for filling a space."""
        ...

    def note(self, name: str) -> str | None:
        """The text that another part keeps under a name; None when there is none."""
        ...

    def keep_note(self, name: str, change: Callable[[str | None], str | None]) -> bool:
        """Change such a text in one transaction; False where the index may not be written."""
        ...

    def remember_space(self, identity: StoredIdentity) -> None:
        """Note what a vector space is made with that is not the published index's own."""
        ...
