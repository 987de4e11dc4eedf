"""Providers as a configuration leads to them: selection, way in and shape, all real."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from engine.embeddings.contract import EmbeddedBatch, EmbeddingProvider
from engine.embeddings.registry import create_provider
from engine.embeddings.selection.choice import ProviderChoice
from engine.embeddings.selection.choosing import select_provider
from engine.embeddings.selection.provider_request import ProviderRequest, RemoteRequest
from engine.net.client import HttpClient
from engine.net.messages import never
from engine.net.transport import HttpxTransport
from tests.fakes.bow192 import bow_192
from tests.fakes.still_time import StillTime


@dataclass
class Selected:
    """A choice and the provider that came of it; ``told`` is what it told meanwhile."""

    choice: ProviderChoice
    provider: EmbeddingProvider
    told: list[str]

    def embed(self, *texts: str) -> EmbeddedBatch:
        """As the index does."""
        return self.provider.embed_documents(texts, never)


@dataclass
class Asked:
    """What a configuration asks for; ``home`` is where the provider's own entry says it is."""

    provider: str
    home: str = ""
    environ: Mapping[str, str] = field(default_factory=dict)
    time: StillTime = field(default_factory=StillTime)
    entry_id: str = ""

    def choose(self, **request: Any) -> ProviderChoice:
        """The choice alone; nothing is sent."""
        entries = {}
        if self.home:
            entries = {self.entry_id or self.provider: RemoteRequest(base_url=self.home)}
        wanted = ProviderRequest(provider=self.provider, entries=entries)
        changed = {**{f: getattr(wanted, f) for f in wanted.__slots__}, **request}
        return select_provider(ProviderRequest(**changed), self.environ, self.time.clock.now_ms())

    @contextmanager
    def open(self, **request: Any) -> Iterator[Selected]:
        """The provider, closed at the end."""
        choice = self.choose(**request)
        assert choice.settings is not None, choice.error
        transport = HttpxTransport({})
        client = HttpClient(transport, self.time.clock, lambda: 0.0, sleeper=self.time)
        told: list[str] = []
        provider = create_provider(choice, client, lambda space: None, told.append)
        assert provider is not None
        try:
            yield Selected(choice, provider, told)
        finally:
            client.close()


def assert_right(batch: EmbeddedBatch, *texts: str) -> None:
    """Every text has the bag of words as its vector, whatever its size."""
    assert batch.refusals == ()
    for text, vector in zip(texts, batch.vectors, strict=True):
        assert vector is not None
        expected = np.array(bow_192(text))
        assert np.allclose(vector[:192], expected / np.linalg.norm(expected), atol=1e-5)
