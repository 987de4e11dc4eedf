"""The embedding provider of one memory: chosen once, asked often, honest about failures."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property
from random import SystemRandom
from typing import TYPE_CHECKING

from engine.clock import Clock
from engine.embeddings.local.state import local_state
from engine.embeddings.outage import Outage, begun, words
from engine.embeddings.remote.query_memory import without_memory
from engine.embeddings.spaces import spaces_by_role
from engine.errors import CancelledError, EngineError
from engine.events import (
    EngineEvent,
    EventSink,
    HostPaused,
    HostResumed,
    Notice,
    SyncFinished,
)
from engine.ranking.candidate import VECTOR_LEG
from engine.retrieval.legs import VectorLeg
from engine.status import FallbackState, PassedOver, ProbeReport, ProviderState, VectorSpace

if TYPE_CHECKING:
    from engine.config.resolved import ResolvedConfig
    from engine.embeddings.batch_jobs.service import BatchService
    from engine.embeddings.contract import EmbeddingProvider, KnownSize, Vector
    from engine.embeddings.selection.choice import ProviderChoice
    from engine.net.client import HttpClient
    from engine.net.pauses import Pause, Sleeper
    from engine.ranking.pool import CandidatePool
    from engine.store.store import Store

NO_VECTOR = "It answered, but with no usable vector."


class ProviderInUse:
    """A choice, the provider that came of it, its standby, and how the last attempt went.

    Thread-safe. ``primary`` fills the index; None when there are no embeddings, and then
    keywords answer. ``standby`` is the configured fallback: it answers, in a vector space
    of its own, from a failure of the primary until that answers again. ``batch_service``
    are the batch jobs of the primary, None where it has none.
    """

    def __init__(
        self,
        choice: ProviderChoice,
        primary: EmbeddingProvider | None,
        standby: EmbeddingProvider | None,
        client: HttpClient,
        emit: EventSink,
        batch_service: BatchService | None = None,
    ) -> None:
        self.batch_service = batch_service
        self.choice = choice
        self.primary = primary
        self.standby = standby
        self._client = client
        self._clock = client.clock
        self._emit = emit
        self._since_ms = self._clock.now_ms()
        self._lock = threading.Lock()
        self._outage: Outage | None = None

    @property
    def space(self) -> str | None:
        """The vector space that answers now; None without a provider."""
        answering = self.standby if self.stands_in else self.primary
        return None if answering is None else answering.identity.key()

    @property
    def model(self) -> str:
        """The model that the index is filled with; empty without a provider."""
        return "" if self.primary is None else self.primary.identity.model

    @property
    def stands_in(self) -> bool:
        """True while the standby answers instead of the primary."""
        return self.standby is not None and self._outage is not None

    def state(self, dimensions: int | None) -> ProviderState:
        """For the status: the choice, and what became of it since."""
        state = self.choice.state(dimensions, self._since_ms)
        passed_over = (*state.passed_over, *self._plugins)
        state = replace(state, passed_over=passed_over, local=local_state(self.primary))
        outage = self._outage
        if outage is None:
            return state
        if self.standby is None:
            return replace(state, mode="degraded", error=outage.reason, error_hint=outage.hint)
        instead = self.standby.identity
        return replace(
            state,
            provider=instead.provider,
            model=instead.model,
            mode="fallback-active",
            remote=self.standby.remote,
            fallback=FallbackState(
                state.provider,
                instead.provider,
                outage.reason,
                outage.since_ms,
                self._clock.now_ms() + (outage.ask_at_s - self._clock.monotonic()) * 1000.0,
            ),
            error=outage.reason,
            error_hint=outage.hint,
        )

    def spaces(self, store: Store) -> tuple[VectorSpace, ...]:
        """The vector spaces of a store and what each is here, the one in use first."""
        mine = [each for each in (self.primary, self.standby) if each is not None]
        held = store.spaces([provider.identity.key() for provider in mine])
        return spaces_by_role(held, self.primary, self.standby)

    def vector_leg(self, query: str, *, send_query: bool) -> VectorLeg:
        """How this query becomes a vector; without ``send_query`` only if that is free."""
        if self.primary is None:
            return VectorLeg(None, "", self.choice.provider, "", absent=self.choice.reason)
        if self.standby is not None and self._rests(send_query) and not self._remembers(query):
            return _leg(self.standby, self.standby.embed_query, query, send_query)
        return _leg(self.primary, self._ask_primary, query, send_query)

    def gave_way(self, leg: VectorLeg, pool: CandidatePool) -> bool:
        """True when the primary failed in this very search, so that the standby is to be asked."""
        outcome = pool.leg(VECTOR_LEG)
        failed = outcome is not None and outcome.error is not None
        return failed and self.stands_in and leg.space != self.space

    def probe(self, word: str) -> ProbeReport:
        """Embed one word with the primary, never from memory; an outage ends when it answers."""
        now_ms, begun_s = self._clock.now_ms(), self._clock.monotonic()
        report = ProbeReport(self.choice.provider, self.model, now_ms)
        if self.primary is None:
            return replace(report, problem=self.choice.reason, hint=self.choice.hint)
        try:
            vector = self._put_to_primary(without_memory(self.primary), word)
        except EngineError as error:
            report = replace(report, problem=words(error), hint=error.hint)
        else:
            size = None if vector is None else int(vector.shape[0])
            report = replace(report, problem=NO_VECTOR if size is None else None, dimensions=size)
        return replace(report, latency_ms=(self._clock.monotonic() - begun_s) * 1000.0)

    def heard(self, event: EngineEvent) -> None:
        """Learn from a finished sync whether the primary answers."""
        if not isinstance(event, SyncFinished):
            return
        report = event.report
        if report.embedding_error is not None:
            self._failed(report.embedding_error, report.embedding_hint)
        elif report.embedded:
            self._answered()

    def close(self) -> None:
        """Release what the providers hold and end their waits."""
        self._client.close()
        for provider in (self.primary, self.standby):
            if provider is not None:
                provider.close()

    @cached_property
    def _plugins(self) -> tuple[PassedOver, ...]:
        """Looked up when a status is asked for: that takes longer than choosing a provider."""
        from engine.embeddings.selection.plugins import passed_over_plugins

        return passed_over_plugins(self.choice)

    def _rests(self, send_query: bool) -> bool:
        """Whether the primary is left alone: it fails, and is not due to be asked again."""
        outage = self._outage
        if outage is None:
            return False
        return not send_query or self._clock.monotonic() < outage.ask_at_s

    def _remembers(self, query: str) -> bool:
        """Whether the primary has this query's vector from before, so that nobody is asked."""
        if self.primary is None or self.choice.settings is None:
            return False
        return self.primary.cached_query(query) is not None

    def _ask_primary(self, text: str) -> Vector | None:
        assert self.primary is not None
        if self._remembers(text):
            return self.primary.embed_query(text)
        return self._put_to_primary(self.primary, text)

    def _put_to_primary(self, primary: EmbeddingProvider, text: str) -> Vector | None:
        """Ask, and note whether it answered."""
        try:
            vector = primary.embed_query(text)
        except CancelledError:
            raise
        except EngineError as error:
            self._failed(words(error), error.hint)
            raise
        if vector is not None:
            self._answered()
        return vector

    def _failed(self, reason: str, hint: str) -> None:
        now_s = self._clock.monotonic()
        with self._lock:
            before = self._outage
            if before is None:
                self._outage = begun(reason, hint, self._clock.now_ms(), now_s)
            else:
                self._outage = before.again(reason, hint, now_s)
        if before is None and self.standby is not None:
            name = self.standby.identity.provider
            first = self.choice.provider
            self._emit(Notice("warning", f"{first} fails; {name} answers meanwhile. {reason}"))

    def _answered(self) -> None:
        with self._lock:
            before, self._outage = self._outage, None
        if before is not None and self.standby is not None:
            self._emit(Notice("info", f"{self.choice.provider} answers again."))


def _leg(
    provider: EmbeddingProvider,
    embed: Callable[[str], Vector | None],
    query: str,
    send_query: bool,
) -> VectorLeg:
    identity = provider.identity
    leg = VectorLeg(embed, identity.key(), identity.provider, identity.model, provider.vector_floor)
    if send_query or not provider.remote or provider.cached_query(query) is not None:
        return leg
    waits = f"Keywords only until Enter sends the query to {identity.provider}."
    return replace(leg, embed=None, absent=waits)


def provider_in_use(
    config: ResolvedConfig,
    environ: Mapping[str, str],
    clock: Clock,
    emit: EventSink,
    sleeper: Sleeper | None,
    known_size: KnownSize,
) -> ProviderInUse:
    """Select a provider for a configuration and make it; loads and sends nothing yet.

    ``emit`` is told of each pause before another attempt and when the standby begins and
    ends to answer; ``sleeper`` waits, None by the clock; ``known_size`` gives the dimensions that
    a vector space has in the store.
    """
    from engine.embeddings.batch_jobs.offer import batch_service
    from engine.embeddings.local.provider import LocalParts
    from engine.embeddings.registry import create_provider
    from engine.embeddings.selection.choosing import select_provider
    from engine.embeddings.selection.provider_request import request_of
    from engine.net.client import HttpClient
    from engine.net.transport import HttpxTransport

    def on_wait(host: str, seconds: float) -> None:
        emit(Notice("info", f"{host} did not answer as hoped; next attempt in {seconds:.1f} s."))

    def on_pause(pause: Pause) -> None:
        until_ms = clock.now_ms() + pause.seconds * 1000.0
        emit(HostPaused(pause.host, pause.seconds, until_ms, pause.reason))
        emit(Notice("info", f"{pause.host}: {pause.reason}; pausing for {pause.seconds:.0f} s."))

    choice = select_provider(request_of(config), environ, clock.now_ms())
    transport = HttpxTransport(environ, clock)
    client = HttpClient(
        transport,
        clock,
        SystemRandom().random,
        sleeper=sleeper,
        on_wait=on_wait,
        on_pause=on_pause,
        on_resume=lambda host: emit(HostResumed(host)),
    )

    local = LocalParts(environ, clock, emit, sleeper)

    def made(chosen: ProviderChoice) -> EmbeddingProvider | None:
        return create_provider(
            chosen, client, known_size, lambda sentence: emit(Notice("warning", sentence)), local
        )

    primary, standby = made(choice), made(choice.standby) if choice.standby else None
    jobs = None
    if primary is not None and choice.settings is not None:
        space = primary.identity.key()
        jobs = batch_service(choice.settings, space, client, transport, known_size)
    return ProviderInUse(choice, primary, standby, client, emit, jobs)
