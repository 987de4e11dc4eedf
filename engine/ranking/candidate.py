"""A chunk that some leg of retrieval found, with everything ranking needs to know of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

VECTOR_LEG = "vector"


@dataclass(frozen=True, slots=True)
class LegHit:
    """What one keyword leg says of a chunk.

    ``bm25`` is FTS5's raw rank (negative, lower is better). ``position`` is the
    0-based place in the leg's own list, or None when the leg's list did not
    reach the chunk and the score was filled in afterwards ("completed").
    """

    bm25: float
    position: int | None


@dataclass(frozen=True, slots=True)
class Candidate:
    """One chunk of the pool.

    ``cosine`` is None when the chunk or the query has no usable vector;
    ``vector_position`` is its 0-based place in the vector leg, None when only
    completed. ``legs`` maps the name of a keyword leg to its verdict; a chunk
    that a leg does not match is absent there. Lines are 1-based and inclusive.
    """

    chunk_id: str
    path: str
    source: str
    start_line: int
    end_line: int
    text: str
    mtime_ms: float | None
    cosine: float | None
    vector_position: int | None
    legs: Mapping[str, LegHit]
    importance: int | None = None
    """1..10 as a comment of the note says, None without one."""
    projects: tuple[str, ...] = ()
    """Keys of the projects that the chunk belongs to, in lower case."""
    media: bool = False
    """True for a picture or a recording, whose text is no more than its name."""
    withheld: bool = False
    """True when the note's project comment is broken: 2026.9 never shows such a chunk."""
