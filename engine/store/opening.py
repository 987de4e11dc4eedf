"""Opening an index file: ours, another's, damaged, read-only, or not there yet."""

from __future__ import annotations

import os
from pathlib import Path

import apsw

from engine.clock import Clock
from engine.errors import StoreError
from engine.events import EventSink, Notice
from engine.store.connections import FileAccess, let_go
from engine.store.creation import create
from engine.store.extension import Extension
from engine.store.generation import all_generations, pointer
from engine.store.header import refuse_cut_off, refuse_foreign
from engine.store.job_salvage import carry_jobs_over
from engine.store.quarantine import move_aside
from engine.store.salvage import carry_vectors_over
from engine.store.schema import migrate, refuse_newer
from engine.store.suspicion import check_if_suspected

_OTHER_PLACE = "Check the permissions of the folder, or choose another place with --store."


def open_file(
    path: Path, extension: Extension, emit: EventSink, clock: Clock
) -> tuple[FileAccess, apsw.Connection]:
    """A sound file of ours at that path, and a connection that may write if the file may.

    A damaged file of ours is moved aside with a notice and a fresh one begun.
    Raises StoreError for a file of another program or of a newer version.
    """
    _make_folder(path)
    refuse_foreign(path)
    if not _may_write(path):
        return _open_for_reading(path, extension)
    if not _filled(path):
        create(path, emit)
    access = FileAccess(path, writable=True, inode=path.stat().st_ino)
    try:
        return access, _open_sound(access, extension, emit)
    except (apsw.CorruptError, apsw.NotADBError) as error:
        aside = move_aside(path, access.inode, str(error), emit, clock)
    create(path, emit)
    access = FileAccess(path, writable=True, inode=path.stat().st_ino)
    connection = _open_sound(access, extension, emit)
    if aside is not None and (carried := carry_vectors_over(aside, connection)):
        emit(Notice("info", f"{carried:,} vectors of the damaged index could be carried over."))
    if aside is not None and (jobs := carry_jobs_over(aside, connection)):
        emit(Notice("info", f"{jobs} batch jobs of the damaged index are still looked after."))
    return access, connection


def _open_sound(access: FileAccess, extension: Extension, emit: EventSink) -> apsw.Connection:
    refuse_cut_off(access.path)
    connection = access.connect(extension, writing=True)
    try:
        migrate(connection, access.path, emit)
        _use_log(connection)
        check_if_suspected(connection, access.path, emit)
        _probe(connection)
    except BaseException:
        let_go(connection)
        raise
    return connection


def _use_log(connection: apsw.Connection) -> None:
    if connection.pragma("journal_mode") != "wal":  # somebody has changed it
        connection.pragma("journal_mode", "wal")


def _probe(connection: apsw.Connection) -> None:
    """Raise CorruptError when the tables that everything hangs on do not answer."""
    try:
        number, _ = pointer(connection)
        known = {generation.number for generation in all_generations(connection)}
    except (apsw.SQLError, ValueError, TypeError, StopIteration) as error:
        raise apsw.CorruptError(f"its own tables do not answer: {error}") from error
    if number is not None and number not in known:
        raise apsw.CorruptError("it names a generation that is not there")


def _open_for_reading(path: Path, extension: Extension) -> tuple[FileAccess, apsw.Connection]:
    """Read beside a writer if the folder lets us, else as a file that nobody changes."""
    inode = path.stat().st_ino
    access = FileAccess(path, writable=False, inode=inode)
    connection = access.connect(extension, writing=False)
    try:
        refuse_newer(connection, path)
    except (apsw.CantOpenError, apsw.ReadOnlyError):
        connection.close()
        access = FileAccess(path, writable=False, inode=inode, immutable=True)
        connection = access.connect(extension, writing=False)
        refuse_newer(connection, path)
        _refuse_unfinished_log(path)
    _probe(connection)
    return access, connection


def _refuse_unfinished_log(path: Path) -> None:
    log = path.with_name(path.name + "-wal")
    if log.exists() and log.stat().st_size > 0:
        raise StoreError(
            "Index needs write access once",
            f"{path} was not closed properly, and it cannot be repaired without writing.",
            _OTHER_PLACE,
        )


def _make_folder(path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(
            "Index folder not writable",
            f"The folder {path.parent} could not be made: {error.strerror}.",
            _OTHER_PLACE,
        ) from error


def _may_write(path: Path) -> bool:
    folder = os.access(path.parent, os.W_OK)
    if _filled(path):
        return folder and os.access(path, os.W_OK)
    if folder:
        return True
    raise StoreError(
        "Index folder not writable",
        f"There is no index at {path} yet, and its folder cannot be written.",
        _OTHER_PLACE,
    )


def _filled(path: Path) -> bool:
    return path.exists() and path.stat().st_size > 0
