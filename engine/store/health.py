"""Whether an index is sound: SQLite's own checks, and counts that must agree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import apsw

from engine.store import chunk_rows, vector_table
from engine.store.asking import rows, value
from engine.store.generation import Generation, leftovers, load_generation, published
from engine.store.keyword_repair import (
    agrees_with_text,
    keyword_tables,
    remake_keyword_tables,
)
from engine.store.names import read_name


@dataclass(frozen=True, slots=True)
class UnusableVector:
    """A stored vector that no query may meet. ``path`` is a file that holds its text."""

    space: str
    hash: str
    path: str | None
    why: str


@dataclass(frozen=True, slots=True)
class StoreHealth:
    """What a full check found.

    ``damage`` is SQLite's first complaint about the file, ``keyword_faults`` the keyword
    tables that do not agree with the text. ``keyword_rows`` and ``vector_rows`` are counts
    of rows by table, to be compared with ``chunks`` and ``embedded``. ``orphans`` are
    chunks of files that the index does not list, ``unfinished`` rebuilds left behind.
    """

    damage: str | None
    keyword_faults: tuple[str, ...]
    chunks: int
    keyword_rows: dict[str, int]
    embedded: int
    vector_rows: int | None
    orphans: int
    unfinished: int
    unusable: tuple[UnusableVector, ...]

    @property
    def sound(self) -> bool:
        """True when there is nothing to mend."""
        rows_agree = set(self.keyword_rows.values()) <= {self.chunks}
        vectors_agree = self.vector_rows in (None, self.embedded)
        faults = (self.damage, self.keyword_faults, self.orphans, self.unfinished, self.unusable)
        return rows_agree and vectors_agree and not any(faults)


def check(connection: apsw.Connection) -> StoreHealth:
    """Check everything; reads the whole file. Inside a write transaction of the caller."""
    verdict = str(value(connection, "pragma integrity_check(1)"))
    generation = published(connection)
    if generation is None:
        damage = None if verdict == "ok" else verdict
        return StoreHealth(damage, (), 0, {}, 0, None, 0, len(leftovers(connection)), ())
    tables = keyword_tables(connection, generation)
    return StoreHealth(
        damage=None if verdict == "ok" else verdict,
        keyword_faults=tuple(t for t in tables if not agrees_with_text(connection, t)),
        chunks=_count(connection, generation.chunks),
        keyword_rows={
            table: _count(connection, f"{table}_docsize")
            for table in (generation.documented, generation.tuned)
        },
        embedded=_embedded(connection, generation),
        vector_rows=_vector_rows(connection, generation),
        orphans=_orphans(connection, generation),
        unfinished=len(leftovers(connection)),
        unusable=tuple(unusable_vectors(connection, generation)),
    )


def mend(connection: apsw.Connection, *, vec0: bool) -> list[str]:
    """Put right what can be put right from the file itself; a sentence for each repair.

    Inside a write transaction of the caller. Raises CorruptError when the file as such is
    damaged: such a one is moved aside at the next opening.
    """
    found = check(connection)
    if found.damage is not None:
        raise apsw.CorruptError(found.damage)
    generation = published(connection)
    if generation is None:
        return []
    done = []
    if found.keyword_faults or set(found.keyword_rows.values()) != {found.chunks}:
        remake_keyword_tables(connection, generation)
        done.append("The keyword tables were made anew from the stored text.")
    if found.orphans:
        done.append(_remove_orphans(connection, generation))
    if forgotten := forget_unusable(connection, vec0=vec0):
        done.append(f"{forgotten} unusable vectors were removed; the next sync makes them anew.")
    elif vec0 and found.vector_rows not in (None, found.embedded):
        vector_table.create(connection, generation)
        done.append("The vector table was made anew from the stored vectors.")
    return done


def _remove_orphans(connection: apsw.Connection, generation: Generation) -> str:
    g = generation
    paths = rows(
        connection,
        f"select distinct path from {g.chunks} c "
        f"where not exists (select 1 from {g.files} f where f.path = c.path)",
    )
    for (path,) in paths:
        gone = chunk_rows.remove(connection, generation, read_name(path))
        if g.vec_table is not None and g.vec_sound:
            vector_table.delete(connection, g.vec_table, [number for number, _ in gone])
    return f"Chunks of {len(paths)} files that the index does not list were removed."


def forget_unusable(connection: apsw.Connection, *, vec0: bool) -> int:
    """Delete unusable vectors, so that the next sync asks for them anew; returns how many.

    Inside a write transaction of the caller.
    """
    generation = published(connection)
    found = list(unusable_vectors(connection, generation))
    connection.executemany(
        "delete from vectors where hash = ? and space = (select id from spaces where name = ?)",
        [(vector.hash, vector.space) for vector in found],
    )
    if found and generation is not None and vec0:
        vector_table.create(connection, load_generation(connection, generation.number))
    return len(found)


def unusable_vectors(
    connection: apsw.Connection, generation: Generation | None
) -> Iterator[UnusableVector]:
    """Every stored vector that is not of its space's size, not finite, or zero."""
    import numpy as np

    found = connection.execute(
        "select s.name, s.dimensions, v.hash, v.vector from vectors v "
        "join spaces s on s.id = v.space order by v.id"
    )
    for space, dimensions, chunk_hash, blob in found:
        why = None
        if len(blob) != 4 * (dimensions or 0):
            why = f"{len(blob) // 4} numbers where {dimensions} are expected"
        else:
            vector = np.frombuffer(blob, "<f4")
            if not np.isfinite(vector).all():
                why = "a value that is not a finite number"
            elif not vector.any():
                why = "only zeros"
        if why is not None:
            path = _path_of(connection, generation, chunk_hash)
            yield UnusableVector(space, chunk_hash, path, why)


def _embedded(connection: apsw.Connection, generation: Generation) -> int:
    return int(
        value(
            connection,
            f"select count(*) from {generation.chunks} c "
            "cross join vectors v on v.space = ? and v.hash = c.hash",
            (generation.space,),
        )
    )


def _vector_rows(connection: apsw.Connection, generation: Generation) -> int | None:
    """None where sqlite-vec's table is missing or is not asked."""
    if generation.vec_table is None or not generation.vec_sound:
        return None
    if not rows(connection, "select 1 from pragma_module_list where name = 'vec0'"):
        return None
    return _count(connection, generation.vec_table)


def _orphans(connection: apsw.Connection, generation: Generation) -> int:
    g = generation
    return int(
        value(
            connection,
            f"select count(*) from {g.chunks} c "
            f"where not exists (select 1 from {g.files} f where f.path = c.path)",
        )
    )


def _path_of(
    connection: apsw.Connection, generation: Generation | None, chunk_hash: str
) -> str | None:
    if generation is None:
        return None
    path = value(
        connection, f"select path from {generation.chunks} where hash = ? limit 1", (chunk_hash,)
    )
    return None if path is None else read_name(path)


def _count(connection: apsw.Connection, table: str) -> int:
    return int(value(connection, f"select count(*) from {table}"))
