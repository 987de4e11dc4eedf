"""One write transaction on a connection."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import apsw


@contextmanager
def immediate(connection: apsw.Connection) -> Iterator[None]:
    """Take the write lock at once, commit when the block ends well, else roll back.

    After some errors (a full disk) SQLite has rolled back by itself; a second
    rollback would then hide the true error.
    """
    connection.execute("begin immediate")
    try:
        yield
        connection.execute("commit")
    except BaseException:
        if connection.in_transaction:
            connection.execute("rollback")
        raise
