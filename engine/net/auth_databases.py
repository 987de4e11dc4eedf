"""Logins out of the agent's SQLite files, which may be in use; nothing is written or copied."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

if TYPE_CHECKING:
    import apsw

_BUSY_MS = 500


def agent_logins(database: Path) -> Mapping[str, Any]:
    """The logins in an agent's own database; empty when it has none. Raises ValueError, OSError."""
    with _reading(database) as connection:
        store = _row(connection, "auth_profile_store", "primary", "store_json")
        state = _row(connection, "auth_profile_state", "primary", "state_json")
    return _joined(store, state)


def state_logins(database: Path) -> Mapping[str, Any]:
    """The logins in the database of the state folder. Raises ValueError, OSError."""
    with _reading(database) as connection:
        table, column = "config_machine_state", "value_json"
        store = _row(connection, table, "authProfiles.store", column)
        state = _row(connection, table, "authProfiles.state", column)
    return _joined(store, state)


def _joined(store: Mapping[str, Any], state: Mapping[str, Any]) -> Mapping[str, Any]:
    """One object as the file used to be: order and usage belong to the state."""
    return {**store, **{name: state[name] for name in ("order", "usageStats") if name in state}}


@contextmanager
def _reading(database: Path) -> Iterator[apsw.Connection]:
    import apsw

    try:
        connection = apsw.Connection(
            _uri(database), flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
        )
        connection.set_busy_timeout(_BUSY_MS)
        try:
            yield connection
        finally:
            connection.close()
    except apsw.Error as error:
        raise ValueError("the database cannot be read") from error


def _uri(database: Path) -> str:
    """How to open it so that not even a lock file appears beside it.

    While another process writes, its log and the log's index are there and are read;
    otherwise the file alone is the whole truth.
    """
    log, index = (database.with_name(f"{database.name}-{part}") for part in ("wal", "shm"))
    in_use = log.exists() and log.stat().st_size > 0 and index.exists()
    how = "readonly_shm=1" if in_use else "immutable=1"
    return f"file:{quote(str(database.absolute()))}?mode=ro&{how}"


def _row(connection: apsw.Connection, table: str, key: str, column: str) -> Mapping[str, Any]:
    """The JSON object beside a key, whatever the key's column is called; empty without one."""
    names = [name for _, name, *_ in connection.execute(f'PRAGMA table_info("{table}")')]
    if column not in names:
        return {}
    for values in connection.execute(f'SELECT * FROM "{table}"'):
        if key in values:
            found = json.loads(str(values[names.index(column)]))
            return found if isinstance(found, dict) else {}
    return {}
