"""An embedding provider for tests of the indexer: it counts, fails and refuses on request."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from engine.embeddings.contract import (
    Cancelled,
    EmbeddedBatch,
    ProviderIdentity,
    ProviderLimits,
    Refusal,
)
from engine.errors import CancelledError, ProviderError

DIMENSIONS = 4


class ToyProvider:
    """Embeds a text as four numbers made of its hash.

    ``fails`` lists the numbers of the calls (from 1) that fail; ``refuses`` is asked for
    each text. ``on_call`` runs at the start of each call, with its number.
    """

    def __init__(
        self,
        model: str = "toy",
        *,
        remote: bool = False,
        inputs_per_request: int = 100,
        fails: Sequence[int] | range = (),
        refuses: Callable[[str], bool] = lambda text: False,
        on_call: Callable[[int], None] = lambda number: None,
        tokens: int | None = None,
    ) -> None:
        self.identity = ProviderIdentity("toy", model, "nowhere", DIMENSIONS)
        self.limits = ProviderLimits(inputs_per_request, 1 << 20, 1 << 20)
        self.remote = remote
        self.vector_floor = 0.0
        self.calls: list[list[str]] = []
        self.fails = fails
        self._refuses = refuses
        self._on_call = on_call
        self._tokens = tokens

    @property
    def texts(self) -> list[str]:
        """All texts it was asked for, call after call."""
        return [text for call in self.calls for text in call]

    def embed_documents(self, texts: Sequence[str], cancelled: Cancelled) -> EmbeddedBatch:
        """Embed, or fail as told."""
        self.calls.append(list(texts))
        self._on_call(len(self.calls))
        if cancelled():
            raise CancelledError("Embedding")
        if len(self.calls) in self.fails:
            raise ProviderError("Toy failed", "The toy answered 500: boom.", "Wait.", status=500)
        refused = [i for i, text in enumerate(texts) if self._refuses(text)]
        return EmbeddedBatch(
            vectors=tuple(None if i in refused else _vector(t) for i, t in enumerate(texts)),
            refusals=tuple(Refusal(i, "the toy does not like it") for i in refused),
            tokens=self._tokens,
            requests=1,
        )

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """The same numbers as for a document."""
        return _vector(text)

    def cached_query(self, text: str) -> NDArray[np.float32] | None:
        """Nothing is cached."""
        return None

    def close(self) -> None:
        """Nothing to release."""


def _vector(text: str) -> NDArray[np.float32]:
    digest = sha256(text.encode()).digest()[:DIMENSIONS]
    return np.frombuffer(digest, np.uint8).astype(np.float32) + np.float32(1.0)
