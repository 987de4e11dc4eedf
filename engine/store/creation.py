"""Making a new index file: whole and ours from the first moment it bears its name."""

from __future__ import annotations

from pathlib import Path

import apsw

from engine.events import EventSink
from engine.store.lock import wait_for_lock
from engine.store.schema import migrate


def create(path: Path, emit: EventSink) -> None:
    """Put an empty index at that path, unless one is there; an empty file counts as none.

    SQLite would write a header without our mark first: killed just then, we would take
    the file for another program's. So it is made under another name.
    """
    lock = wait_for_lock(path)
    try:
        if path.exists() and path.stat().st_size > 0:
            return
        draft = path.with_name(path.name + ".new")
        for suffix in ("-wal", "-shm", "-journal", ""):
            draft.with_name(draft.name + suffix).unlink(missing_ok=True)
        draft.touch(mode=0o600)
        _fill(draft, emit)
        draft.replace(path)
    finally:
        lock.release()


def _fill(draft: Path, emit: EventSink) -> None:
    connection = apsw.Connection(str(draft))
    try:
        connection.pragma("auto_vacuum", "incremental")  # works before the first table only
        migrate(connection, draft, emit)
        connection.pragma("journal_mode", "wal")
    finally:
        connection.close()
