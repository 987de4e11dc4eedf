"""The best rows of a keyword query and the scores of given rows, in one pass over its matches.

FTS5 scores every matching row to find the best ones; asking for the scores of rows that
another leg found would do all of that a second time.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

import apsw

from engine.store.contract import KeywordPass, KeywordTable
from engine.store.generation import Generation
from engine.store.keyword import asked, table_of


def keyword_pass(
    connection: apsw.Connection,
    generation: Generation,
    table: KeywordTable,
    match: str,
    limit: int,
    source: str | None,
    also: Sequence[int],
) -> KeywordPass:
    """The best ``limit`` rows in order, ties by row number, and the bm25 of those and of
    whichever of the rows ``also`` match. Raises StoreError for a bad MATCH.
    """
    fts = table_of(generation, table)
    join = f"join {generation.chunks} c on c.id = f.rowid" if source is not None else ""
    only = "and c.source = :source" if source is not None else ""
    sql = (
        f"with m as materialized (select f.rowid as row, bm25({fts}) as score from {fts} f {join} "
        f"where {fts} match :match {only}) "
        "select row, score, 1 from (select row, score from m order by score, row limit :limit) "
        "union all select row, score, 0 from m where row in (select value from json_each(:also))"
    )
    bound = {"match": match, "source": source, "limit": limit, "also": json.dumps(list(also))}
    found = asked(connection, table, sql, bound)
    best = sorted((score, row) for row, score, listed in found if listed)
    return KeywordPass([row for _, row in best], {row: score for row, score, _ in found})
