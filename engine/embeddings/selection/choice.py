"""Which provider is used, why, and what was passed over on the way."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine.status import FallbackState, PassedOver, ProviderMode, ProviderState

if TYPE_CHECKING:
    from engine.embeddings.selection.ready import Ready


@dataclass(frozen=True, slots=True)
class ProviderChoice:
    """The outcome of selection; no field shows a key.

    ``provider`` is an id, "builtin" or "none". ``error`` says why a provider that was
    named is not used; ``fallback_from`` which one the chosen one stands in for.
    ``agent_provider`` is what the agent itself would use ("none" for keywords only),
    ``agent_would`` the same as a sentence. ``at_hand`` names environment variables
    that hold a key which was not used, because nobody chose it. ``standby`` is the
    configured fallback, ready for the time when the chosen provider does not answer.
    """

    requested: str
    provider: str
    model: str
    reason: str
    passed_over: tuple[PassedOver, ...] = ()
    agent_provider: str = "none"
    agent_would: str = ""
    key_source: str | None = None
    remote: bool = False
    error: str | None = None
    hint: str = ""
    fallback_from: str | None = None
    at_hand: tuple[str, ...] = ()
    settings: Ready | None = field(default=None, repr=False)
    standby: ProviderChoice | None = None

    @property
    def mode(self) -> ProviderMode:
        """How the provider stands before anything was asked of it."""
        if self.fallback_from is not None:
            return "fallback-active"
        if self.provider != "none":
            return "active"
        return "degraded" if self.error else "keyword-only"

    def state(self, dimensions: int | None, since_ms: float) -> ProviderState:
        """The choice as part of the status; ``since_ms`` is when it was made (epoch)."""
        fallback = None
        if self.fallback_from is not None:
            fallback = FallbackState(self.fallback_from, self.provider, self.error or "", since_ms)
        return ProviderState(
            requested=self.requested,
            provider=self.provider,
            model=self.model,
            dimensions=dimensions,
            mode=self.mode,
            reason=self.reason,
            passed_over=self.passed_over,
            agent_would=self.agent_would,
            key_source=self.key_source,
            remote=self.remote,
            fallback=fallback,
            error=self.error,
            error_hint=self.hint,
        )
