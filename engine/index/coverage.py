"""Every memory file with the state of its index entry, computed from scan and store. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from engine.index.plan import looks_same, only_touched
from engine.sources.found import FoundFile, ScanResult
from engine.status import FileState, FileStateName
from engine.store.contract import FileRow, Unembedded

Dated = Callable[[str], str | None]
"""The date that decay reads from a path, if any."""

_MOST_NAMED = 5
"""Chunks whose lines are named in one reason."""

_Verdict = tuple[FileStateName, str | None]


@dataclass(frozen=True, slots=True)
class Stored:
    """What the published index holds.

    ``unembedded`` are the chunks without a vector where there should be one.
    """

    files: Iterable[FileRow]
    chunk_counts: Mapping[str, int]
    unembedded: Iterable[Unembedded] = ()


@dataclass(frozen=True, slots=True)
class Looked:
    """What a closer look at single files told, by path.

    ``hashes`` are those of files whose size or mtime differs from their row, as they
    are on disk now; ``unreadable`` says why a file could not be read.
    """

    hashes: dict[str, str] = field(default_factory=dict)
    unreadable: dict[str, str] = field(default_factory=dict)


def coverage(
    scan: ScanResult, stored: Stored, looked: Looked, dated: Dated = lambda path: None
) -> tuple[FileState, ...]:
    """The state of every file on disk, in the index or skipped, by path."""
    rows = {row.path: row for row in stored.files}
    gaps = _gaps(stored)
    reasons = {skip.path: skip.reason for skip in scan.skipped}
    states: dict[str, FileState] = {}
    for file in scan.files:
        row = rows.pop(file.path, None)
        verdict = _verdict(file, row, looked) or gaps.get(file.path, ("indexed", None))
        chunks = stored.chunk_counts.get(file.path, 0)
        states[file.path] = _state_on_disk(file, row, verdict, chunks, dated(file.path))
    for path, row in rows.items():
        chunks = stored.chunk_counts.get(path, 0)
        states[path] = _state_gone(row, reasons.get(path), chunks, dated(path))
    for path in reasons.keys() - states.keys():
        states[path] = FileState(path, "memory", 0, 0.0, None, "skipped", 0, reasons[path])
    return tuple(states[path] for path in sorted(states))


def _verdict(file: FoundFile, row: FileRow | None, looked: Looked) -> _Verdict | None:
    """What is wrong with the text of a file in the index; None when it is the same."""
    if file.path in looked.unreadable:
        return "failed", looked.unreadable[file.path]
    if row is None:
        return "new", None
    text_hash = looked.hashes.get(file.path, "")
    if looks_same(file, row) or only_touched(file, text_hash, row):
        return None
    return "changed", None


def _gaps(stored: Stored) -> dict[str, _Verdict]:
    """Files with chunks that have no vector: refused, failed at the last attempt, or waiting."""
    missing: dict[str, list[Unembedded]] = {}
    for row in stored.unembedded:
        missing.setdefault(row.path, []).append(row)
    return {path: _gap(rows, stored.chunk_counts.get(path, 0)) for path, rows in missing.items()}


def _gap(rows: list[Unembedded], chunks: int) -> _Verdict:
    share = f"{len(rows)} of {chunks} chunks"
    if all(row.final for row in rows):
        return "indexed", f"{share} found by keywords only ({_lines(rows)}): {rows[0].error}."
    error = next((row.error for row in rows if row.error and not row.final), None)
    if error is None:
        return "changed", f"{share} not embedded yet; keyword search finds them."
    return "failed", f"{share} not embedded: {error}"


def _lines(rows: list[Unembedded]) -> str:
    """``lines 3-9, 12-30 and 4 more``."""
    named = ", ".join(f"{row.start_line}-{row.end_line}" for row in rows[:_MOST_NAMED])
    more = len(rows) - _MOST_NAMED
    return f"lines {named}" + (f" and {more} more" if more > 0 else "")


def _state_on_disk(
    file: FoundFile, row: FileRow | None, verdict: _Verdict, chunks: int, dated: str | None
) -> FileState:
    return FileState(
        path=file.path,
        source=file.source,
        size=file.size,
        mtime_ms=file.mtime_ms,
        hash=None if row is None else row.hash,
        state=verdict[0],
        chunks=chunks,
        reason=verdict[1],
        dated=dated,
    )


def _state_gone(row: FileRow, reason: str | None, chunks: int, dated: str | None) -> FileState:
    """A stored file that is no longer memory; ``reason`` says why when it is still there."""
    return FileState(
        path=row.path,
        source=row.source,
        size=row.size,
        mtime_ms=row.mtime_ms,
        hash=row.hash,
        state="deleted",
        chunks=chunks,
        reason=reason,
        dated=dated,
    )
