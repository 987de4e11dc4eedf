"""Keyword search: FTS5 MATCH, ordered by bm25."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import apsw

from engine.errors import StoreError
from engine.store.asking import Row, rows
from engine.store.contract import KeywordHit, KeywordTable
from engine.store.generation import Generation


def table_of(generation: Generation, table: KeywordTable) -> str:
    """The FTS5 table behind a keyword leg."""
    return generation.documented if table == "documented" else generation.tuned


def best_rows(
    connection: apsw.Connection,
    generation: Generation,
    table: KeywordTable,
    match: str,
    limit: int,
    source: str | None,
) -> list[KeywordHit]:
    """The best rows of a MATCH, ties by row number. Raises StoreError for a bad MATCH."""
    fts = table_of(generation, table)
    join = f"join {generation.chunks} c on c.id = f.rowid" if source is not None else ""
    only = "and c.source = :source" if source is not None else ""
    # Ordering by the function, not by "rank", lets SQLite keep only the best rows.
    sql = (
        f"select f.rowid, bm25({fts}) as score from {fts} f {join} "
        f"where {fts} match :match {only} order by score, f.rowid limit :limit"
    )
    bound = {"match": match, "source": source, "limit": limit}
    return [KeywordHit(row, score) for row, score in asked(connection, table, sql, bound)]


def scores_of(
    connection: apsw.Connection,
    generation: Generation,
    table: KeywordTable,
    match: str,
    rowids: Sequence[int],
) -> dict[int, float]:
    """bm25 of those of the rows that match."""
    fts = table_of(generation, table)
    # The plus keeps FTS5 from running the whole query once per row.
    sql = (
        f"select f.rowid, bm25({fts}) from {fts} f where {fts} match :match "
        "and +f.rowid in (select value from json_each(:rows))"
    )
    bound = {"match": match, "rows": json.dumps(list(rowids))}
    return dict(asked(connection, table, sql, bound))


def count_of(
    connection: apsw.Connection, generation: Generation, table: KeywordTable, match: str
) -> int:
    """How many rows match. Raises StoreError for a bad MATCH."""
    fts = table_of(generation, table)
    sql = f"select count(*) from {fts} where {fts} match :match"
    return int(asked(connection, table, sql, {"match": match})[0][0])


def asked(
    connection: apsw.Connection, table: KeywordTable, sql: str, bound: dict[str, Any]
) -> list[Row]:
    """The rows of a query with a MATCH. Raises StoreError for a bad one."""
    try:
        return rows(connection, sql, bound)
    except apsw.SQLError as error:
        raise StoreError(
            "Keywords not understood",
            f"The keyword index ({table}) cannot use this query as keywords.",
            "Search for plain words; quotation marks and operators are not needed.",
        ) from error
