"""Opening an index file: ours, another's, damaged, read-only, or not there yet."""

from __future__ import annotations

import datetime
import os
from pathlib import Path

import apsw

from engine.clock import Clock
from engine.errors import StoreError
from engine.events import EventSink, Notice
from engine.store.connections import FileAccess
from engine.store.extension import Extension
from engine.store.generation import pointer
from engine.store.lock import take_lock
from engine.store.schema import APPLICATION_ID, migrate, refuse_newer

_MAGIC = b"SQLite format 3\0"
_ELSEWHERE = "Choose another index file with --store; this one was not changed."


def open_file(
    path: Path, extension: Extension, emit: EventSink, clock: Clock
) -> tuple[FileAccess, apsw.Connection]:
    """A sound file of ours at that path and a connection that may write if the file may.

    A damaged file of ours is moved aside with a notice and a fresh one begun.
    Raises StoreError for a file of another program or of a newer version.
    """
    _make_folder(path)
    refuse_foreign(path)
    if not _may_write(path):
        access = _read_only(path, extension)
        connection = access.connect(extension, writing=False)
        refuse_newer(connection, path)
        return access, connection
    access = FileAccess(path, writable=True)
    try:
        return access, _open_sound(access, extension, emit)
    except (apsw.CorruptError, apsw.NotADBError) as error:
        move_aside(path, str(error), emit, clock)
        return access, _open_sound(access, extension, emit)


def refuse_foreign(path: Path) -> None:
    """Raise StoreError when something that is not our index lies at that path."""
    try:
        with path.open("rb") as file:
            head = file.read(100)
    except FileNotFoundError:
        return
    except OSError as error:
        raise StoreError(
            "Index cannot be read", f"{path} cannot be read: {error.strerror}.", _ELSEWHERE
        ) from error
    if not head:
        return
    if not head.startswith(_MAGIC) or len(head) < 100:
        raise StoreError("Not an index file", f"{path} is no SQLite file.", _ELSEWHERE)
    if int.from_bytes(head[68:72], "big") != APPLICATION_ID:
        raise StoreError(
            "Not our index file", f"{path} is an SQLite file of another program.", _ELSEWHERE
        )


def move_aside(path: Path, why: str, emit: EventSink, clock: Clock) -> None:
    """Rename a damaged index with its side files; the log first, never to meet a new file."""
    lock = take_lock(path)
    try:
        moment = datetime.datetime.fromtimestamp(clock.now_ms() / 1000, datetime.UTC)
        aside = path.with_name(f"{path.name}.damaged-{moment:%Y%m%dT%H%M%S}")
        for suffix in ("-wal", "-shm", "-journal", ""):
            part = path.with_name(path.name + suffix)
            if part.exists():
                part.rename(aside.with_name(aside.name + suffix))
    finally:
        lock.release()
    emit(
        Notice(
            "warning",
            f"The index {path} was damaged ({why}). It was moved to {aside.name} in the same "
            "folder, and a new index is built. The memory files themselves are not affected.",
        )
    )


def _open_sound(access: FileAccess, extension: Extension, emit: EventSink) -> apsw.Connection:
    _refuse_truncated(access.path)
    if not access.path.exists():
        access.path.touch(mode=0o600)
    connection = access.connect(extension, writing=True)
    try:
        connection.pragma("auto_vacuum", "incremental")
        migrate(connection, access.path, emit)
        _use_wal(connection)
        pointer(connection)
        connection.execute("select count(*) from generations").fetchall()
    except BaseException:
        connection.close()
        raise
    return connection


def _use_wal(connection: apsw.Connection) -> None:
    try:
        connection.pragma("journal_mode", "wal")
    except apsw.BusyError:
        return  # another process is opening the same new file and does the same


def _refuse_truncated(path: Path) -> None:
    """Raise CorruptError for a file shorter than its header says, unless a log completes it."""
    if not path.exists() or path.stat().st_size == 0:
        return
    log = path.with_name(path.name + "-wal")
    journal = path.with_name(path.name + "-journal")
    if (log.exists() and log.stat().st_size > 0) or journal.exists():
        return
    with path.open("rb") as file:
        head = file.read(100)
    page_size = int.from_bytes(head[16:18], "big")
    page_size = 65536 if page_size == 1 else page_size
    if path.stat().st_size < page_size * int.from_bytes(head[28:32], "big"):
        raise apsw.CorruptError("the file is cut off")


def _make_folder(path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(
            "Index folder not writable",
            f"The folder {path.parent} could not be made: {error.strerror}.",
            "Check its permissions, or choose another place with --store.",
        ) from error


def _may_write(path: Path) -> bool:
    if path.exists() and path.stat().st_size > 0:
        return os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)
    if os.access(path.parent, os.W_OK):
        return True
    raise StoreError(
        "Index folder not writable",
        f"There is no index at {path} yet, and its folder cannot be written.",
        "Check the permissions of the folder, or choose another place with --store.",
    )


def _read_only(path: Path, extension: Extension) -> FileAccess:
    """Read beside a writer if the folder lets us, else as a file that nobody changes."""
    access = FileAccess(path, writable=False)
    try:
        connection = access.connect(extension, writing=False)
        pointer(connection)
        connection.close()
    except (apsw.CantOpenError, apsw.ReadOnlyError):
        return FileAccess(path, writable=False, immutable=True)
    return access
