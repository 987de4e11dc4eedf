"""From a choice to a working provider."""

from __future__ import annotations

from engine.embeddings.builtin.provider import BUILTIN_ID, BuiltinProvider
from engine.embeddings.contract import EmbeddingProvider, KnownSize, Tell, tell_nobody
from engine.embeddings.plugins.settings import PluginSettings
from engine.embeddings.selection.choice import ProviderChoice
from engine.net.client import HttpClient


def create_provider(
    choice: ProviderChoice,
    client: HttpClient,
    known_size: KnownSize = lambda space: None,
    tell: Tell = tell_nobody,
) -> EmbeddingProvider | None:
    """The provider of a choice, None for "none"; loads and sends nothing yet.

    Query vectors of a remote provider are remembered, so that the same query is sent once.
    ``known_size`` is asked once, when the first vector comes; ``tell`` hears of what goes
    less well than it should without being a failure.
    """
    if choice.provider == BUILTIN_ID:
        return BuiltinProvider()
    if choice.settings is None:
        return None
    from engine.embeddings.remote.query_memory import QueryMemory

    if isinstance(choice.settings, PluginSettings):
        from engine.embeddings.plugins.provider import PluginProvider

        return QueryMemory(PluginProvider(choice.settings, known_size))
    from engine.embeddings.adapters import remote_provider

    return QueryMemory(remote_provider(choice.settings, client, known_size, tell))
