"""From a file on disk to the row and the chunks that are stored of it."""

from __future__ import annotations

from dataclasses import dataclass

from engine.chunking.chunk import ChunkingRules
from engine.chunking.chunker import chunk_file
from engine.sources.found import FoundFile
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
        for c in chunk_file(file.path, text, rules)
    )
    return CutFile(file_row(file, text_hash), chunks)
