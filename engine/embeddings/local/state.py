"""What a status says of a local model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.embeddings.remote.query_memory import without_memory

if TYPE_CHECKING:
    from engine.embeddings.contract import EmbeddingProvider
    from engine.local_status import LocalModelState


def local_state(provider: EmbeddingProvider | None) -> LocalModelState | None:
    """The state of the model and its process; None for every other provider."""
    from engine.embeddings.local.provider import LocalProvider

    behind = None if provider is None else without_memory(provider)
    return behind.state() if isinstance(behind, LocalProvider) else None
