"""Giving space back, in steps short enough that nobody waits for them."""

from __future__ import annotations

import apsw

_PAGES_A_STEP = 2000
_CHECKPOINT_WAIT_MS = 200
BUSY_MS = 5000
"""How long a writer waits for another process."""


def give_back(connection: apsw.Connection) -> None:
    """Return free pages to the file system and empty the write-ahead log.

    Readers in the middle of something keep the log from being emptied; then the next
    time will do.
    """
    while int(connection.pragma("freelist_count")) > 0:
        before = int(connection.pragma("freelist_count"))
        # The pragma frees a page per row that is fetched.
        connection.execute(f"pragma incremental_vacuum({_PAGES_A_STEP})").fetchall()
        if int(connection.pragma("freelist_count")) >= before:
            return
    connection.set_busy_timeout(_CHECKPOINT_WAIT_MS)
    try:
        connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
    except apsw.BusyError:
        return
    finally:
        connection.set_busy_timeout(BUSY_MS)
