"""Cutting a text into chunks, by the rules of a dialect."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

from engine.chunking.chunk import Chunk, ChunkingRules
from engine.chunking.dialects import DIALECTS
from engine.chunking.segments import Cut
from engine.chunking.utf16 import well_formed, width
from engine.errors import EngineError

MAX_CHUNK_BYTES = 8_000
"""A chunk of more UTF-8 bytes is cut again: the smallest input limit of the usual providers."""

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
    """All chunks of a text that is no file of a memory. As ``chunk_file`` otherwise."""
    return chunk_file("", text, rules)


def chunk_file(path: str, text: str, rules: ChunkingRules) -> list[Chunk]:
    """All chunks of a file's text, in order of emission; blank ones are dropped.

    ``path`` is the one of the index: later dialects treat the curated files at the root
    (MEMORY.md, USER.md) and Markdown notes in ways of their own. Any text will do,
    surrogate halves included (they become U+FFFD). Raises UnknownDialectError.
    """
    dialect = DIALECTS.get(rules.dialect)
    if dialect is None:
        raise UnknownDialectError(
            "Unknown chunking rules",
            f"There is no chunking dialect {rules.dialect!r}.",
            f"Known dialects: {', '.join(DIALECTS)}.",
        )
    chunks: list[Chunk] = []
    for cut in dialect(path, well_formed(text), rules):
        if cut.text.strip(_BLANK):
            _emit(chunks, cut)
    return chunks


def chunk_id(source: str, path: str, chunk: Chunk, model: str) -> str:
    """The documented id: SHA-256 of ``source:path:start:end:hash:model``.

    Chunks of a file with the same lines and the same text share one id.
    """
    key = f"{source}:{path}:{chunk.start_line}:{chunk.end_line}:{chunk.hash}:{model}"
    return sha256(well_formed(key).encode()).hexdigest()


def _emit(chunks: list[Chunk], cut: Cut) -> None:
    data = cut.text.encode()
    pieces = (data,) if len(data) <= MAX_CHUNK_BYTES else _byte_limited(data)
    for piece in pieces:
        text = cut.text if piece is data else piece.decode()
        chunks.append(
            Chunk(
                index=len(chunks),
                start_line=cut.start_line,
                end_line=cut.end_line,
                text=text,
                hash=sha256(piece).hexdigest(),
                utf16=width(text),
                annotations=cut.annotations,
            )
        )


def _byte_limited(data: bytes) -> Iterator[bytes]:
    """UTF-8 cut into pieces of at most MAX_CHUNK_BYTES, at code point borders."""
    start = 0
    while start < len(data):
        end = min(len(data), start + MAX_CHUNK_BYTES)
        while end < len(data) and data[end] & 0xC0 == 0x80:
            end -= 1
        yield data[start:end]
        start = end
