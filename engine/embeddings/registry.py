"""From a choice to a working provider."""

from __future__ import annotations

from engine.embeddings.builtin.provider import BUILTIN_ID, BuiltinProvider
from engine.embeddings.choice import ProviderChoice
from engine.embeddings.contract import EmbeddingProvider, KnownSize
from engine.net.client import HttpClient


def create_provider(
    choice: ProviderChoice, client: HttpClient, known_size: KnownSize = lambda space: None
) -> EmbeddingProvider | None:
    """The provider of a choice, None for "none"; loads and sends nothing yet.

    Query vectors of a remote provider are remembered, so that the same query is sent once.
    ``known_size`` is asked once, when the first vector comes.
    """
    if choice.provider == BUILTIN_ID:
        return BuiltinProvider()
    if choice.settings is None:
        return None
    from engine.embeddings.openai import OpenAIProvider
    from engine.embeddings.query_memory import QueryMemory

    return QueryMemory(OpenAIProvider(choice.settings, client, known_size))
