"""What goes over the network for the providers of one memory."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from engine.embeddings.contract import LearnsLimits
from engine.embeddings.remote.query_memory import without_memory
from engine.net.host_guard import origin
from engine.net.traffic import Meter
from engine.status import HostPause, ProviderTraffic, RequestLimits

if TYPE_CHECKING:
    from engine.embeddings.contract import EmbeddingProvider
    from engine.net.client import HttpClient


class Wires:
    """One client, and a meter for each provider that is asked through it."""

    def __init__(self, client: HttpClient) -> None:
        self.client = client
        self._meters: list[tuple[Meter, EmbeddingProvider]] = []

    def metered(self, provider: str, base_url: str) -> HttpClient:
        """A client that counts for a provider."""
        return self.client.metered(Meter(provider, origin(base_url)))

    def counts(self, client: HttpClient, provider: EmbeddingProvider) -> None:
        """List the provider that is asked through a metered client."""
        self._meters.append((client.meter, provider))

    def traffic(self) -> tuple[ProviderTraffic, ...]:
        """What was sent since this process began, the provider in use first."""
        return tuple(
            replace(meter.counts(), limits=_limits(provider)) for meter, provider in self._meters
        )

    def pauses(self) -> tuple[HostPause, ...]:
        """The hosts that are left alone now."""
        now_ms = self.client.clock.now_ms()
        return tuple(
            HostPause(pause.host, now_ms + pause.seconds * 1000.0, pause.reason)
            for pause in self.client.pauses
        )


def _limits(provider: EmbeddingProvider) -> RequestLimits:
    limits, asked = provider.limits, without_memory(provider)
    learned = isinstance(asked, LearnsLimits) and asked.learned_limits is not None
    return RequestLimits(
        limits.inputs_per_request, limits.bytes_per_request, limits.bytes_per_input, learned
    )
