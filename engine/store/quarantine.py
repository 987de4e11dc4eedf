"""Moving a damaged index out of the way."""

from __future__ import annotations

import datetime
import itertools
from pathlib import Path

from engine.clock import Clock
from engine.events import EventSink, Notice, StageReached
from engine.store.lock import take_lock

_PARTS = ("-wal", "-shm", "-journal", "")
"""The log goes first: it must never meet a new file of the same name."""


def move_aside(path: Path, inode: int, why: str, emit: EventSink, clock: Clock) -> Path | None:
    """Rename a damaged index with its side files, say so, and return its new place.

    None when another process has done it already (the file is another one). Raises
    StoreError while another process is rebuilding it.
    """
    lock = take_lock(path)
    try:
        if not path.exists() or path.stat().st_ino != inode:
            return None
        aside = _free_name(path, clock)
        for suffix in _PARTS:
            part = _side(path, suffix)
            if part.exists():
                part.rename(_side(aside, suffix))
            emit(StageReached("moving-aside"))
    finally:
        lock.release()
    emit(
        Notice(
            "warning",
            f"The index {path} was damaged ({why}). It was moved to {aside.name} in the same "
            "folder, and a new index is begun. The memory files themselves are not affected.",
        )
    )
    return aside


def _free_name(path: Path, clock: Clock) -> Path:
    """A name with the moment in it that nothing bears yet, whatever the clock does."""
    moment = datetime.datetime.fromtimestamp(clock.now_ms() / 1000, datetime.UTC)
    stem = f"{path.name}.damaged-{moment:%Y%m%dT%H%M%S}"
    names = (stem if number == 1 else f"{stem}-{number}" for number in itertools.count(1))
    free = (path.with_name(name) for name in names)
    return next(p for p in free if not any(_side(p, suffix).exists() for suffix in _PARTS))


def _side(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)
