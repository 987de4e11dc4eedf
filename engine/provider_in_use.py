"""The embedding provider of one memory: chosen once, asked often, honest about failures."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import replace
from random import SystemRandom
from typing import TYPE_CHECKING

from engine.clock import Clock
from engine.errors import CancelledError, EngineError
from engine.events import EventSink, Notice
from engine.retrieval.legs import VectorLeg
from engine.status import ProviderState

if TYPE_CHECKING:
    from engine.config.resolved import ResolvedConfig
    from engine.embeddings.choice import ProviderChoice
    from engine.embeddings.contract import EmbeddingProvider, Vector
    from engine.net.client import HttpClient
    from engine.net.pauses import Sleeper


class ProviderInUse:
    """A choice, the provider that came of it, and how the last query went.

    Thread-safe. ``active`` is None when there are no embeddings; then keywords answer.
    """

    def __init__(
        self,
        choice: ProviderChoice,
        active: EmbeddingProvider | None,
        client: HttpClient,
        since_ms: float,
    ) -> None:
        self.choice = choice
        self.active = active
        self._client = client
        self._since_ms = since_ms
        self._lock = threading.Lock()
        self._failure: EngineError | None = None

    @property
    def space(self) -> str | None:
        """The key of the vector space that it fills; None without a provider."""
        return None if self.active is None else self.active.identity.key()

    @property
    def model(self) -> str:
        """The model in use; empty without a provider."""
        return "" if self.active is None else self.active.identity.model

    def state(self, dimensions: int | None) -> ProviderState:
        """For the status: the choice, and the failure of the last query if it failed."""
        state = self.choice.state(dimensions, self._since_ms)
        with self._lock:
            failure = self._failure
        if failure is None:
            return state
        return replace(state, mode="degraded", error=f"{failure.title}: {failure.message}")

    def vector_leg(self, query: str, *, send_query: bool) -> VectorLeg:
        """How this query becomes a vector; without ``send_query`` only if that is free."""
        active = self.active
        if active is None:
            return VectorLeg(None, "", self.choice.provider, "", absent=self.choice.reason)
        identity = active.identity
        leg = VectorLeg(
            self._embed, identity.key(), identity.provider, identity.model, active.vector_floor
        )
        if send_query or not active.remote or active.cached_query(query) is not None:
            return leg
        waits = f"Keywords only until Enter sends the query to {identity.provider}."
        return replace(leg, embed=None, absent=waits)

    def probe(self, word: str) -> str | None:
        """Embed one word: None when that works, else a sentence on what went wrong."""
        if self.active is None:
            return self.choice.reason
        try:
            self._embed(word)
        except EngineError as error:
            return f"{error.title}: {error.message}"
        return None

    def close(self) -> None:
        """Release what the provider holds and end its waits."""
        self._client.close()
        if self.active is not None:
            self.active.close()

    def _embed(self, text: str) -> Vector | None:
        assert self.active is not None
        try:
            vector = self.active.embed_query(text)
        except CancelledError:
            raise
        except EngineError as error:
            self._remember(error)
            raise
        self._remember(None)
        return vector

    def _remember(self, failure: EngineError | None) -> None:
        with self._lock:
            self._failure = failure


def provider_in_use(
    config: ResolvedConfig,
    environ: Mapping[str, str],
    clock: Clock,
    emit: EventSink,
    sleeper: Sleeper | None = None,
) -> ProviderInUse:
    """Select a provider for a configuration and make it; loads and sends nothing yet.

    ``emit`` is told when a host asks for a pause; ``sleeper`` waits, None by the clock.
    """
    from engine.embeddings.provider_request import request_of
    from engine.embeddings.registry import create_provider
    from engine.embeddings.selection import select_provider
    from engine.net.client import HttpClient
    from engine.net.transport import HttpxTransport

    def on_wait(host: str, seconds: float) -> None:
        emit(Notice("info", f"{host} asked for a pause of {seconds:.0f} s."))

    now = clock.now_ms()
    choice = select_provider(request_of(config), environ, now)
    client = HttpClient(
        HttpxTransport(environ, clock),
        clock,
        SystemRandom().random,
        sleeper=sleeper,
        on_wait=on_wait,
    )
    return ProviderInUse(choice, create_provider(choice, client), client, now)
