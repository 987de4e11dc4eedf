"""All vectors of one space in memory: one float32 matrix, exact cosines by one product."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import apsw
import numpy as np
from numpy.typing import NDArray

from engine.store.asking import rows, value
from engine.store.contract import VectorHit
from engine.store.generation import Generation
from engine.store.vectors import exact_cosines

if TYPE_CHECKING:
    from engine.store.contract import Vector

Key = tuple[int, int, str]
"""Generation, revision, vector space."""

_ROWS_AT_ONCE = 1024
_SPARE = 1e-5
"""More than float32 can be wrong by; candidates so near the border are all computed exactly."""


@dataclass(frozen=True, slots=True)
class VectorMatrix:
    """Vectors as stored, one row a chunk, ascending by row number.

    ``rows`` has shape (n, dimensions); ``rowids``, ``lengths`` (Euclidean) and
    ``sources`` (indexes into ``source_names``) have shape (n,).
    """

    rowids: NDArray[np.int64]
    rows: NDArray[np.float32]
    lengths: NDArray[np.float32]
    sources: NDArray[np.int32]
    source_names: tuple[str, ...]

    def nearest(self, query: Vector, limit: int, source: str | None) -> list[VectorHit]:
        """The best rows by cosine, ties by row number; unusable rows do not count."""
        if limit <= 0 or query.shape[0] != self.rows.shape[1] or not len(self.rowids):
            return []
        near = self._near(query, limit, source)
        cosines = exact_cosines(query, self.rows[near])
        rowids = self.rowids[near]
        order = np.lexsort((rowids, -cosines))[:limit]
        return list(map(VectorHit, rowids[order].tolist(), cosines[order].tolist()))

    def cosines(self, query: Vector, rowids: list[int]) -> dict[int, float]:
        """Cosines of those of the rows that are here."""
        if query.shape[0] != self.rows.shape[1] or not len(self.rowids):
            return {}
        wanted = np.asarray(sorted(set(rowids)), dtype=np.int64)
        places = np.minimum(np.searchsorted(self.rowids, wanted), len(self.rowids) - 1)
        places = places[self.rowids[places] == wanted]
        values = exact_cosines(query, self.rows[places])
        known = np.isfinite(values)
        found = self.rowids[places[known]].tolist()
        return dict(zip(found, values[known].tolist(), strict=True))

    def _near(self, query: Vector, limit: int, source: str | None) -> NDArray[np.int64]:
        """Places of all rows that could be among the best, by the fast product."""
        unit = np.asarray(query / np.linalg.norm(query.astype(np.float64)), dtype=np.float32)
        with np.errstate(divide="ignore", invalid="ignore"):
            # Not ``rows @ unit``: its threads spin for longer than the product takes as
            # soon as anything else runs on the machine.
            dots = np.vecdot(self.rows, unit)
            rough = np.nan_to_num(dots / self.lengths, nan=-2.0, posinf=-2.0)
        if source is not None:
            wanted = self.source_names.index(source) if source in self.source_names else -1
            rough = np.where(self.sources == wanted, rough, np.float32(-3.0))
        border = -2.0
        if limit < len(rough):
            border = float(np.partition(rough, len(rough) - limit)[len(rough) - limit]) - _SPARE
        return np.flatnonzero(rough >= max(border, -1.5))


class MatrixCache:
    """The matrices in memory, at most two, and how often each state was asked."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._reading = threading.Lock()
        self._matrices: dict[Key, VectorMatrix] = {}
        self._searched: set[Key] = set()
        self._asked: dict[Key, int] = {}

    @property
    def being_read(self) -> bool:
        """True while somebody reads a matrix from the file; another one would have to wait."""
        return self._reading.locked()

    def holds(self, key: Key) -> bool:
        """True when the matrix of that state is in memory."""
        return key in self._matrices

    def held(self, key: Key) -> VectorMatrix | None:
        """The matrix of that state, for a search, if it is in memory."""
        with self._lock:
            matrix = self._matrices.get(key)
            if matrix is not None:
                self._searched.add(key)
            return matrix

    def asked(self, key: Key) -> int:
        """Count a query; how many came before it at this very state."""
        with self._lock:
            before = self._asked.get(key, 0)
            self._asked = {key: before + 1} | {k: n for k, n in self._asked.items() if k != key}
            while len(self._asked) > 4:
                self._asked.popitem()
            return before

    def load(self, connection: apsw.Connection, generation: Generation, key: Key) -> VectorMatrix:
        """The matrix of that state, for a search, read from the file when it is not in memory."""
        with self._reading:
            matrix = self.held(key)
            if matrix is None:
                matrix = self._read(connection, generation, key)
                self.held(key)
            return matrix

    def follow(self, connection: apsw.Connection, generation: Generation, revision: int) -> None:
        """Read what was searched of an earlier state as it is now; let go of all others.

        So a memory that changes while nobody searches is read once, not at every change.
        """
        state = (generation.number, revision)
        with self._reading:
            with self._lock:
                stale = [key for key in self._matrices if key[:2] != state]
                spaces = {key[2] for key in stale if key in self._searched}
                self._drop(stale)
            for space in spaces:
                if not self.holds((*state, space)):
                    self._read(connection, generation, (*state, space))

    def _read(self, connection: apsw.Connection, generation: Generation, key: Key) -> VectorMatrix:
        """Nobody asks for an earlier state of the space: it goes before the new one comes."""
        with self._lock:
            self._drop([other for other in self._matrices if other[2] == key[2]])
        matrix = read_matrix(connection, generation, key[2])
        with self._lock:
            self._drop(list(self._matrices)[1:])
            self._matrices = {key: matrix} | self._matrices
        return matrix

    def _drop(self, keys: Iterable[Key]) -> None:
        """Only with the lock. A search under way keeps what it holds to its end."""
        gone = set(keys)
        self._matrices = {key: m for key, m in self._matrices.items() if key not in gone}
        self._searched -= gone

    def clear(self) -> None:
        """Free the memory."""
        with self._lock:
            self._matrices, self._searched, self._asked = {}, set(), {}


def read_matrix(connection: apsw.Connection, generation: Generation, space: str) -> VectorMatrix:
    """Read all vectors that chunks of a generation have in a space."""
    number, size = _space(connection, space)
    most = int(value(connection, f"select count(*) from {generation.chunks}"))
    matrix = np.empty((most, size), dtype=np.float32)
    rowids, sources = np.empty(most, np.int64), np.empty(most, np.int32)
    names: dict[str, int] = {}
    cursor = connection.execute(
        f"select c.id, c.source, v.vector from {generation.chunks} c cross join vectors v "
        "on v.space = ? and v.hash = c.hash where length(v.vector) = ? order by c.id",
        (number, 4 * size),
    )
    at = 0
    while part := list(itertools.islice(cursor, _ROWS_AT_ONCE)):
        numbers, labels, blobs = zip(*part, strict=True)
        end = at + len(part)
        rowids[at:end] = numbers
        sources[at:end] = [names.setdefault(label, len(names)) for label in labels]
        matrix[at:end] = np.frombuffer(b"".join(blobs), "<f4").reshape(len(part), -1)
        at = end
    matrix = matrix[:at]
    lengths = np.sqrt(np.einsum("ij,ij->i", matrix, matrix, dtype=np.float64)).astype(np.float32)
    return VectorMatrix(rowids[:at], matrix, lengths, sources[:at], tuple(names))


def _space(connection: apsw.Connection, name: str) -> tuple[int, int]:
    """Number and dimensions of a space; (-1, 0) for one that has no vector yet."""
    found = rows(connection, "select id, dimensions from spaces where name = ?", (name,))
    number, size = found[0] if found else (-1, None)
    return number, size or 0
