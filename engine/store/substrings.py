"""Words too short for the trigram table: looked for in the text of every chunk."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import apsw

from engine.store.asking import rows
from engine.store.contract import KeywordHit
from engine.store.generation import Generation
from engine.store.keyword import asked


def containing(
    connection: apsw.Connection,
    generation: Generation,
    match: str | None,
    parts: Sequence[str],
    limit: int,
    source: str | None,
) -> list[KeywordHit]:
    """Rows of the documented table that match and contain all parts, best first.

    The parts are looked for in the chunks themselves: LIKE on a trigram table goes
    through its index in some releases of SQLite and then misses two characters. Rows
    without a ``match`` come in the order of the index, with a bm25 of 0.0.
    """
    tests = [f"c.body like :part{at} escape '\\'" for at in range(len(parts))]
    bound: dict[str, Any] = {f"part{at}": like(part) for at, part in enumerate(parts)}
    if source is not None:
        tests.append("c.source = :source")
    bound |= {"source": source, "limit": limit, "match": match}
    if match is None:
        where = " and ".join(tests) or "false"
        sql = f"select c.id from {generation.chunks} c where {where} order by c.id limit :limit"
        return [KeywordHit(row, 0.0) for (row,) in rows(connection, sql, bound)]
    fts = generation.documented
    where = " and ".join([f"{fts} match :match", *tests])
    sql = (
        f"select f.rowid, bm25({fts}) as score from {fts} f "
        f"join {generation.chunks} c on c.id = f.rowid "
        f"where {where} order by score, f.rowid limit :limit"
    )
    return [KeywordHit(row, score) for row, score in asked(connection, "documented", sql, bound)]


def like(part: str) -> str:
    """A LIKE pattern (escape character: backslash) for texts that contain the part."""
    for special in "\\%_":
        part = part.replace(special, "\\" + special)
    return f"%{part}%"
