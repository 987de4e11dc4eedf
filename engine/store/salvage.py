"""Carrying vectors over from a damaged index: they may have cost money."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import apsw

from engine.store.asking import Row, rows, value
from engine.store.transaction import immediate

if TYPE_CHECKING:
    from numpy.typing import NDArray

_BLOCK = 200
_TOLERANCE = 1e-3
"""Providers give vectors of unit length; one whose pages were spoiled has another length."""


def carry_vectors_over(damaged: Path, fresh: apsw.Connection) -> int:
    """Copy every vector that can still be read and has unit length; returns how many.

    Blocks of rows that cannot be read are passed over. Never raises for what the damaged
    file holds.
    """
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    try:
        source = apsw.Connection(f"file:{quote(str(damaged))}?immutable=1", flags=flags)
    except apsw.Error:
        return 0
    try:
        spaces = rows(source, "select id, name, dimensions, tokens from spaces")
        last = int(value(source, "select max(id) from vectors") or 0)
        return sum(_carry_space(source, fresh, space, last) for space in spaces)
    except (apsw.Error, ValueError, TypeError):
        return 0
    finally:
        source.close()


def _carry_space(source: apsw.Connection, fresh: apsw.Connection, space: Row, last: int) -> int:
    old_number, name, dimensions, tokens = space
    if not isinstance(dimensions, int) or dimensions <= 0:
        return 0
    with immediate(fresh):
        fresh.execute(
            "insert into spaces(name, dimensions, tokens) values (?, ?, ?) on conflict do nothing",
            (name, dimensions, tokens),
        )
        number = value(fresh, "select id from spaces where name = ?", (name,))
        carried = 0
        for low in range(0, last, _BLOCK):
            sound = _sound(_block(source, old_number, low), dimensions)
            carried += len(sound)
            fresh.executemany(
                "insert into vectors(space, hash, used_at, vector) values (?, ?, ?, ?) "
                "on conflict do nothing",
                [(number, *row) for row in sound],
            )
    return carried


def _block(source: apsw.Connection, space: int, low: int) -> list[Row]:
    try:
        return rows(
            source,
            "select hash, used_at, vector from vectors where id > ? and id <= ? and space = ?",
            (low, low + _BLOCK, space),
        )
    except apsw.Error:
        return []


def _sound(found: list[Row], dimensions: int) -> list[Row]:
    import numpy as np

    kept = [row for row in found if _well_formed(row, dimensions)]
    if not kept:
        return []
    stored: NDArray[Any] = np.frombuffer(b"".join(row[2] for row in kept), "<f4")
    with np.errstate(all="ignore"):
        lengths = np.linalg.norm(stored.reshape(len(kept), -1).astype(np.float64), axis=1)
        unit = np.abs(lengths - 1.0) < _TOLERANCE
    return [row for row, sound in zip(kept, unit.tolist(), strict=True) if sound]


def _well_formed(row: Row, dimensions: int) -> bool:
    chunk_hash, used_at, vector = row
    return (
        isinstance(chunk_hash, str)
        and isinstance(used_at, int | float)
        and isinstance(vector, bytes)
        and len(vector) == 4 * dimensions
    )
