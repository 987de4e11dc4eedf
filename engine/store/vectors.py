"""Vectors as they lie in the file: float32, little-endian, one row per space and chunk hash."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import apsw
import numpy as np
from numpy.typing import NDArray

from engine.errors import StoreError
from engine.store.asking import Row, rows

if TYPE_CHECKING:
    from engine.store.contract import Vector


def encode(vector: Vector) -> bytes:
    """The bytes of a vector in the file."""
    return np.ascontiguousarray(vector, dtype="<f4").tobytes()


def decode(blob: bytes) -> Vector:
    """The vector of the bytes; read-only, shape (dimensions,)."""
    return np.frombuffer(blob, dtype="<f4")


def usable(vector: Vector) -> bool:
    """True when all components are finite and at least one is not zero."""
    wide = vector.astype(np.float64)
    energy = float(wide @ wide)
    return 0.0 < energy < math.inf


def exact_cosines(query: Vector, rows: NDArray[np.float32]) -> NDArray[np.float64]:
    """Cosines of a query with rows of shape (n, dimensions), computed in float64.

    Each row's value depends on that row alone, so it is the same to the last bit
    whichever way the row was found.
    """
    wide, asked = rows.astype(np.float64), query.astype(np.float64)
    dots = (wide * asked).sum(axis=1)
    lengths = np.sqrt((wide * wide).sum(axis=1) * (asked * asked).sum())
    with np.errstate(divide="ignore", invalid="ignore"):
        cosines: NDArray[np.float64] = np.clip(dots / lengths, -1.0, 1.0)
    return cosines


def checked_blobs(
    vectors: Mapping[str, Vector], dimensions: int | None
) -> tuple[list[tuple[str, bytes]], int | None]:
    """Hash and bytes of each vector, and the one length they all have.

    Raises StoreError that names the first hash whose vector must not be stored.
    """
    blobs: list[tuple[str, bytes]] = []
    for chunk_hash, vector in vectors.items():
        if vector.ndim != 1 or (dimensions is not None and vector.shape[0] != dimensions):
            raise _refused(chunk_hash, f"{vector.size} numbers where {dimensions} are expected")
        if not usable(vector):
            raise _refused(chunk_hash, "only zeros, or a value that is not a finite number")
        dimensions = vector.shape[0]
        blobs.append((chunk_hash, encode(vector)))
    return blobs, dimensions


def known_hashes(connection: apsw.Connection, space: str, hashes: Iterable[str]) -> set[str]:
    """Which of the hashes have a vector in that space."""
    return {chunk_hash for (chunk_hash,) in _select(connection, "v.hash", space, hashes)}


def load_vectors(
    connection: apsw.Connection, space: str, hashes: Iterable[str]
) -> dict[str, Vector]:
    """The vectors of those of the hashes that have one in that space."""
    found = _select(connection, "v.hash, v.vector", space, hashes)
    return {chunk_hash: decode(blob) for chunk_hash, blob in found}


def _select(
    connection: apsw.Connection, columns: str, space: str, hashes: Iterable[str]
) -> list[Row]:
    return rows(
        connection,
        f"select {columns} from json_each(?) j cross join vectors v on v.hash = j.value "
        "and v.space = (select id from spaces where name = ?)",
        (json.dumps(list(dict.fromkeys(hashes))), space),
    )


def _refused(chunk_hash: str, why: str) -> StoreError:
    return StoreError(
        "Unusable vector",
        f"The vector of chunk {chunk_hash} was not stored: it has {why}.",
        "Check the embedding provider and its model; keyword search is not affected.",
    )
