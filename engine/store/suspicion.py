"""A mark beside an index in which damage was seen, so that the next start looks closely.

A full check of a large index costs too much for every start.
"""

from __future__ import annotations

import contextlib
from pathlib import Path

import apsw

from engine.events import EventSink, Notice
from engine.store.asking import value
from engine.store.generation import published
from engine.store.keyword_repair import agrees_with_text, keyword_tables, remake_keyword_tables
from engine.store.transaction import immediate


def suspect(path: Path) -> None:
    """Leave the mark; without write access there is none."""
    with contextlib.suppress(OSError):
        mark_path(path).touch()


def check_if_suspected(connection: apsw.Connection, path: Path, emit: EventSink) -> None:
    """With a mark present, check the file in full, and mend keyword tables that are wrong.

    Raises CorruptError if the file is damaged beyond that. The mark goes once the file is
    known to be sound.
    """
    if not mark_path(path).exists():
        return
    try:
        with immediate(connection):
            remade = _remake_if_wrong(connection)
        verdict = value(connection, "pragma integrity_check(1)")
        if verdict != "ok":
            raise apsw.CorruptError(str(verdict))
    except apsw.CorruptError:
        mark_path(path).unlink(missing_ok=True)
        raise
    mark_path(path).unlink(missing_ok=True)
    if remade:
        emit(Notice("warning", f"{path}: its keyword tables were wrong and are made anew."))


def _remake_if_wrong(connection: apsw.Connection) -> bool:
    generation = published(connection)
    if generation is None:
        return False
    tables = keyword_tables(connection, generation)
    if len(tables) == 2 and all(agrees_with_text(connection, table) for table in tables):
        return False
    remake_keyword_tables(connection, generation)
    return True


def mark_path(path: Path) -> Path:
    """Where the mark of an index lies."""
    return path.with_name(path.name + ".suspect")
