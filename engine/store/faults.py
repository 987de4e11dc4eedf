"""What SQLite says, turned into sentences a person can act on."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from engine.errors import CancelledError, EngineError, StoreError
from engine.store.suspicion import suspect

_FREE_SPACE = "Free some space on that disk and index again; what was indexed before still answers."
_RULES: tuple[tuple[type[apsw.Error], str, str, str], ...] = (
    (
        apsw.FullError,
        "Disk full",
        "There was no room left for {path} while {doing}; {room}.",
        _FREE_SPACE,
    ),
    (
        apsw.BusyError,
        "Index in use",
        "Another process kept {path} locked for longer than five seconds while {doing}.",
        "Wait until it is done, or close it, and try again.",
    ),
    (
        apsw.LockedError,
        "Index in use",
        "Another part of the program kept {path} locked while {doing}.",
        "Try again.",
    ),
    (
        apsw.ReadOnlyError,
        "Index is read-only",
        "{path} cannot be written ({doing}).",
        "Check the permissions of the file and its folder, or choose another place with --store.",
    ),
    (
        apsw.PermissionsError,
        "Index not accessible",
        "Access to {path} was denied while {doing}.",
        "Check the permissions of the file and its folder, or choose another place with --store.",
    ),
    (
        apsw.CantOpenError,
        "Index cannot be opened",
        "{path} could not be opened while {doing}.",
        "Check that its folder exists and may be written, or choose another place with --store.",
    ),
    (
        apsw.CorruptError,
        "Index damaged",
        "{path} is damaged; this came up while {doing}.",
        "Restart memlens: it checks the file, moves a damaged one aside and builds a new one.",
    ),
    (
        apsw.NotADBError,
        "Index damaged",
        "{path} is no SQLite file any more; this came up while {doing}.",
        "Move the file away, or choose another place with --store.",
    ),
    (
        apsw.ConnectionClosedError,
        "Index closed",
        "{path} was closed while {doing}.",
        "Open it again.",
    ),
    (
        apsw.IOError,
        "Index cannot be read or written",
        "The system reported an input or output error on {path} while {doing}.",
        "Check the disk and the free space on it, then try again.",
    ),
)


def as_store_error(error: apsw.Error, path: Path, doing: str) -> EngineError:
    """The sentence for an SQLite error; ``doing`` completes "... while <doing>".

    A failed rollback hides its cause in the context chain: the first error counts.
    """
    cause = _first_cause(error)
    if isinstance(cause, apsw.InterruptError):
        return CancelledError("The search" if doing == "searching" else "The work on the index")
    for kind, title, message, hint in _RULES:
        if isinstance(cause, kind):
            return StoreError(title, message.format(path=path, doing=doing, room=_room(path)), hint)
    return StoreError(
        "Index error",
        f"SQLite refused something on {path} while {doing}: {cause}",
        "Run a forced reindex; if it comes again, please report it.",
    )


@contextmanager
def told(path: Path, doing: str) -> Iterator[None]:
    """Raise the StoreError (or CancelledError) for any SQLite error inside."""
    try:
        yield
    except apsw.Error as error:
        if isinstance(_first_cause(error), apsw.CorruptError):
            suspect(path)
        raise as_store_error(error, path, doing) from error


def _room(path: Path) -> str:
    """How much room the file system of the index has, in words."""
    try:
        free = shutil.disk_usage(path.parent).free
    except OSError:
        return f"how much {path.parent} has left is not known"
    return f"the disk of {path.parent} has {free / 2**20:,.1f} MiB free"


def _first_cause(error: apsw.Error) -> apsw.Error:
    cause, inner = error, error.__context__
    while inner is not None:
        if isinstance(inner, apsw.Error):
            cause = inner
        inner = inner.__context__
    return cause
