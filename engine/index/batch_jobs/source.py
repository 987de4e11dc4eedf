"""Where the texts for batch jobs come from; read again for each job, never held all at once.

Media files go by plain requests.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Protocol

from engine.errors import PathError
from engine.index.cutting import distinct_chunks
from engine.index.packs import Text
from engine.sources.media import modality_of
from engine.sources.reading import read_found

if TYPE_CHECKING:
    from engine.chunking.chunk import Chunk, ChunkingRules
    from engine.sources.found import FoundFile
    from engine.store.contract import IndexReader

_ROWS = 500


class Source(Protocol):
    """Texts that may lack a vector."""

    def hashes(self) -> list[str]:
        """Each different one by its chunk hash, in a stable order."""
        ...

    def texts(self, wanted: Sequence[str]) -> Iterator[Text]:
        """Those of them that are wanted and still there, each once."""
        ...


class UnembeddedRows:
    """The chunks of the published index without a vector, but for texts that are refused."""

    def __init__(self, reader: IndexReader, space: str) -> None:
        self._reader = reader
        self._space = space

    def hashes(self) -> list[str]:
        """Their texts."""
        return list(self._rows())

    def texts(self, wanted: Sequence[str]) -> Iterator[Text]:
        """Read some hundred at a time."""
        found = self._rows()
        numbers = [found[each] for each in wanted if each in found]
        for at in range(0, len(numbers), _ROWS):
            for row in self._reader.rows(numbers[at : at + _ROWS]).values():
                yield row.hash, row.text

    def _rows(self) -> dict[str, int]:
        rows = self._reader.unembedded(self._space)
        waiting = [row for row in rows if not row.final and modality_of(row.path) is None]
        return {row.hash: row.rowid for row in reversed(waiting)}


class FilesOnDisk:
    """The chunks that a rebuild by these rules will make of the files."""

    def __init__(self, files: Sequence[FoundFile], rules: ChunkingRules) -> None:
        self._files = files
        self._rules = rules

    def hashes(self) -> list[str]:
        """Their texts."""
        return list(dict.fromkeys(chunk.hash for chunk in self._chunks()))

    def texts(self, wanted: Sequence[str]) -> Iterator[Text]:
        """Cut anew from the files as they are now."""
        left = set(wanted)
        for chunk in self._chunks():
            if chunk.hash in left:
                left.discard(chunk.hash)
                yield chunk.hash, chunk.text

    def _chunks(self) -> Iterator[Chunk]:
        for file in self._files:
            if modality_of(file.path) is not None:
                continue
            try:
                text, file_hash = read_found(file)
            except PathError:  # vanished or locked since the scan
                continue
            yield from distinct_chunks(file.path, text, self._rules, file_hash)
