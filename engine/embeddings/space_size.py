"""All vectors of one space have one size."""

from __future__ import annotations

import threading

from engine.embeddings.contract import KnownSize
from engine.errors import ProviderError


class SpaceSize:
    """The size of a space: what was asked for, what is stored, or what comes first. Thread-safe."""

    def __init__(self, space: str, asked: int | None, known_size: KnownSize) -> None:
        self._space = space
        self._asked = asked is not None
        self._size = asked
        self._known_size = known_size
        self._lock = threading.Lock()

    def check(self, size: int, sender: str) -> None:
        """Raises ProviderError for another size than the space has; ``sender`` begins it."""
        with self._lock:
            if self._size is None:
                self._size = self._known_size(self._space) or size
            expected = self._size
        if size == expected:
            return
        raise ProviderError(
            "Wrong vector size",
            f"{sender} answered with vectors of {size} numbers where {expected} "
            f"{'were asked for' if self._asked else 'came before'}; none of them was kept.",
            "Check model and outputDimensionality; a model that has changed its size "
            "needs the new one as outputDimensionality.",
        )
