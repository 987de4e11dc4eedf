"""Giving space back, in steps short enough that nobody waits for them."""

from __future__ import annotations

import apsw

from engine.store.connections import BUSY_MS
from engine.store.writing import WritingConnection

_PAGES_A_STEP = 2000
_CHECKPOINT_WAIT_MS = 200
_DOING = "giving free space back"


def give_back(writing: WritingConnection) -> None:
    """Return free pages to the file system and empty the write-ahead log.

    Readers in the middle of something keep the log from being emptied; then the next
    time will do.
    """
    while _free_some(writing):
        pass
    with writing.alone(_DOING) as connection:
        connection.set_busy_timeout(_CHECKPOINT_WAIT_MS)
        try:
            connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
        except apsw.BusyError:
            return
        finally:
            connection.set_busy_timeout(BUSY_MS)


def limit_size(connection: apsw.Connection, max_bytes: int) -> None:
    """Let the file grow up to a size only; beyond, writing fails as on a full disk."""
    pages = max_bytes // int(connection.pragma("page_size"))
    connection.execute(f"pragma max_page_count({max(1, pages)})").fetchall()


def _free_some(writing: WritingConnection) -> bool:
    """One step; False when nothing is left to free."""
    with writing.alone(_DOING) as connection:
        before = int(connection.pragma("freelist_count"))
        if before:
            # The pragma frees one page for each row that is fetched.
            connection.execute(f"pragma incremental_vacuum({_PAGES_A_STEP})").fetchall()
        return 0 < int(connection.pragma("freelist_count")) < before
