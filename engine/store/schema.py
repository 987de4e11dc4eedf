"""The tables that all generations share, and the steps from version to version."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import apsw

from engine.errors import StoreError
from engine.events import EventSink, StageReached
from engine.store.annotated import add_columns as add_annotations
from engine.store.gaps import add_table as add_failures
from engine.store.job_tables import add_tables as add_batch_jobs
from engine.store.transaction import immediate

APPLICATION_ID = 0x6D6C6E73
"""Written into every index file of ours ("mlns"); a file with another one is left alone."""

Step = Callable[[apsw.Connection], None]

_COMMON = """
create table pointer(
    one integer primary key check (one = 1),
    generation integer,
    revision integer not null
);
insert into pointer values (1, null, 0);
create table spaces(
    id integer primary key,
    name text not null unique,
    dimensions integer,
    tokens integer not null default 0
);
create table generations(
    id integer primary key autoincrement,
    identity text not null,
    space integer not null references spaces(id),
    vec_table text,
    vec_sound integer not null default 0,
    created_ms real not null
);
create table vectors(
    id integer primary key,
    space integer not null,
    hash text not null,
    used_at real not null,
    vector blob not null,
    unique (space, hash)
);
create table notes(key text primary key, value text not null) without rowid;
create table changes(
    id integer primary key,
    path text not null,
    change text not null,
    at_ms real not null,
    chunks_added integer not null,
    chunks_removed integer not null,
    embedded integer not null,
    cached integer not null
);
"""


def _common_tables(connection: apsw.Connection) -> None:
    connection.pragma("application_id", APPLICATION_ID)
    connection.execute(_COMMON)


STEPS: tuple[Step, ...] = (_common_tables, add_failures, add_annotations, add_batch_jobs)
"""Step number n brings a file from version n to version n + 1."""


def migrate(
    connection: apsw.Connection, path: Path, emit: EventSink, steps: Sequence[Step] = STEPS
) -> None:
    """Bring a file to the newest version, each step a transaction of its own.

    Raises StoreError for a file of a newer version, which stays untouched.
    """
    refuse_newer(connection, path, len(steps))
    while int(connection.pragma("user_version")) < len(steps):
        with immediate(connection):
            # Another process may have taken the step while this one waited.
            version = int(connection.pragma("user_version"))
            if version < len(steps):
                steps[version](connection)
                connection.pragma("user_version", version + 1)
                emit(StageReached("migration-step"))


def refuse_newer(connection: apsw.Connection, path: Path, known: int = len(STEPS)) -> None:
    """Raise StoreError when the file was written by a newer memlens."""
    version = int(connection.pragma("user_version"))
    if version > known:
        raise StoreError(
            "Index of a newer memlens",
            f"{path} has format {version}; this memlens knows formats up to {known}. "
            "The file was not changed.",
            "Update memlens, or choose another index file with --store.",
        )
