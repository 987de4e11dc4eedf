"""A provider that is asked over HTTP: any wire shape, any way in."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from engine.embeddings.contract import (
    Cancelled,
    EmbeddedBatch,
    KnownSize,
    ProviderIdentity,
    ProviderLimits,
)
from engine.embeddings.cost.tokens import estimated_tokens
from engine.embeddings.remote.access import Access
from engine.embeddings.remote.answer import stated_tokens
from engine.embeddings.remote.failures import Endpoint, complaint, failure_of, stated_rows
from engine.embeddings.remote.learned_limits import LearnedLimits
from engine.embeddings.remote.packing import Complained, PackedCall
from engine.embeddings.remote.settings import RemoteSettings
from engine.embeddings.remote.wire import (
    AnswerError,
    Decoded,
    Purpose,
    TooManyTextsError,
    WireShape,
)
from engine.embeddings.space_size import SpaceSize
from engine.errors import ProviderError
from engine.net.host_guard import is_secret_name, joined, origin, secrets_in, without_secrets
from engine.net.messages import ExchangeLimits, HttpRequest, HttpResponse, TransportError
from engine.net.retry import INDEXING, PROBING, QUERYING, RetryPolicy

if TYPE_CHECKING:
    from engine.embeddings.contract import Vector
    from engine.net.client import HttpClient


MOST_AT_ONCE = 16
"""Indexing requests at a time, whatever is configured: a query needs a free connection too."""
PROBE_SECONDS = 10.0
"""For a host that has failed before, while something else answers."""


class RemoteProvider:
    """Embeds over HTTP; thread-safe.

    ``shape`` puts texts into requests, ``access`` lets the requests in. ``known_size``
    gives the size of the vectors that its space holds from before.
    """

    def __init__(
        self,
        settings: RemoteSettings,
        shape: WireShape,
        access: Access,
        client: HttpClient,
        known_size: KnownSize = lambda space: None,
    ) -> None:
        self._settings = settings
        self._shape = shape
        self._access = access
        self._client = client
        self._query_turn = 0
        at_once = min(settings.concurrency, MOST_AT_ONCE)
        self._learned = LearnedLimits(replace(settings.limits, concurrency=at_once))
        self._size = SpaceSize(self.identity.key(), settings.wire.dimensions, known_size)

    @property
    def identity(self) -> ProviderIdentity:
        """The vector space: provider, model, address, asked size and document input type."""
        settings = self._settings
        return ProviderIdentity(
            settings.provider,
            settings.wire.model,
            endpoint_fingerprint(settings.base_url, settings.headers, self._shape.version),
            settings.wire.dimensions,
            settings.document_input_type,
        )

    @property
    def limits(self) -> ProviderLimits:
        """What fits into one request, narrowed by what the endpoint has refused so far."""
        return self._learned.now

    @property
    def learned_limits(self) -> ProviderLimits | None:
        """The limits that the endpoint has taught, None while it takes what it is said to."""
        return self._learned.now if self._learned.learned else None

    def recall_limits(self, limits: ProviderLimits) -> None:
        """Begin with what an earlier run was taught."""
        self._learned.recall(limits)

    @property
    def remote(self) -> bool:
        """False only for a server on this machine that takes no key."""
        return not self._settings.local

    @property
    def vector_floor(self) -> float:
        """Unknown for other models, so 0."""
        return 0.0

    def embed_documents(self, texts: Sequence[str], cancelled: Cancelled) -> EmbeddedBatch:
        """Embed texts for the index, in as many requests as needed, one after another."""

        def send(part: Sequence[str]) -> Decoded | Complained:
            seconds = self._settings.index_seconds
            return self._ask(part, "document", INDEXING, seconds, cancelled)

        return PackedCall(send, self._learned, cancelled).embed(texts)

    def embed_query(self, text: str) -> Vector | None:
        """Embed a query; None when it is empty or gets no usable vector."""
        return self._query(text, QUERYING, self._settings.query_seconds)

    def probe_query(self, text: str) -> Vector | None:
        """As ``embed_query``, with one attempt and little patience: is the host back?"""
        return self._query(text, PROBING, min(PROBE_SECONDS, self._settings.query_seconds))

    def interrupt_queries(self) -> None:
        """End the queries that are under way; they raise CancelledError."""
        self._query_turn += 1

    def cached_query(self, text: str) -> Vector | None:
        """Always None: this class remembers nothing (``QueryMemory`` does)."""
        return None

    def close(self) -> None:
        """Nothing of its own to release; the client belongs to the engine."""

    def _query(self, text: str, policy: RetryPolicy, seconds: float) -> Vector | None:
        turn = self._query_turn

        def cancelled() -> bool:
            return self._query_turn != turn

        def send(part: Sequence[str]) -> Decoded | Complained:
            return self._ask(part, "query", policy, seconds, cancelled)

        return PackedCall(send, self._learned, cancelled).embed([text]).vectors[0]

    def _ask(
        self,
        texts: Sequence[str],
        purpose: Purpose,
        policy: RetryPolicy,
        seconds: float,
        cancelled: Cancelled,
    ) -> Decoded | Complained:
        limits = ExchangeLimits(read_s=seconds, total_s=seconds)
        try:
            request, response = self._exchange(texts, purpose, limits, policy, cancelled)
        except TooManyTextsError as error:
            return Complained("request", self._too_many(error.rows), error.rows)
        except TransportError as error:
            if len(texts) > 1 and error.trouble in ("dropped", "too-large"):
                return Complained("content", error)
            raise
        if not response.ok:
            return self._complained(request, response)
        decoded = self._decoded(response, len(texts))
        tokens = estimated_tokens(texts) if decoded.tokens is None else decoded.tokens
        self._client.meter.charged(tokens, estimated=decoded.tokens is None)
        return decoded

    def _exchange(
        self,
        texts: Sequence[str],
        purpose: Purpose,
        limits: ExchangeLimits,
        policy: RetryPolicy,
        cancelled: Cancelled,
    ) -> tuple[HttpRequest, HttpResponse]:
        """What was sent last and its answer; a refused entrance is opened anew once."""
        renewed = False
        while True:
            entrance = self._access.open(self._client, cancelled)
            call = self._shape.encode(texts, purpose, entrance.model)
            url = joined(entrance.base_url, call.path)
            request = self._access.signed(HttpRequest(url, entrance.headers, call.body))
            response = self._client.send(request, limits, policy, cancelled)
            if response.ok or renewed or not self._access.forget(response):
                return request, response
            renewed = True

    def _too_many(self, rows: int) -> ProviderError:
        message = f"{self._host} takes {rows} texts a request."
        return ProviderError("Request refused", message, "This is a fault of memlens.")

    def _complained(self, request: HttpRequest, response: HttpResponse) -> Complained:
        """The complaint about the texts. Raises ProviderError for any other refusal."""
        settings = self._settings
        host = origin(request.url)
        endpoint = Endpoint(settings.provider, settings.wire.model, host, settings.key_source)
        now_ms = self._client.clock.now_ms()
        explained = self._access.explained(response)
        error = failure_of(response, endpoint, secrets_in(request.headers), now_ms, explained)
        about = complaint(response) if explained is None else explained.about
        if about is None:
            raise error
        rows = stated_rows(response) if explained is None else explained.rows
        return Complained(about, error, rows)

    def _decoded(self, response: HttpResponse, count: int) -> Decoded:
        try:
            decoded = self._shape.decode(response.body, count)
        except AnswerError as error:
            raise ProviderError(
                "Answer not understood",
                f"The answer of {self._host} is no list of embeddings: {error}.",
                "Check that remote.baseUrl is the address of an embeddings API, usually with /v1.",
                status=response.status,
            ) from None
        for vector in decoded.vectors:
            if vector is not None:
                self._size.check(len(vector), self._host)
        if decoded.tokens is None:
            return replace(decoded, tokens=stated_tokens(response.headers))
        return decoded

    @property
    def _host(self) -> str:
        return origin(self._settings.base_url)


def endpoint_fingerprint(base_url: str, headers: Mapping[str, str], version: str = "") -> str:
    """The address without credentials, a digest of plain extra headers, the shape's treatment."""
    parts = [without_secrets(base_url)]
    plain = {k.lower(): v for k, v in headers.items() if not is_secret_name(k)}
    if plain:
        digest = hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()
        parts.append(f"headers:{digest[:12]}")
    return ";".join([*parts, version] if version else parts)
