"""What a sync has to do: the difference between the disk and the index. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine.sources.found import FoundFile
from engine.store.contract import FileRow


@dataclass(frozen=True, slots=True)
class SyncPlan:
    """Files by what has to be done with them.

    ``suspect`` files differ from their row in size or mtime: only their hash can tell
    whether they changed, and only they are read for it. ``deleted`` are stored paths.
    """

    new: tuple[FoundFile, ...]
    suspect: tuple[FoundFile, ...]
    unchanged: tuple[FoundFile, ...]
    deleted: tuple[str, ...]

    @property
    def to_read(self) -> tuple[FoundFile, ...]:
        """The files whose text is needed."""
        return self.new + self.suspect

    @property
    def bytes_to_read(self) -> int:
        """Their size in bytes."""
        return sum(file.size for file in self.to_read)


def make_plan(found: Iterable[FoundFile], stored: Iterable[FileRow]) -> SyncPlan:
    """Compare a scan with the stored files by path, source, size and mtime."""
    rows = {row.path: row for row in stored}
    new: list[FoundFile] = []
    suspect: list[FoundFile] = []
    unchanged: list[FoundFile] = []
    for file in found:
        row = rows.pop(file.path, None)
        if row is None:
            new.append(file)
        elif looks_same(file, row):
            unchanged.append(file)
        else:
            suspect.append(file)
    return SyncPlan(tuple(new), tuple(suspect), tuple(unchanged), tuple(rows))


def everything(found: Iterable[FoundFile]) -> SyncPlan:
    """The plan of a new generation: every file is read and cut anew."""
    return SyncPlan(tuple(found), (), (), ())


def looks_same(file: FoundFile, row: FileRow) -> bool:
    """True when a row describes the file on disk without a look at its text."""
    return file.size == row.size and file.mtime_ms == row.mtime_ms and file.source == row.source


def only_touched(file: FoundFile, text_hash: str, row: FileRow | None) -> bool:
    """True when a suspect file holds the text that is already indexed."""
    return row is not None and row.hash == text_hash and row.source == file.source
