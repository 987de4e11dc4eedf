"""A provider as a configuration would make it, on a fake host, with time that stands still."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from engine.embeddings.contract import EmbeddingProvider
from engine.embeddings.registry import create_provider
from engine.embeddings.selection.choice import ProviderChoice
from engine.embeddings.selection.choosing import select_provider
from engine.embeddings.selection.provider_request import ProviderRequest, RemoteRequest
from engine.net.client import HttpClient
from engine.net.transport import HttpxTransport
from tests.fakes.still_time import StillTime


def choice_of(
    provider: str, base_url: str, key: str | None, environ: Mapping[str, str], **keys: Any
) -> ProviderChoice:
    """What selection makes of ``memorySearch`` with these keys."""
    request = ProviderRequest(
        provider=provider, remote=RemoteRequest(base_url, api_key=key), **keys
    )
    time = StillTime()
    return select_provider(request, environ, time.clock.now_ms())


@contextmanager
def vendor(
    provider: str,
    base_url: str,
    key: str | None = None,
    *,
    environ: Mapping[str, str] | None = None,
    **keys: Any,
) -> Iterator[EmbeddingProvider]:
    """The provider of that choice; no failure waits for real."""
    choice = choice_of(provider, base_url, key, environ or {}, **keys)
    assert choice.error is None, choice.error
    time = StillTime()
    client = HttpClient(HttpxTransport({}), time.clock, lambda: 0.0, sleeper=time)
    made = create_provider(choice, client)
    assert made is not None
    try:
        yield made
    finally:
        made.close()
        client.close()


def assert_same(vector: Any, expected: list[float]) -> None:
    """A vector of length 1 in the direction that is expected."""
    assert vector is not None
    wanted = np.array(expected)
    assert np.allclose(vector, wanted / np.linalg.norm(wanted), atol=1e-6)
