"""Drafts: index files that are being made, and those whose maker died."""

from __future__ import annotations

import os
import re
from pathlib import Path

from engine.clock import Clock
from engine.events import EventSink, Notice

OLD_MS = 24 * 3600 * 1000.0
"""A draft is filled within moments; one of this age belongs to nobody any more."""

SIDES = ("-wal", "-shm", "-journal")


def draft_path(path: Path) -> Path:
    """The name under which this process makes the index file."""
    return path.with_name(f"{path.name}.new-{os.getpid()}")


def remove_draft(draft: Path) -> None:
    """Remove a draft with its side files, as far as they are there."""
    for suffix in (*SIDES, ""):
        draft.with_name(draft.name + suffix).unlink(missing_ok=True)


def drafts(path: Path) -> list[Path]:
    """The drafts beside an index file, without their side files; links do not count."""
    name = re.compile(re.escape(path.name) + r"\.new-\d+")
    try:
        found = sorted(path.parent.iterdir())
    except OSError:
        return []
    return [p for p in found if name.fullmatch(p.name) and p.is_file() and not p.is_symlink()]


def sweep_drafts(path: Path, clock: Clock, emit: EventSink) -> None:
    """Remove drafts that are more than a day old, and say so; only with the builder's lock."""
    for draft in drafts(path):
        try:
            if clock.now_ms() - draft.stat().st_mtime * 1000.0 < OLD_MS:
                continue
            remove_draft(draft)
        except OSError as error:
            emit(Notice("warning", f"{draft} could not be removed: {error.strerror}."))
        else:
            emit(Notice("info", f"Removed {draft.name}: a left-over of an interrupted start."))
