"""Making a new index file: whole and ours from the first moment it bears its name."""

from __future__ import annotations

from pathlib import Path

import apsw

from engine.events import EventSink, StageReached
from engine.store.drafts import draft_path, remove_draft
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
        draft = draft_path(path)
        remove_draft(draft)
        draft.touch(mode=0o600)
        _fill(draft, emit)
        emit(StageReached("draft-made"))
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
