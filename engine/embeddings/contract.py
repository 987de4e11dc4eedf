"""What every embedding provider is to the rest of the engine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from engine.errors import CancelledError, ProviderError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]

Cancelled = Callable[[], bool]
"""Asked between requests; True stops the work with ``CancelledError``."""


KnownSize = Callable[[str], int | None]
"""The dimensions that a vector space (by its key) has already; None while it is empty."""


Tell = Callable[[str], None]
"""Hears a sentence for the person, from any thread."""


def tell_nobody(sentence: str) -> None:
    """A ``Tell`` where nobody listens."""


@dataclass(frozen=True, slots=True)
class ProviderIdentity:
    """What makes a vector space: vectors of two identities are never compared.

    ``endpoint`` is a fingerprint without secrets. ``dimensions`` is what was asked
    for, None when the provider decides. ``document_input_type`` is part of it
    because it changes the stored vectors; the query's is not.
    """

    provider: str
    model: str
    endpoint: str
    dimensions: int | None = None
    document_input_type: str | None = None

    def key(self) -> str:
        """A stable SHA-256 hex digest of all fields; the name of the vector space."""
        import hashlib
        import json

        fields = [
            self.provider,
            self.model,
            self.endpoint,
            self.dimensions,
            self.document_input_type,
        ]
        return hashlib.sha256(json.dumps(fields).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class ProviderLimits:
    """Limits of one request and one text; bytes are UTF-8.

    ``concurrency`` is how many calls of ``embed_documents`` may run at the same time.
    """

    inputs_per_request: int
    bytes_per_request: int
    bytes_per_input: int
    concurrency: int = 1


@dataclass(frozen=True, slots=True)
class Refusal:
    """A text that got no vector, by its place in the call, and why."""

    index: int
    reason: str


@dataclass(frozen=True, slots=True)
class EmbeddedBatch:
    """Vectors in the order of the texts; None where a refusal stands.

    Each vector is float32 of shape (dimensions,), finite and not zero. ``tokens``
    is the provider's own count, None when it gives none. ``ended_by`` is the failure or
    cancel that ended the call early: texts with neither vector nor refusal are those it
    did not come to, and worth another attempt.
    """

    vectors: tuple[Vector | None, ...]
    refusals: tuple[Refusal, ...]
    tokens: int | None
    requests: int
    ended_by: ProviderError | CancelledError | None = None


@runtime_checkable
class Impatient(Protocol):
    """A provider whose queries take a while: they can be hurried, and ended."""

    def probe_query(self, text: str) -> Vector | None:
        """As ``embed_query``, with one attempt that is soon given up. Raises ProviderError."""
        ...

    def interrupt_queries(self) -> None:
        """End the queries that are under way; they raise CancelledError."""
        ...


@runtime_checkable
class LearnsLimits(Protocol):
    """A provider whose host may take less than it is said to."""

    @property
    def learned_limits(self) -> ProviderLimits | None:
        """The limits as the host has taught them; None while there was nothing to learn."""
        ...

    def recall_limits(self, limits: ProviderLimits) -> None:
        """Begin with what an earlier run was taught."""
        ...


class EmbeddingProvider(Protocol):
    """Turns texts into vectors. Thread-safe; imports nothing heavy before first use."""

    @property
    def identity(self) -> ProviderIdentity:
        """The vector space that this provider fills."""
        ...

    @property
    def limits(self) -> ProviderLimits:
        """What fits into one request."""
        ...

    @property
    def remote(self) -> bool:
        """True when texts leave this machine."""
        ...

    @property
    def vector_floor(self) -> float:
        """Cosine that unrelated texts have by construction (0.0 for most models)."""
        ...

    def embed_documents(self, texts: Sequence[str], cancelled: Cancelled) -> EmbeddedBatch:
        """Embed texts for the index; raises ProviderError, CancelledError."""
        ...

    def embed_query(self, text: str) -> Vector | None:
        """Embed a query; None when it has no usable vector. Raises ProviderError."""
        ...

    def cached_query(self, text: str) -> Vector | None:
        """The vector of a query where it costs nothing; None when it would have to be sent.

        Search as you type asks this one: a local provider computes, a remote one remembers.
        """
        ...

    def close(self) -> None:
        """Release sockets and processes; the provider is not used afterwards."""
        ...
