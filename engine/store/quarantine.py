"""Moving a damaged index out of the way."""

from __future__ import annotations

import datetime
from pathlib import Path

from engine.clock import Clock
from engine.events import EventSink, Notice
from engine.store.lock import take_lock

_PARTS = ("-wal", "-shm", "-journal", "")
"""The log goes first: it must never meet a new file of the same name."""


def move_aside(path: Path, inode: int, why: str, emit: EventSink, clock: Clock) -> None:
    """Rename a damaged index with its side files, and say so.

    Nothing happens when another process has done it already (the file is another one).
    Raises StoreError while another process is rebuilding it.
    """
    lock = take_lock(path)
    try:
        if not path.exists() or path.stat().st_ino != inode:
            return
        moment = datetime.datetime.fromtimestamp(clock.now_ms() / 1000, datetime.UTC)
        aside = path.with_name(f"{path.name}.damaged-{moment:%Y%m%dT%H%M%S}")
        for suffix in _PARTS:
            part = path.with_name(path.name + suffix)
            if part.exists():
                part.rename(aside.with_name(aside.name + suffix))
    finally:
        lock.release()
    emit(
        Notice(
            "warning",
            f"The index {path} was damaged ({why}). It was moved to {aside.name} in the same "
            "folder, and a new index is begun. The memory files themselves are not affected.",
        )
    )
