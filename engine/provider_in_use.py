"""The embedding provider of one memory: chosen once, asked often, honest about failures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from engine.embeddings.builtin.provider import BUILTIN_ID, BuiltinProvider
from engine.embeddings.query_memory import QueryMemory
from engine.retrieval.legs import VectorLeg
from engine.status import ProviderState

if TYPE_CHECKING:
    from engine.config.resolved import ResolvedConfig
    from engine.embeddings.contract import EmbeddingProvider


class ProviderInUse:
    def __init__(self, provider: EmbeddingProvider | None) -> None:
        self.active = QueryMemory(provider) if provider else None

    @property
    def space(self) -> str | None:
        return None if self.active is None else self.active.identity.key()

    @property
    def model(self) -> str:
        return "" if self.active is None else self.active.identity.model

    def state(self, dimensions: int | None) -> ProviderState:
        return ProviderState(
            "auto", BUILTIN_ID, self.model, dimensions, "active", "builtin", (), ""
        )

    def vector_leg(self, *, send_query: bool) -> VectorLeg:
        assert self.active is not None
        identity = self.active.identity
        return VectorLeg(
            self.active.embed_query,
            identity.key(),
            identity.provider,
            identity.model,
            self.active.vector_floor,
        )

    def close(self) -> None:
        if self.active is not None:
            self.active.close()


def provider_in_use(config: ResolvedConfig, environ: Mapping[str, str]) -> ProviderInUse:
    return ProviderInUse(BuiltinProvider())
