"""A mark beside an index in which damage was seen, so that the next start looks closely.

A full check of a large index costs too much for every start.
"""

from __future__ import annotations

import contextlib
from pathlib import Path

import apsw

from engine.store.asking import value


def suspect(path: Path) -> None:
    """Leave the mark; without write access there is none."""
    with contextlib.suppress(OSError):
        mark_path(path).touch()


def check_if_suspected(connection: apsw.Connection, path: Path) -> None:
    """With a mark present, check the file in full; raises CorruptError if damaged."""
    if not mark_path(path).exists():
        return
    verdict = value(connection, "pragma integrity_check(1)")
    mark_path(path).unlink(missing_ok=True)
    if verdict != "ok":
        raise apsw.CorruptError(str(verdict))


def mark_path(path: Path) -> Path:
    """Where the mark of an index lies."""
    return path.with_name(path.name + ".suspect")
