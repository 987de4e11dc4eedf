"""One download of a file at a time, across processes.

The system frees the lock when its holder dies. The lock file is removed by its holder, so
whoever waited for it must look whether the file that it locked is still the one in the folder.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def downloading_alone(path: Path, wait: Callable[[], None]) -> Iterator[None]:
    """Hold the lock of a lock file; ``wait`` is called between attempts and may raise."""
    while (handle := _try_lock(path)) is None:
        wait()
    try:
        yield
    finally:
        with suppress(OSError):
            path.unlink()
        os.close(handle)


def _try_lock(path: Path) -> int | None:
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        return None
    except OSError:
        os.close(handle)
        raise
    if _is_at(path, handle):
        return handle
    os.close(handle)
    return None


def _is_at(path: Path, handle: int) -> bool:
    try:
        there = path.stat()
    except FileNotFoundError:
        return False
    return os.path.samestat(there, os.fstat(handle))
