"""The one writing connection of a process, and who may use it when."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import apsw

from engine.store.connections import FileAccess, let_go
from engine.store.faults import as_store_error, told
from engine.store.schema import refuse_newer
from engine.store.transaction import immediate


class WritingConnection:
    """Lends the writing connection to one thread at a time."""

    def __init__(self, access: FileAccess, connection: apsw.Connection) -> None:
        self._access = access
        self._connection = connection
        self._lock = threading.Lock()
        self._holder: int | None = None

    @property
    def writable(self) -> bool:
        """False for a file that was opened for reading."""
        return self._access.writable

    @contextmanager
    def transaction(self, doing: str) -> Iterator[apsw.Connection]:
        """One write transaction; ``doing`` completes "... while <doing>" in a StoreError.

        Waits for other threads, and up to five seconds for other processes. Raises
        StoreError when a newer memlens has changed the format meanwhile.
        """
        with self.alone(doing) as connection, immediate(connection):
            refuse_newer(connection, self._access.path)
            yield connection

    @contextmanager
    def alone(self, doing: str) -> Iterator[apsw.Connection]:
        """The connection without a transaction, while no other thread has it."""
        if self._holder == threading.get_ident():
            raise RuntimeError(f"{doing}: this thread is in the middle of another write")
        with self._lock, told(self._access.path, doing):
            self._holder = threading.get_ident()
            try:
                self._check(doing)
                yield self._connection
            finally:
                self._holder = None

    def close(self) -> None:
        """Wait for the thread that has the connection, then close it. Twice is fine."""
        with self._lock:
            let_go(self._connection)

    def _check(self, doing: str) -> None:
        path = self._access.path
        if not self._access.writable:
            raise as_store_error(apsw.ReadOnlyError("read-only"), path, doing)
        self._access.check_in_place()
