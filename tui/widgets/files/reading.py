"""What the Files screen asks the engine; each function runs on a worker thread."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

from engine.errors import EngineError, PathError
from tui.glyphs import Glyphs
from tui.widgets.files.chunk_map import ChunkMap
from tui.widgets.files.document import Document
from tui.widgets.files.file_facts import FileFacts
from tui.widgets.files.page import Page, text_cells
from tui.widgets.files.row_map import RowMap

if TYPE_CHECKING:
    from engine.memory import MemoryEngine
    from engine.sources.media_card import MediaCard
    from engine.sources.reading import MemoryText

_WORD = re.compile(r"[A-Za-z0-9]+")
_FIRST_LETTERS = 2
"""Letters at the start of a word that its stem surely keeps."""


class FilesRead(Message):
    """All memory files with their state, as of now; ``workspace`` is where they lie."""

    def __init__(self, files: Sequence[FileFacts], workspace: str) -> None:
        super().__init__()
        self.files = files
        self.workspace = workspace


@dataclass(frozen=True, slots=True)
class Asked:
    """A file to show: at a line, with a range up to ``end_line``, with a query's words marked."""

    path: str
    line: int | None = None
    end_line: int | None = None
    query: str = ""


@dataclass(frozen=True, slots=True)
class Frame:
    """How the view stands that a page is made for: wrapping is done on the worker."""

    width: int
    wraps: bool
    glyphs: Glyphs


class FileRead(Message):
    """A file ready to be shown, its card, or why it is not; ``again`` when it is shown already."""

    def __init__(
        self,
        asked: Asked,
        again: bool,
        page: Page | None,
        hit_lines: Sequence[int],
        error: EngineError | None,
        indexed_chunks: int,
        card: MediaCard | None = None,
    ) -> None:
        super().__init__()
        self.card = card
        self.asked = asked
        self.again = again
        self.page = page
        self.hit_lines = hit_lines
        self.error = error
        self.indexed_chunks = indexed_chunks


class RangeRead(Message):
    """A range as ``memory_get`` returns it, or why it refuses."""

    def __init__(self, text: MemoryText | None, error: EngineError | None) -> None:
        super().__init__()
        self.text = text
        self.error = error


def read_files(engine: MemoryEngine) -> FilesRead:
    """Scan, and say of each file how old it counts as."""
    from engine.ranking.decay import age_of

    decay, now = engine.rank_settings().decay, engine.now_ms()
    files = [
        FileFacts(state, age_of(state.path, state.source, state.mtime_ms or None, decay, now))
        for state in engine.scan()
    ]
    return FilesRead(files, str(engine.roots.workspace))


def read_file(
    engine: MemoryEngine, asked: Asked, frame: Frame, again: bool, indexed_hash: str | None = None
) -> FileRead:
    """Read a file, its chunks and the places of a query's words in it.

    ``indexed_hash`` is the hash of the text that the index holds: with the same text on
    disk, every chunk is current, also where an era leaves something out of its text.
    """
    from engine.sources.media import modality_of
    from engine.sources.reading import file_hash

    rows = engine.chunks(asked.path)
    try:
        if modality_of(asked.path) is not None:
            card = engine.media_card(asked.path)
            return FileRead(asked, again, None, (), None, len(rows), card)
        text = engine.read_text(asked.path)
    except PathError as error:
        return FileRead(asked, again, None, (), error, len(rows))
    document = Document.of(asked.path, text)
    same = indexed_hash is not None and file_hash(text) == indexed_hash
    chunks = ChunkMap.of(rows, document, same=same)
    cells = text_cells(document, frame.width, frame.wraps)
    page = Page(document, chunks, RowMap.of(document, chunks, cells), frame.glyphs)
    page.terms = terms_of(asked.query)
    if asked.end_line is not None:
        page.hit = chunks.ending_at(asked.end_line, asked.line or asked.end_line)
    return FileRead(asked, again, page, hit_lines(document, page.terms), None, len(rows))


def read_range(engine: MemoryEngine, path: str, first: int, count: int) -> RangeRead:
    """Ask for lines as the agent's tool would."""
    try:
        return RangeRead(engine.get(path, first, count), None)
    except PathError as error:
        return RangeRead(None, error)


def terms_of(query: str) -> tuple[str, ...]:
    """The words of a query that are marked."""
    from engine.retrieval.query import query_terms

    return query_terms(query).shown if query.strip() else ()


def hit_lines(document: Document, terms: Sequence[str]) -> list[int]:
    """The 0-based lines that hold a word of the query.

    In plain text each different word is compared once; other lines are read one by one.
    """
    from engine.retrieval.words import spans

    if not terms:
        return []
    text = document.text
    words = {word for word in set(_WORD.findall(text)) if _may_be(word, terms)}
    found: set[int] = set()
    matched = [word for word in words if spans(word, terms)]
    if matched:
        any_of = re.compile(rf"(?<![^\W_])(?:{'|'.join(sorted(matched))})(?![^\W_])")
        found = {document.line_at(match.start()) for match in any_of.finditer(text)}
    if not text.isascii():
        lines = enumerate(document.lines)
        found |= {at for at, line in lines if not line.isascii() and spans(line, terms)}
    return sorted(found)


def _may_be(word: str, terms: Sequence[str]) -> bool:
    """False when a plain word surely has another stem than every term."""
    start = word[:_FIRST_LETTERS].lower()
    return any(term[:_FIRST_LETTERS].lower() == start for term in terms)
