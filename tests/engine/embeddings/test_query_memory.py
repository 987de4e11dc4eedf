"""A query is sent once, and typing sends nothing."""

from __future__ import annotations

import numpy as np

from engine.embeddings.remote.query_memory import QueryMemory
from engine.net.messages import never
from tests.engine.embeddings.bench import provider_on
from tests.fakes.answers import with_vector
from tests.fakes.provider_server import FakeProvider


def test_a_query_is_sent_once_and_then_free() -> None:
    with FakeProvider() as fake, provider_on(fake) as inner:
        provider = QueryMemory(inner)
        assert provider.cached_query("router") is None
        assert fake.requests == []
        first = provider.embed_query("router")
        again, free = provider.embed_query("router"), provider.cached_query("router")
        assert first is not None
        assert again is not None
        assert free is not None
        assert np.array_equal(first, again)
        assert np.array_equal(first, free)
        assert fake.texts == ["router"]


def test_a_query_without_a_vector_is_not_sent_again_either() -> None:
    with FakeProvider(otherwise=with_vector([0.0, 0.0])) as fake, provider_on(fake) as inner:
        provider = QueryMemory(inner)
        assert provider.embed_query("router") is None
        assert provider.embed_query("router") is None
        assert len(fake.requests) == 1


def test_the_oldest_query_goes_first() -> None:
    with FakeProvider() as fake, provider_on(fake) as inner:
        provider = QueryMemory(inner, most=2)
        for query in ("a", "b", "a", "c"):
            provider.embed_query(query)
        assert provider.cached_query("a") is not None
        assert provider.cached_query("b") is None
        provider.close()
        assert provider.cached_query("a") is None


def test_everything_else_is_the_provider_behind() -> None:
    with FakeProvider() as fake, provider_on(fake) as inner:
        provider = QueryMemory(inner)
        assert provider.identity == inner.identity
        assert provider.limits == inner.limits
        assert (provider.remote, provider.vector_floor) == (True, 0.0)
        assert provider.embed_documents(["kestrel"], never).refusals == ()
