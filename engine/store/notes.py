"""Small texts that other parts keep in the index file, by name."""

from __future__ import annotations

import apsw

from engine.store.asking import value

_PREFIX = "kept:"
"""Apart from what the store notes for itself."""


def read(connection: apsw.Connection, name: str) -> str | None:
    """The text under a name; None when there is none."""
    text = value(connection, "select value from notes where key = ?", (_PREFIX + name,))
    return None if text is None else str(text)


def write(connection: apsw.Connection, name: str, text: str | None) -> None:
    """Keep a text under a name, or with None forget it, inside the caller's transaction."""
    if text is None:
        connection.execute("delete from notes where key = ?", (_PREFIX + name,))
    else:
        connection.execute(
            "insert or replace into notes(key, value) values (?, ?)", (_PREFIX + name, text)
        )
