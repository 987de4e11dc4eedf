"""Cutting a text into chunks, by the rules of February and March 2026."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256

from engine.chunking.chunk import Chunk, ChunkingRules
from engine.chunking.lines import cut_lines
from engine.chunking.segments import Cut, cut_segments, segment
from engine.chunking.utf16 import well_formed, width
from engine.errors import EngineError

MAX_CHUNK_BYTES = 8_000
"""A chunk of more UTF-8 bytes is cut again: the smallest input limit of the usual providers."""

_UNITS_PER_TOKEN = 4
_LEAST_UNITS = 32

# What the original trims: the white space and line ends of ECMAScript. str.strip() without
# arguments differs: it also takes U+001C to U+001F and U+0085, and leaves U+FEFF.
_BLANK = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)


class UnknownDialectError(EngineError, ValueError):
    """Chunking rules that name a rule set which does not exist."""

    kind = "chunking"


def chunk_text(text: str, rules: ChunkingRules) -> list[Chunk]:
    """All chunks of a text, in order of emission; blank ones are dropped.

    Any text will do, surrogate halves included (they become U+FFFD).
    Raises UnknownDialectError for a dialect other than "2026.3".
    """
    if rules.dialect != "2026.3":
        raise UnknownDialectError(
            "Unknown chunking rules",
            f"There is no chunking dialect {rules.dialect!r}.",
            'The known dialect is "2026.3".',
        )
    chunks: list[Chunk] = []
    for cut in _cuts(well_formed(text), rules):
        if cut.text.strip(_BLANK):
            _emit(chunks, cut)
    return chunks


def chunk_id(source: str, path: str, chunk: Chunk, model: str) -> str:
    """The documented id: SHA-256 of ``source:path:start:end:hash:model``.

    Chunks of a file with the same lines and the same text share one id.
    """
    key = f"{source}:{path}:{chunk.start_line}:{chunk.end_line}:{chunk.hash}:{model}"
    return sha256(well_formed(key).encode()).hexdigest()


def _cuts(text: str, rules: ChunkingRules) -> Iterable[Cut]:
    limit = max(_LEAST_UNITS, rules.tokens * _UNITS_PER_TOKEN)
    overlap = max(0, rules.overlap * _UNITS_PER_TOKEN)
    cuts = cut_lines(text, limit, overlap) if width(text) == len(text) else None
    return cut_segments(segment(text, limit), limit, overlap) if cuts is None else cuts


def _emit(chunks: list[Chunk], cut: Cut) -> None:
    data = cut.text.encode()
    start, end = cut.start_line, cut.end_line
    if len(data) <= MAX_CHUNK_BYTES:
        digest = sha256(data).hexdigest()
        chunks.append(Chunk(len(chunks), start, end, cut.text, digest, cut.utf16))
        return
    for piece in _byte_limited(data):
        text = piece.decode()
        digest = sha256(piece).hexdigest()
        chunks.append(Chunk(len(chunks), start, end, text, digest, width(text)))


def _byte_limited(data: bytes) -> Iterator[bytes]:
    """UTF-8 cut into pieces of at most MAX_CHUNK_BYTES, at code point borders."""
    start = 0
    while start < len(data):
        end = min(len(data), start + MAX_CHUNK_BYTES)
        while end < len(data) and data[end] & 0xC0 == 0x80:
            end -= 1
        yield data[start:end]
        start = end
