"""The first hundred bytes of an index file: whose it is, and whether it is whole."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

import apsw

from engine.errors import StoreError
from engine.store.schema import APPLICATION_ID

_MAGIC = b"SQLite format 3\0"
_LENGTH = 100
_ELSEWHERE = "Choose another index file with --store; this one was not changed."


def refuse_foreign(path: Path) -> None:
    """Raise StoreError when something that is not our index lies at that path."""
    if not path.exists():
        return
    head = _read(path)
    if not head:
        return
    if not head.startswith(_MAGIC) or len(head) < _LENGTH:
        raise StoreError("Not an index file", f"{path} is no SQLite file.", _ELSEWHERE)
    if int.from_bytes(head[68:72], "big") != APPLICATION_ID:
        raise StoreError(
            "Not our index file", f"{path} is an SQLite file of another program.", _ELSEWHERE
        )


def refuse_cut_off(path: Path) -> None:
    """Raise CorruptError for a file shorter than its header says, unless a log completes it."""
    if not path.exists() or path.stat().st_size == 0:
        return
    if _present(path, "-wal") or _present(path, "-journal"):
        return
    head = _read(path)
    size = int.from_bytes(head[16:18], "big")
    page_size = 65536 if size == 1 else size
    if path.stat().st_size < page_size * int.from_bytes(head[28:32], "big"):
        raise apsw.CorruptError("the file is cut off")


def _present(path: Path, suffix: str) -> bool:
    side = path.with_name(path.name + suffix)
    return side.exists() and side.stat().st_size > 0


def _read(path: Path) -> bytes:
    """Read through SQLite: closing a handle of our own would drop the locks that other
    connections of this process hold on the file (POSIX advisory locks belong to a process).
    """
    if path.is_dir():
        raise StoreError("Not an index file", f"{path} is a folder.", _ELSEWHERE)
    try:
        connection = apsw.Connection(
            f"file:{quote(str(path))}", flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
        )
    except apsw.Error as error:
        raise StoreError(
            "Index cannot be read", f"{path} cannot be opened for reading.", _ELSEWHERE
        ) from error
    try:
        length = min(_LENGTH, path.stat().st_size)
        if not length:
            return b""
        return connection.read("main", 0, 0, length)[1][:length]
    finally:
        connection.close()
