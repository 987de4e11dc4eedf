"""Query vectors that were paid for once: asking the same again sends nothing."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.embeddings.contract import (
    Cancelled,
    EmbeddedBatch,
    EmbeddingProvider,
    Impatient,
    ProviderIdentity,
    ProviderLimits,
)

if TYPE_CHECKING:
    from engine.embeddings.contract import Vector

MOST_QUERIES = 256


class QueryMemory:
    """A provider that remembers the vectors of the last queries; thread-safe."""

    def __init__(self, provider: EmbeddingProvider, most: int = MOST_QUERIES) -> None:
        self._provider = provider
        self._most = most
        self._lock = threading.Lock()
        self._vectors: OrderedDict[str, Vector | None] = OrderedDict()

    @property
    def behind(self) -> EmbeddingProvider:
        """The provider that is really asked."""
        return self._provider

    @property
    def identity(self) -> ProviderIdentity:
        """That of the provider behind."""
        return self._provider.identity

    @property
    def limits(self) -> ProviderLimits:
        """Those of the provider behind."""
        return self._provider.limits

    @property
    def remote(self) -> bool:
        """As the provider behind."""
        return self._provider.remote

    @property
    def vector_floor(self) -> float:
        """As the provider behind."""
        return self._provider.vector_floor

    def embed_documents(self, texts: Sequence[str], cancelled: Cancelled) -> EmbeddedBatch:
        """Passed on; the index keeps these."""
        return self._provider.embed_documents(texts, cancelled)

    def embed_query(self, text: str) -> Vector | None:
        """The remembered vector, else the provider's, which is remembered then."""
        with self._lock:
            if text in self._vectors:
                self._vectors.move_to_end(text)
                return self._vectors[text]
        return self._kept(text, self._provider.embed_query(text))

    def probe_query(self, text: str) -> Vector | None:
        """Asked anew, with little patience where the provider knows that; remembered then."""
        provider = self._provider
        hurried = provider.probe_query if isinstance(provider, Impatient) else provider.embed_query
        return self._kept(text, hurried(text))

    def cached_query(self, text: str) -> Vector | None:
        """The remembered vector; None when the query would have to be sent."""
        with self._lock:
            return self._vectors.get(text)

    def interrupt_queries(self) -> None:
        """Passed on, if the provider behind knows that."""
        if isinstance(self._provider, Impatient):
            self._provider.interrupt_queries()

    def _kept(self, text: str, vector: Vector | None) -> Vector | None:
        with self._lock:
            self._vectors[text] = vector
            while len(self._vectors) > self._most:
                self._vectors.popitem(last=False)
        return vector

    def close(self) -> None:
        """Forget everything and close the provider behind."""
        with self._lock:
            self._vectors.clear()
        self._provider.close()


def without_memory(provider: EmbeddingProvider) -> EmbeddingProvider:
    """The same provider, asked anew each time: what a probe needs."""
    return provider.behind if isinstance(provider, QueryMemory) else provider
