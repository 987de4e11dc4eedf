"""Changing what the published generation is searched with, without chunking or embedding."""

from __future__ import annotations

import json
from dataclasses import asdict, replace

import apsw

from engine.errors import StoreError
from engine.store import vector_table
from engine.store.contract import StoredIdentity
from engine.store.generation import Generation, create_documented, published, space_number
from engine.store.spaces import remember_space


def adopt(
    connection: apsw.Connection, identity: StoredIdentity, *, vec0: bool, now_ms: float
) -> None:
    """Write another identity onto the published generation, inside the caller's transaction.

    Rebuilds the vec0 table from stored vectors when the space differs, and the
    documented keyword table from stored text when the tokenizer differs.
    """
    old = published(connection)
    if old is None:
        raise StoreError("No index yet", "There is no index to switch over.", "Index first.")
    if old.identity.chunking != identity.chunking:
        raise StoreError(
            "Chunks differ",
            f"The index was cut by {old.identity.chunking}, wanted is {identity.chunking}.",
            "Run a forced reindex.",
        )
    remember_space(connection, identity)
    new = replace(old, identity=identity, space=space_number(connection, identity.vector_space))
    connection.execute(
        "update generations set identity = ?, space = ? where id = ?",
        (json.dumps(asdict(identity)), new.space, new.number),
    )
    if identity.tokenizer != old.identity.tokenizer:
        _retokenize(connection, new)
    if new.space != old.space:
        _switch_space(connection, old, new, vec0=vec0, now_ms=now_ms)


def _retokenize(connection: apsw.Connection, generation: Generation) -> None:
    table = generation.documented
    connection.execute(f"drop table {table}")
    create_documented(connection, generation)
    connection.execute(f"insert into {table}({table}) values ('rebuild')")


def _switch_space(
    connection: apsw.Connection, old: Generation, new: Generation, *, vec0: bool, now_ms: float
) -> None:
    connection.execute(
        "update vectors set used_at = ? where space = ? "
        f"and hash in (select hash from {old.chunks})",
        (now_ms, old.space),
    )
    if not vec0:
        vector_table.mark_unsound(connection, new)
        return
    vector_table.drop(connection, old)
    blank = replace(new, vec_table=None, vec_sound=False)
    vector_table.create(connection, vector_table.mark_unsound(connection, blank))
