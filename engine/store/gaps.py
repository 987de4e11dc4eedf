"""Chunks without a vector, and what the last attempt to embed their texts said."""

from __future__ import annotations

from collections.abc import Mapping

import apsw

from engine.status import ChunkPlace, MissingVectors
from engine.store.asking import rows, value
from engine.store.contract import Unembedded
from engine.store.generation import Generation, space_number
from engine.store.names import read_name

MOST_PLACES = 20
TABLE = """
create table failures(
    space integer not null,
    hash text not null,
    error text not null,
    final integer not null,
    primary key (space, hash)
) without rowid
"""


def add_table(connection: apsw.Connection) -> None:
    """The step of the schema that brings the table."""
    connection.execute(TABLE)


def unembedded(connection: apsw.Connection, generation: Generation, space: str) -> list[Unembedded]:
    """The chunks of a generation without a vector in a space, by path and emission."""
    number = value(connection, "select id from spaces where name = ?", (space,)) or -1
    found = rows(
        connection,
        "select c.id, c.path, c.hash, f.error, f.final, c.start_line, c.end_line "
        f"from {generation.chunks} c "
        "left join failures f on f.space = ?1 and f.hash = c.hash where not exists "
        "(select 1 from vectors v where v.space = ?1 and v.hash = c.hash) "
        "order by c.path, c.idx",
        (number,),
    )
    return [
        Unembedded(rowid, read_name(path), chunk_hash, error, bool(final), start, end)
        for rowid, path, chunk_hash, error, final, start, end in found
    ]


def by_cause(
    connection: apsw.Connection, generation: Generation, space: str
) -> tuple[MissingVectors, ...]:
    """How many chunks of a generation have no vector in a space, why not, and where some are."""
    number = value(connection, "select id from spaces where name = ?", (space,)) or -1
    found = rows(
        connection,
        "select f.error, count(*), count(distinct c.path), ifnull(f.final, 0) "
        f"from {generation.chunks} c "
        "left join failures f on f.space = ?1 and f.hash = c.hash where not exists "
        "(select 1 from vectors v where v.space = ?1 and v.hash = c.hash) "
        "group by f.error, f.final order by count(*) desc, f.error",
        (number,),
    )
    return tuple(
        MissingVectors(
            cause, n, files, bool(final), _places(connection, generation, number, cause, final)
        )
        for cause, n, files, final in found
    )


def _places(
    connection: apsw.Connection, generation: Generation, space: int, cause: str | None, final: int
) -> tuple[ChunkPlace, ...]:
    """The first chunks that were tried and have no vector for this cause."""
    if cause is None:
        return ()
    found = rows(
        connection,
        f"select c.path, c.start_line, c.end_line from failures f join {generation.chunks} c "
        "on c.hash = f.hash where f.space = ?1 and f.error = ?2 and f.final = ?3 and not exists "
        "(select 1 from vectors v where v.space = ?1 and v.hash = c.hash) "
        "order by c.path, c.idx limit ?4",
        (space, cause, final, MOST_PLACES),
    )
    return tuple(ChunkPlace(read_name(path), start, end) for path, start, end in found)


def note(
    connection: apsw.Connection, space: str, errors: Mapping[str, str], *, final: bool
) -> None:
    """Record failures by chunk hash, inside the caller's transaction."""
    number = space_number(connection, space)
    connection.executemany(
        "insert or replace into failures(space, hash, error, final) values (?, ?, ?, ?)",
        [(number, chunk_hash, error, final) for chunk_hash, error in errors.items()],
    )


def forget_embedded(connection: apsw.Connection, generation: Generation) -> None:
    """Drop failures that matter no more: the text has its vector now, or is gone."""
    connection.execute(
        "delete from failures where exists (select 1 from vectors v "
        "where v.space = failures.space and v.hash = failures.hash) "
        f"or not exists (select 1 from {generation.chunks} c where c.hash = failures.hash)"
    )
