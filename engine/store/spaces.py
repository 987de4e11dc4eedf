"""The vector spaces of the file: what each was made with, and how much of the index it covers."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import asdict

import apsw

from engine.status import VectorSpace
from engine.store.asking import Row, row, rows, value
from engine.store.contract import StoredIdentity
from engine.store.generation import Generation, all_generations, published

_NOTE = "space:"
_BYTES_PER_TOKEN = 4


def remember_space(connection: apsw.Connection, identity: StoredIdentity) -> None:
    """Note what a space is made with, inside the caller's transaction; its name is a digest."""
    if identity.vector_space:
        connection.execute(
            "insert or replace into notes(key, value) values (?, ?)",
            (_NOTE + identity.vector_space, json.dumps(asdict(identity))),
        )


def held_spaces(connection: apsw.Connection, also: Collection[str]) -> tuple[VectorSpace, ...]:
    """Every space with its share of the published index, the fullest first.

    ``also`` names spaces that are listed even when nothing is in them. ``role`` is "kept"
    for all: the file does not know who uses them.
    """
    known, generation = _identities(connection), published(connection)
    chunks, octets = _size(connection, generation) if generation else (0, 0)
    found = []
    for number, name, size, tokens, vectors in _spaces(connection, also):
        covered = _covered(connection, generation, number) if generation and vectors else 0
        missing = chunks - covered
        identity = known.get(name)
        found.append(
            VectorSpace(
                key=name,
                provider=identity.provider if identity else None,
                model=identity.model if identity else "",
                dimensions=size,
                vectors=vectors,
                covered=covered,
                missing=missing,
                missing_tokens=octets * missing // (chunks * _BYTES_PER_TOKEN) if chunks else 0,
                tokens=tokens,
                endpoint=identity.endpoint if identity else "",
            )
        )
    return tuple(sorted(found, key=lambda space: (-space.covered, -space.vectors, space.key)))


def _spaces(connection: apsw.Connection, also: Collection[str]) -> list[Row]:
    """Number, name, dimensions, tokens and vectors; those without vectors only if asked for."""
    found = rows(
        connection,
        "select s.id, s.name, s.dimensions, s.tokens, "
        "(select count(*) from vectors v where v.space = s.id) from spaces s where s.name <> ''",
    )
    listed = [space for space in found if space[4] or space[1] in also]
    absent = sorted(set(also) - {space[1] for space in listed} - {""})
    return listed + [(-1, name, None, 0, 0) for name in absent]


def _identities(connection: apsw.Connection) -> dict[str, StoredIdentity]:
    notes = rows(connection, "select value from notes where key glob ?", (f"{_NOTE}*",))
    known = [StoredIdentity(**json.loads(text)) for (text,) in notes]
    # Files of earlier versions have no notes, but their generations tell.
    known += [generation.identity for generation in all_generations(connection)]
    return {identity.vector_space: identity for identity in known}


def _size(connection: apsw.Connection, generation: Generation) -> tuple[int, int]:
    """Chunks, and bytes of all files."""
    chunks, octets = row(
        connection,
        f"select (select count(*) from {generation.chunks}), "
        f"(select ifnull(sum(size), 0) from {generation.files})",
    )
    return chunks, octets


def _covered(connection: apsw.Connection, generation: Generation, space: int) -> int:
    return int(
        value(
            connection,
            f"select count(*) from {generation.chunks} c "
            "cross join vectors v on v.space = ? and v.hash = c.hash",
            (space,),
        )
    )
