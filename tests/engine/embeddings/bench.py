"""Providers on the fake endpoint, with time that does not pass by itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from engine.embeddings.adapters import remote_provider
from engine.embeddings.contract import EmbeddingProvider, ProviderLimits
from engine.embeddings.remote.settings import RemoteSettings, WireSettings
from engine.net.client import HttpClient
from engine.net.secret import Secret
from engine.net.transport import HttpxTransport
from tests.fakes.provider_server import FakeProvider
from tests.fakes.still_time import StillTime

KEY = "test-key-abcdef"
ROOMY = ProviderLimits(inputs_per_request=2048, bytes_per_request=300_000, bytes_per_input=8192)


@contextmanager
def provider_on(
    fake: FakeProvider,
    *,
    dimensions: int | None = None,
    base64: bool = False,
    time: StillTime | None = None,
    **changes: Any,
) -> Iterator[EmbeddingProvider]:
    """A provider that talks to the fake, closed at the end."""
    transport = HttpxTransport({})
    still = time or StillTime()
    client = HttpClient(transport, still.clock, lambda: 0.0, sleeper=still)
    settings: dict[str, Any] = {
        "provider": "openai",
        "base_url": fake.base_url,
        "wire": WireSettings("bow-192", dimensions, base64),
        "key": Secret(KEY),
        "key_source": "remote.apiKey",
    }
    try:
        yield remote_provider(RemoteSettings(**(settings | changes)), client, lambda space: None)
    finally:
        client.close()
