"""From a file on disk to the row and the chunks that are stored of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine.chunking.chunk import Chunk, ChunkingRules
from engine.chunking.chunker import chunk_file
from engine.chunking.utf16 import width
from engine.sources.found import FoundFile
from engine.sources.media import modality_of
from engine.store.contract import FileRow, NewChunk


@dataclass(frozen=True, slots=True)
class CutFile:
    """A file as it goes into the store; its row keeps the size and mtime of the scan.

    A file that changes between scan and reading is stored with the older mtime, so the
    next scan looks at it again.
    """

    row: FileRow
    chunks: tuple[NewChunk, ...]


def file_row(file: FoundFile, text_hash: str) -> FileRow:
    """The stored row of a scanned file."""
    return FileRow(file.path, file.source, text_hash, file.size, file.mtime_ms)


def cut(file: FoundFile, text: str, text_hash: str, rules: ChunkingRules) -> CutFile:
    """Chunk the text of a file."""
    chunks = tuple(
        NewChunk(c.index, c.start_line, c.end_line, c.hash, c.text, c.annotations)
        for c in distinct_chunks(file.path, text, rules, text_hash)
    )
    return CutFile(file_row(file, text_hash), chunks)


def distinct_chunks(path: str, text: str, rules: ChunkingRules, file_hash: str) -> Iterator[Chunk]:
    """The chunks of a file, each place and text once, as the originals store them.

    A very long line of repeated text would otherwise fill a whole answer with itself.
    A media file is one chunk with the hash of the file, because its text says little.
    """
    if modality_of(path) is not None:
        yield Chunk(0, 1, 1, text, file_hash, width(text))
        return
    seen: set[tuple[int, int, str]] = set()
    for chunk in chunk_file(path, text, rules):
        place = (chunk.start_line, chunk.end_line, chunk.hash)
        if place not in seen:
            seen.add(place)
            yield chunk
