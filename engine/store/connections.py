"""Connections to the index file: how each is set up, and those that readers borrow."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import apsw

from engine.errors import StoreError
from engine.store.extension import Extension

BUSY_MS = 5000
"""How long a connection waits for another process."""


@dataclass(frozen=True, slots=True)
class FileAccess:
    """How the file may be opened.

    ``inode`` is the number of the file that was opened. ``immutable`` is for a file on
    a medium where not even a lock can be set.
    """

    path: Path
    writable: bool
    inode: int
    immutable: bool = False

    def check_in_place(self) -> None:
        """Raise StoreError when another file, or none, has the name by now.

        A connection to the old file would go on without any error, reading and writing
        what nobody else sees.
        """
        try:
            same = self.path.stat().st_ino == self.inode
        except FileNotFoundError:
            same = False
        if not same:
            raise StoreError(
                "Index file replaced",
                f"{self.path} was removed or replaced by another program.",
                "Restart memlens to open the present one.",
            )

    def connect(self, extension: Extension, *, writing: bool) -> apsw.Connection:
        """A connection with busy time-out and sqlite-vec. Raises apsw errors.

        Temporary data stays in memory: a full temporary folder is then no trouble.
        """
        flags = apsw.SQLITE_OPEN_READWRITE if self.writable else apsw.SQLITE_OPEN_READONLY
        uri = f"file:{quote(str(self.path))}" + ("?immutable=1" if self.immutable else "")
        connection = apsw.Connection(uri, flags=flags | apsw.SQLITE_OPEN_URI)
        connection.set_busy_timeout(BUSY_MS)
        connection.pragma("temp_store", "memory")
        extension.load_into(connection)
        if writing:
            connection.pragma("synchronous", "normal")
        else:
            connection.pragma("query_only", True)
        return connection


def let_go(connection: apsw.Connection) -> None:
    """Close a connection, whatever the disk says.

    The last one to close writes the log back into the file. Where that fails (a full
    disk) the log stays, and the next opening writes it back: nothing is lost.
    """
    try:
        connection.close()
    except apsw.Error:
        connection.close(True)


class ConnectionPool:
    """Reading connections: one for each thread that reads at this moment, used again after."""

    def __init__(self, access: FileAccess, extension: Extension) -> None:
        self._access = access
        self._extension = extension
        self._lock = threading.Lock()
        self._free: list[apsw.Connection] = []
        self._lent: set[apsw.Connection] = set()
        self._closed = False

    @contextmanager
    def lend(self) -> Iterator[apsw.Connection]:
        """A connection for the length of the block. Raises StoreError when closed."""
        connection = self._take()
        try:
            yield connection
        finally:
            self._give(connection)

    def interrupt(self) -> None:
        """Stop every query that runs at this moment."""
        with self._lock:
            for connection in self._lent:
                connection.interrupt()

    def close(self) -> None:
        """Close all; those in use stop and close when they are given back."""
        with self._lock:
            self._closed = True
            for connection in self._free:
                let_go(connection)
            self._free.clear()
            for connection in self._lent:
                connection.interrupt()

    def _take(self) -> apsw.Connection:
        with self._lock:
            if self._closed:
                raise StoreError("Index closed", f"{self._access.path} was closed.", "")
            connection = self._free.pop() if self._free else None
        if connection is None:
            self._access.check_in_place()
        connection = connection or self._access.connect(self._extension, writing=False)
        with self._lock:
            self._lent.add(connection)
        return connection

    def _give(self, connection: apsw.Connection) -> None:
        with self._lock:
            self._lent.discard(connection)
            if self._closed:
                let_go(connection)
            else:
                self._free.append(connection)
