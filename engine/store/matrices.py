"""The matrices of a store, so that only who asks for vectors pays for numpy."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import apsw

    from engine.store.generation import Generation
    from engine.store.matrix import MatrixCache


class Matrices:
    """The matrix cache of a store, made (and numpy loaded) on first use."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._cache: MatrixCache | None = None

    def cache(self) -> MatrixCache:
        """The cache itself."""
        with self._lock:
            if self._cache is None:
                from engine.store.matrix import MatrixCache

                self._cache = MatrixCache()
            return self._cache

    def holds(self, generation: int, revision: int, space: str) -> bool:
        """True when the next query at that state is answered from memory."""
        return self._cache is not None and self._cache.holds((generation, revision, space))

    def follow(self, connection: apsw.Connection, generation: Generation, revision: int) -> None:
        """Bring what is in memory up to that state, where there is anything."""
        if self._cache is not None:
            self._cache.follow(connection, generation, revision)

    def clear(self) -> None:
        """Free the memory."""
        if self._cache is not None:
            self._cache.clear()
