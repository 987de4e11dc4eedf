"""Nearest chunks by cosine: sqlite-vec for the first queries, the matrix for the many.

A one-shot search must not read every vector to answer once, and sqlite-vec spares it
that. Whoever asks the same state a third time is served from a matrix in memory, which
is faster by far; while that is being read, sqlite-vec answers again. Both only find the
candidates: the cosines themselves are computed in float64 by one function, so the answer
is the same to the last bit either way.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import apsw
import numpy as np

from engine.store.asking import rows, value
from engine.store.contract import VectorHit
from engine.store.generation import Generation
from engine.store.matrix import Key, MatrixCache
from engine.store.vectors import encode, exact_cosines, usable

if TYPE_CHECKING:
    from engine.store.contract import Vector

COLD_QUERIES = 2
"""Queries at one state that sqlite-vec answers before the matrix is read."""
_MAX_K = 4096
_MARGIN = 16
_TIE = 1e-6


def nearest(
    connection: apsw.Connection,
    generation: Generation,
    matrices: MatrixCache,
    key: Key,
    query: Vector,
    limit: int,
    source: str | None,
    *,
    vec0: bool,
) -> list[VectorHit]:
    """The best rows, ties by row number; nothing for an unusable query or another length."""
    if limit <= 0 or not usable(query):
        return []
    matrix = matrices.held(key)
    if matrix is None and vec0 and limit + _MARGIN <= _MAX_K and _is_cold(matrices, key):
        hits = _ask_vec0(connection, generation, key[2], query, limit, source)
        if hits is not None:
            return hits
    matrix = matrix or matrices.load(connection, generation, key)
    return matrix.nearest(query, limit, source)


def _is_cold(matrices: MatrixCache, key: Key) -> bool:
    """Whether sqlite-vec is to answer: the first queries, and all while a matrix is read."""
    return matrices.asked(key) < COLD_QUERIES or matrices.being_read


def cosines(
    connection: apsw.Connection,
    generation: Generation,
    matrices: MatrixCache,
    key: Key,
    query: Vector,
    rowids: Sequence[int],
) -> dict[int, float]:
    """Cosines of those of the rows that have a vector of the query's length."""
    if not rowids or not usable(query):
        return {}
    matrix = matrices.held(key)
    if matrix is not None:
        return matrix.cosines(query, list(rowids))
    return _exact(connection, generation, key[2], query, rowids)


def _ask_vec0(
    connection: apsw.Connection,
    generation: Generation,
    space: str,
    query: Vector,
    limit: int,
    source: str | None,
) -> list[VectorHit] | None:
    """None when sqlite-vec fails or its answer cannot be known to be complete."""
    if generation.vec_table is None or not _same_length(connection, generation, query):
        return None
    k = limit + _MARGIN
    where = "embedding match ? and k = ?" + (" and source = ?" if source is not None else "")
    try:
        found = rows(
            connection,
            f"select rowid, distance from {generation.vec_table} where {where}",
            (encode(query), k) + ((source,) if source is not None else ()),
        )
    except apsw.SQLError:
        return None  # its helper tables do not fit; the matrix in memory answers
    if any(distance is None for _, distance in found):
        return None  # a row without usable vector has taken a place
    exact = _exact(connection, generation, space, query, [number for number, _ in found])
    best = sorted(exact.items(), key=lambda hit: (-hit[1], hit[0]))
    if len(best) < len(found):
        return None  # the table does not fit the stored vectors
    if len(found) == k and best[limit - 1][1] - best[-1][1] < _TIE:
        return None  # more equals may lie beyond the border
    return [VectorHit(number, cosine) for number, cosine in best[:limit]]


def _same_length(connection: apsw.Connection, generation: Generation, query: Vector) -> bool:
    size = value(connection, "select dimensions from spaces where id = ?", (generation.space,))
    return bool(size == query.shape[0])


def _exact(
    connection: apsw.Connection,
    generation: Generation,
    space: str,
    query: Vector,
    rowids: Sequence[int],
) -> dict[int, float]:
    found = rows(
        connection,
        f"select c.id, v.vector from json_each(?) j cross join {generation.chunks} c "
        "on c.id = j.value cross join vectors v on v.hash = c.hash "
        "and v.space = (select id from spaces where name = ?) where length(v.vector) = ?",
        (json.dumps(list(rowids)), space, 4 * query.shape[0]),
    )
    if not found:
        return {}
    numbers, blobs = zip(*found, strict=True)
    stored = np.frombuffer(b"".join(blobs), "<f4").reshape(len(found), -1)
    values = exact_cosines(query, stored).tolist()
    return {n: cosine for n, cosine in zip(numbers, values, strict=True) if math.isfinite(cosine)}
