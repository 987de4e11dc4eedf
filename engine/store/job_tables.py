"""The tables of batch jobs, and the note of a rebuild that waits for them."""

from __future__ import annotations

import apsw

from engine.store.asking import value

AGREED = "batch-rebuild"
"""Key of the note."""

_TABLES = """
create table if not exists batch_jobs(
    id integer primary key autoincrement,
    space text not null,
    label text not null unique,
    provider text not null,
    file text not null default '',
    job text not null default '',
    phase text not null default 'preparing',
    done integer not null default 0,
    failed integer not null default 0,
    total integer not null,
    tokens integer not null,
    since_ms real not null,
    looked_ms real
);
create table if not exists batch_texts(
    job integer not null,
    hash text not null,
    primary key (job, hash)
) without rowid;
"""


def add_tables(connection: apsw.Connection) -> None:
    """The step of the schema that brings the tables."""
    connection.execute(_TABLES)


def rebuild_waits(connection: apsw.Connection) -> bool:
    """True while a rebuild waits for vectors that no published chunk uses yet."""
    return value(connection, "select 1 from notes where key = ?", (AGREED,)) is not None
