"""Annotations beside the text of a chunk: three columns, empty for almost every chunk."""

from __future__ import annotations

import apsw

from engine.chunking.annotations import NO_ANNOTATIONS, Annotations
from engine.store.asking import rows

COLUMNS = ("importance integer", "triggers text", "projects text")
"""The last columns of every chunks table; lists are joined, as people read them."""

_SEPARATOR = "; "

Stored = tuple[int | None, str | None, str | None]


def add_columns(connection: apsw.Connection) -> None:
    """The step of the schema that brings the columns to generations made before it."""
    tables = rows(
        connection,
        "select name from sqlite_schema where type = 'table' and name glob 'chunks_g[0-9]*'",
    )
    for (table,) in tables:
        for column in COLUMNS:
            connection.execute(f"alter table {table} add column {column}")


def stored(said: Annotations) -> Stored:
    """The values of the columns."""
    if said == NO_ANNOTATIONS:
        return (None, None, None)
    triggers, projects = _SEPARATOR.join(said.triggers), _SEPARATOR.join(said.projects)
    return (said.importance, triggers or None, projects or None)


def read(importance: int | None, triggers: str | None, projects: str | None) -> Annotations:
    """What the columns say."""
    if importance is None and triggers is None and projects is None:
        return NO_ANNOTATIONS
    return Annotations(importance, _parts(triggers), _parts(projects))


def projects_of(joined: str | None) -> tuple[str, ...]:
    """The project keys that a stored value names."""
    return _parts(joined)


def _parts(joined: str | None) -> tuple[str, ...]:
    return tuple(joined.split(_SEPARATOR)) if joined else ()
