"""The vec0 table of a generation: sqlite-vec's copy of the vectors of its own space."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import apsw

from engine.store.asking import Row, value
from engine.store.generation import VECTORS, Generation


def create(connection: apsw.Connection, generation: Generation) -> Generation:
    """Make (or make anew) the vec0 table from the stored vectors of the generation's space.

    Nothing happens while the space has no vector yet. Inside the caller's transaction.
    """
    g = generation
    dimensions = value(connection, "select dimensions from spaces where id = ?", (g.space,))
    if dimensions is None:
        return generation
    drop(connection, generation)
    table = f"{VECTORS}{g.number}_s{g.space}"
    connection.execute(
        f"create virtual table {table} using vec0("
        f"source text, embedding float[{int(dimensions)}] distance_metric=cosine)"
    )
    connection.execute(
        f"insert into {table}(rowid, source, embedding) "
        f"select c.id, c.source, v.vector from {g.chunks} c "
        "cross join vectors v on v.space = ? and v.hash = c.hash",
        (g.space,),
    )
    return _record(connection, replace(g, vec_table=table, vec_sound=True))


def drop(connection: apsw.Connection, generation: Generation) -> None:
    """Drop the vec0 table if there is one."""
    if generation.vec_table is not None:
        connection.execute(f"drop table {generation.vec_table}")


def mark_unsound(connection: apsw.Connection, generation: Generation) -> Generation:
    """Remember that rows changed without sqlite-vec; the table is not asked until made anew."""
    return _record(connection, replace(generation, vec_sound=False))


def insert(connection: apsw.Connection, table: str, rows: Sequence[Row]) -> None:
    """Add rows of number, source and vector bytes; vec0 knows no INSERT OR REPLACE."""
    connection.executemany(f"insert into {table}(rowid, source, embedding) values (?, ?, ?)", rows)


def delete(connection: apsw.Connection, table: str, rowids: Sequence[int]) -> None:
    """Remove rows; absent ones do not matter."""
    connection.executemany(f"delete from {table} where rowid = ?", [(r,) for r in rowids])


def _record(connection: apsw.Connection, generation: Generation) -> Generation:
    connection.execute(
        "update generations set vec_table = ?, vec_sound = ?, space = ? where id = ?",
        (generation.vec_table, generation.vec_sound, generation.space, generation.number),
    )
    return generation
