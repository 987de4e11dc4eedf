"""A plug-in behind the provider contract: its vectors are checked, its failures are named."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from engine.embeddings.contract import (
    Cancelled,
    EmbeddedBatch,
    KnownSize,
    ProviderIdentity,
    ProviderLimits,
)
from engine.embeddings.plugins.loading import told
from engine.embeddings.plugins.settings import PluginSettings
from engine.embeddings.remote.answer import in_order, whole
from engine.embeddings.remote.learned_limits import LearnedLimits
from engine.embeddings.remote.packing import PackedCall
from engine.embeddings.remote.provider import endpoint_fingerprint
from engine.embeddings.remote.wire import AnswerError, Decoded, Purpose
from engine.embeddings.space_size import SpaceSize
from engine.errors import EngineError, ProviderError
from engine.net.messages import never

if TYPE_CHECKING:
    from engine.embeddings.contract import Vector
    from engine.embeddings.plugins.contract import Embedder

T = TypeVar("T")


class PluginProvider:
    """Thread-safe: the plug-in itself is asked by one thread at a time."""

    def __init__(
        self, settings: PluginSettings, known_size: KnownSize = lambda space: None
    ) -> None:
        self._settings = settings
        self._learned = LearnedLimits(settings.plugin.limits)
        self._lock = threading.Lock()
        self._embedder: Embedder | None = None
        self._size = SpaceSize(self.identity.key(), settings.at.wire.dimensions, known_size)

    @property
    def identity(self) -> ProviderIdentity:
        """The vector space: id, model, address, the plug-in's own version of its treatment."""
        at, plugin = self._settings.at, self._settings.plugin
        version = f"plug-in {plugin.installed.distribution} {plugin.version}".rstrip()
        return ProviderIdentity(
            at.provider,
            at.model,
            endpoint_fingerprint(at.base_url, at.headers, version),
            at.wire.dimensions,
            at.document_input_type,
        )

    @property
    def limits(self) -> ProviderLimits:
        """As declared."""
        return self._learned.now

    @property
    def remote(self) -> bool:
        """As declared; True when the plug-in does not say."""
        return self._settings.remote

    @property
    def vector_floor(self) -> float:
        """Unknown, so 0."""
        return 0.0

    def embed_documents(self, texts: Sequence[str], cancelled: Cancelled) -> EmbeddedBatch:
        """Embed texts for the index. Raises ProviderError, CancelledError."""

        def send(part: Sequence[str]) -> Decoded:
            return self._ask(part, "document")

        return PackedCall(send, self._learned, cancelled).embed(texts)

    def embed_query(self, text: str) -> Vector | None:
        """Embed a query; None when it is empty or has no usable vector. Raises ProviderError."""

        def send(part: Sequence[str]) -> Decoded:
            return self._ask(part, "query")

        return PackedCall(send, self._learned, never).embed([text]).vectors[0]

    def cached_query(self, text: str) -> Vector | None:
        """Always None: this class remembers nothing (``QueryMemory`` does)."""
        return None

    def close(self) -> None:
        """Close what the plug-in opened, if it can be closed."""
        with self._lock:
            embedder, self._embedder = self._embedder, None
            close = getattr(embedder, "close", None)
            if callable(close):
                self._guarded(close)

    def _ask(self, texts: Sequence[str], purpose: Purpose) -> Decoded:
        with self._lock:
            vectors = self._guarded(
                lambda: list(self._opened().embed([*map(whole, texts)], purpose))
            )
        try:
            decoded = in_order(vectors, len(texts), None)
        except AnswerError as error:
            raise self._failure(f"its answer cannot be used: {error}") from None
        for vector in decoded.vectors:
            if vector is not None:
                self._size.check(len(vector), f"The {self._settings.plugin.installed.label}")
        return decoded

    def _opened(self) -> Embedder:
        if self._embedder is None:
            self._embedder = self._settings.plugin.open(self._settings.request())
        return self._embedder

    def _guarded(self, work: Callable[[], T]) -> T:
        """What the plug-in gives; whatever it raises becomes a ProviderError that names it."""
        try:
            return work()
        except EngineError:
            raise
        except (Exception, SystemExit) as error:
            at = self._settings.at
            secrets = (at.key.reveal(),) if at.key is not None else ()
            raise self._failure(f"it raised {told(error, secrets)}") from None

    def _failure(self, what: str) -> ProviderError:
        label = self._settings.plugin.installed.label
        return ProviderError(
            "Plug-in failed",
            f"The {label} for {self._settings.provider}: {what}.",
            "Look for a newer release of it, or choose another provider.",
        )
