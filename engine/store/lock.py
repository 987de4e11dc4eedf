"""The lock that one builder holds across processes.

The system itself frees it when its holder dies, however it dies: nothing has to be
removed by hand. The file holds the holder's process id, for people.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from engine.errors import StoreError


class BuilderLock:
    """A held lock; ``release`` may be called twice."""

    def __init__(self, handle: int) -> None:
        self._handle: int | None = handle

    def release(self) -> None:
        """Let others build."""
        handle, self._handle = self._handle, None
        if handle is not None:
            os.ftruncate(handle, 0)
            os.close(handle)


def lock_path(store: Path) -> Path:
    """Where the lock of an index file lies."""
    return store.with_name(store.name + ".lock")


def try_lock(store: Path) -> BuilderLock | None:
    """The lock, or None when somebody else holds it. Raises StoreError on a bad folder."""
    return _lock(store, fcntl.LOCK_EX | fcntl.LOCK_NB)


def wait_for_lock(store: Path) -> BuilderLock:
    """The lock, once its present holder is done. Raises StoreError on a bad folder."""
    lock = _lock(store, fcntl.LOCK_EX)
    assert lock is not None
    return lock


def take_lock(store: Path) -> BuilderLock:
    """The lock. Raises StoreError naming the process that holds it."""
    lock = try_lock(store)
    if lock is None:
        raise StoreError(
            "Rebuild already running",
            f"{_holder(store)} is rebuilding this index.",
            "Searches still answer from the present index; wait until the rebuild is done.",
        )
    return lock


def _lock(store: Path, how: int) -> BuilderLock | None:
    try:
        handle = os.open(lock_path(store), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise StoreError(
            "Index folder not writable",
            f"The lock file {lock_path(store)} could not be made: {error.strerror}.",
            "Check the permissions of the folder, or choose another place with --store.",
        ) from error
    try:
        fcntl.flock(handle, how)
    except BlockingIOError:
        os.close(handle)
        return None
    except OSError as error:
        os.close(handle)
        raise StoreError(
            "Index folder cannot be locked",
            f"The file system of {store.parent} refuses locks: {error.strerror}.",
            "Choose a place on a local disk with --store.",
        ) from error
    os.ftruncate(handle, 0)
    os.pwrite(handle, f"{os.getpid()}\n".encode(), 0)
    return BuilderLock(handle)


def _holder(store: Path) -> str:
    try:
        text = lock_path(store).read_text(encoding="ascii", errors="replace").strip()
    except OSError:
        text = ""
    if text == str(os.getpid()):
        return f"This process ({text})"
    return f"Process {text}" if text.isdigit() else "Another process"
