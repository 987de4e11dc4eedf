"""The ``openai`` and ``openai-compatible`` providers: one wire shape, any host that speaks it."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from engine.embeddings.contract import (
    Cancelled,
    EmbeddedBatch,
    KnownSize,
    ProviderIdentity,
    ProviderLimits,
)
from engine.embeddings.failures import Endpoint, complaint, failure_of, stated_rows
from engine.embeddings.openai_settings import QUERY_SECONDS, OpenAISettings
from engine.embeddings.openai_wire import (
    PATH,
    AnswerError,
    Decoded,
    decode_answer,
    encode_request,
)
from engine.embeddings.packing import Complained, LearnedLimits, PackedCall
from engine.errors import ProviderError
from engine.net.host_guard import is_secret_name, joined, origin, without_secrets
from engine.net.messages import ExchangeLimits, HttpRequest, HttpResponse, TransportError, never
from engine.net.retry import INDEXING, QUERYING, RetryPolicy

if TYPE_CHECKING:
    from engine.embeddings.contract import Vector
    from engine.net.client import HttpClient


class OpenAIProvider:
    """Embeds over HTTP; thread-safe.

    ``known_size`` gives the size of the vectors that its space holds from before.
    """

    def __init__(
        self,
        settings: OpenAISettings,
        client: HttpClient,
        known_size: KnownSize = lambda space: None,
    ) -> None:
        self._settings = settings
        self._client = client
        self._known_size = known_size
        self._url = joined(settings.base_url, PATH)
        self._headers = _headers(settings)
        self._learned = LearnedLimits(settings.limits)
        self._lock = threading.Lock()
        self._size = settings.wire.dimensions

    @property
    def identity(self) -> ProviderIdentity:
        """The vector space: provider, model, address, asked size and document input type."""
        settings = self._settings
        return ProviderIdentity(
            settings.provider,
            settings.wire.model,
            endpoint_fingerprint(settings.base_url, settings.headers),
            settings.wire.dimensions,
            settings.document_input_type,
        )

    @property
    def limits(self) -> ProviderLimits:
        """What fits into one request, narrowed by what the endpoint has refused so far."""
        return self._learned.now

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
            return self._ask(part, self._settings.document_input_type, INDEXING, seconds, cancelled)

        return PackedCall(send, self._learned, cancelled).embed(texts)

    def embed_query(self, text: str) -> Vector | None:
        """Embed a query; None when it is empty or gets no usable vector."""

        def send(part: Sequence[str]) -> Decoded | Complained:
            return self._ask(part, self._settings.query_input_type, QUERYING, QUERY_SECONDS, never)

        return PackedCall(send, self._learned, never).embed([text]).vectors[0]

    def cached_query(self, text: str) -> Vector | None:
        """Always None: this class remembers nothing (``QueryMemory`` does)."""
        return None

    def close(self) -> None:
        """Nothing of its own to release; the client belongs to the engine."""

    def _ask(
        self,
        texts: Sequence[str],
        input_type: str | None,
        policy: RetryPolicy,
        seconds: float,
        cancelled: Cancelled,
    ) -> Decoded | Complained:
        body = encode_request(texts, self._settings.wire, input_type)
        request = HttpRequest(self._url, self._headers, body)
        limits = ExchangeLimits(read_s=seconds, total_s=seconds)
        try:
            response = self._client.send(request, limits, policy, cancelled)
        except TransportError as error:
            if len(texts) > 1 and error.trouble in ("dropped", "too-large"):
                return Complained("content", error)
            raise
        if not response.ok:
            return self._complained(response)
        return self._decoded(response, len(texts))

    def _complained(self, response: HttpResponse) -> Complained:
        """The complaint about the texts. Raises ProviderError for any other refusal."""
        settings = self._settings
        endpoint = Endpoint(
            settings.provider, settings.wire.model, origin(self._url), settings.key_source
        )
        now_ms = self._client.clock.now_ms()
        error = failure_of(response, endpoint, self._secrets(), now_ms)
        about = complaint(response)
        if about is None:
            raise error
        return Complained(about, error, stated_rows(response))

    def _decoded(self, response: HttpResponse, count: int) -> Decoded:
        try:
            decoded = decode_answer(response.body, count)
        except AnswerError as error:
            raise ProviderError(
                "Answer not understood",
                f"The answer of {origin(self._url)} is no list of embeddings: {error}.",
                "Check that remote.baseUrl is the address of an embeddings API, usually with /v1.",
                status=response.status,
            ) from None
        for vector in decoded.vectors:
            if vector is not None:
                self._check_size(len(vector))
        return decoded

    def _check_size(self, size: int) -> None:
        """All vectors of a space have one size; raises ProviderError for another one."""
        with self._lock:
            if self._size is None:
                self._size = self._known_size(self.identity.key()) or size
            expected = self._size
        if size != expected:
            asked = self._settings.wire.dimensions is not None
            raise ProviderError(
                "Wrong vector size",
                f"{origin(self._url)} answered with vectors of {size} numbers where {expected} "
                f"{'were asked for' if asked else 'came before'}; none of them was kept.",
                "Check model and outputDimensionality; a model that has changed its size "
                "needs the new one as outputDimensionality.",
            )

    def _secrets(self) -> list[str]:
        named = [value for name, value in self._settings.headers.items() if is_secret_name(name)]
        key = self._settings.key
        return named if key is None else [key.reveal(), *named]


def endpoint_fingerprint(base_url: str, headers: Mapping[str, str]) -> str:
    """The address without credentials, and a digest of extra headers that are no secret."""
    plain = {k.lower(): v for k, v in headers.items() if not is_secret_name(k)}
    if not plain:
        return without_secrets(base_url)
    digest = hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()
    return f"{without_secrets(base_url)};headers:{digest[:12]}"


def _headers(settings: OpenAISettings) -> Mapping[str, str]:
    headers = {"content-type": "application/json", "accept": "application/json"}
    if settings.key is not None:
        headers["authorization"] = f"Bearer {settings.key.reveal()}"
    return headers | {name.lower(): value for name, value in settings.headers.items()}
