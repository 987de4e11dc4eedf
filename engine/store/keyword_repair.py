"""Keyword tables against the text that they were made from: checked, and made anew.

SQLite's own checks pass over a keyword table that has lost rows; FTS5 has to be asked.
"""

from __future__ import annotations

import apsw

from engine.store.asking import rows
from engine.store.generation import Generation, create_documented, create_tuned


def keyword_tables(connection: apsw.Connection, generation: Generation) -> list[str]:
    """The FTS5 tables of a generation."""
    found = rows(
        connection,
        "select name from sqlite_schema where sql like 'create virtual table%using fts5%' "
        "order by name",
    )
    return [name for (name,) in found if name.endswith(f"_g{generation.number}")]


def agrees_with_text(connection: apsw.Connection, table: str) -> bool:
    """False for a table that does not fit its text; inside a write transaction.

    With rank 1, FTS5 compares its index with the text it was made from.
    """
    try:
        connection.execute(f"insert into {table}({table}, rank) values ('integrity-check', 1)")
    except apsw.CorruptError:
        return False
    return True


def remake_keyword_tables(connection: apsw.Connection, generation: Generation) -> None:
    """Make both tables anew from the stored text, inside the caller's transaction."""
    for table, create in (
        (generation.documented, create_documented),
        (generation.tuned, create_tuned),
    ):
        connection.execute(f"drop table if exists {table}")
        create(connection, generation)
        connection.execute(f"insert into {table}({table}) values ('rebuild')")
