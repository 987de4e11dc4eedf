"""Chunk rows together with their two keyword rows: written and removed as one."""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from engine.store import annotated
from engine.store.asking import Row, rows
from engine.store.cjk import index_pairs
from engine.store.contract import FileRow, NewChunk
from engine.store.folding import fold
from engine.store.generation import Generation
from engine.store.names import stored_name

_PLACES = ", ".join("?" * 13)


def prepared(file: FileRow, chunks: Sequence[NewChunk], first: int) -> list[Row]:
    """The rows of a file's chunks, numbered from ``first``, as the chunks table holds them.

    The folded copy is None when it equals the text, the pairs are None without CJK.
    """
    path = stored_name(file.path)
    made: list[Row] = []
    for number, c in enumerate(chunks, first):
        folded = fold(c.text)
        copy = None if folded == c.text else folded
        pairs = index_pairs(c.text) or None
        where = (number, path, file.source, c.index, c.start_line, c.end_line)
        said = annotated.stored(c.annotations)
        made.append((*where, c.hash, c.text, copy, pairs, *said))
    return made


def insert(connection: apsw.Connection, generation: Generation, made: Sequence[Row]) -> None:
    """Write prepared rows. Many at once are cheaper than the same rows file by file."""
    g = generation
    connection.executemany(f"insert into {g.chunks} values ({_PLACES})", made)
    connection.executemany(
        f"insert into {g.documented}(rowid, body) values (?, ?)",
        [(row[0], row[7]) for row in made],
    )
    connection.executemany(
        f"insert into {g.tuned}(rowid, body, cjk) values (?, ?, ?)",
        [_searched(row[0], *row[7:10]) for row in made],
    )


def remove(connection: apsw.Connection, generation: Generation, path: str) -> list[Row]:
    """Delete the chunks of a file; returns number and hash of each."""
    g = generation
    old = rows(
        connection,
        f"select id, hash, body, folded, cjk from {g.chunks} where path = ?",
        (stored_name(path),),
    )
    if not old:
        return []
    # An external-content table forgets a row only when given its exact old text.
    connection.executemany(
        f"insert into {g.documented}({g.documented}, rowid, body) values ('delete', ?, ?)",
        [(number, body) for number, _, body, _, _ in old],
    )
    connection.executemany(
        f"insert into {g.tuned}({g.tuned}, rowid, body, cjk) values ('delete', ?, ?, ?)",
        [_searched(number, *texts) for number, _, *texts in old],
    )
    connection.execute(f"delete from {g.chunks} where path = ?", (stored_name(path),))
    return [(number, chunk_hash) for number, chunk_hash, *_ in old]


def _searched(number: int, body: str, folded: str | None, pairs: str | None) -> Row:
    """What the tuned table reads; the same as its content view gives."""
    return number, body if folded is None else folded, pairs or ""
