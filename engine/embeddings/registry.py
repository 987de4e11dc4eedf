"""From a choice to a working provider."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.embeddings.builtin.provider import BUILTIN_ID, BuiltinProvider
from engine.embeddings.contract import EmbeddingProvider, KnownSize, Tell, tell_nobody
from engine.embeddings.local.settings import LocalSettings
from engine.embeddings.plugins.settings import PluginSettings
from engine.embeddings.selection.choice import ProviderChoice
from engine.net.client import HttpClient

if TYPE_CHECKING:
    from engine.embeddings.local.provider import LocalParts


def create_provider(
    choice: ProviderChoice,
    client: HttpClient,
    known_size: KnownSize = lambda space: None,
    tell: Tell = tell_nobody,
    local: LocalParts | None = None,
) -> EmbeddingProvider | None:
    """The provider of a choice, None for "none"; loads and sends nothing yet.

    Query vectors of a remote provider are remembered, so that the same query is sent once.
    ``known_size`` is asked once, when the first vector comes; ``tell`` hears of what goes
    less well than it should without being a failure. ``local`` is the surroundings of a
    model on this machine; without them it sees an empty environment and tells nobody.
    """
    if choice.provider == BUILTIN_ID:
        return BuiltinProvider()
    if choice.settings is None:
        return None
    from engine.embeddings.remote.query_memory import QueryMemory

    if isinstance(choice.settings, LocalSettings):
        from engine.embeddings.local.provider import LocalParts, create_local_provider

        parts = local or LocalParts({}, client.clock)
        return QueryMemory(create_local_provider(choice.settings, parts))
    if isinstance(choice.settings, PluginSettings):
        from engine.embeddings.plugins.provider import PluginProvider

        return QueryMemory(PluginProvider(choice.settings, known_size))
    from engine.embeddings.adapters import remote_provider

    return QueryMemory(remote_provider(choice.settings, client, known_size, tell))
