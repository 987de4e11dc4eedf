"""The embedding provider of one memory: chosen once, asked often, honest about failures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from engine.embeddings.builtin.provider import BUILTIN_ID
from engine.embeddings.contract import Impatient
from engine.embeddings.cost.price_table import PriceTable
from engine.embeddings.local.state import local_state
from engine.embeddings.outage import Outage, words
from engine.embeddings.outage_log import Notes, OutageLog, Parties
from engine.embeddings.spaces import spaces_by_role
from engine.errors import EngineError, ProviderError
from engine.events import EventSink
from engine.provider_in_use.primary import Primary
from engine.ranking.candidate import VECTOR_LEG
from engine.retrieval.legs import VectorLeg
from engine.status import (
    FallbackSpell,
    FallbackState,
    PassedOver,
    ProbeReport,
    ProviderState,
    VectorSpace,
)

if TYPE_CHECKING:
    from engine.embeddings.batch_jobs.service import BatchService
    from engine.embeddings.contract import EmbeddingProvider, Vector
    from engine.embeddings.selection.choice import ProviderChoice
    from engine.provider_in_use.wires import Wires
    from engine.ranking.pool import CandidatePool
    from engine.store.store import Store

NO_VECTOR = "It answered, but with no usable vector."


class ProviderInUse:
    """A choice, the provider that came of it, its standby, and how the last attempt went.

    Thread-safe. ``primary`` fills the index; None when there are no embeddings, and then
    keywords answer. ``standby`` is the configured fallback: it answers, in a vector space
    of its own, from a failure of the primary until that answers again. ``batch_service``
    are the batch jobs of the primary, None where it has none. ``watched`` is the primary
    with a memory of how it did, None for one that cannot fail. ``notes`` is where outages
    are kept, so that all processes know of them.
    """

    def __init__(
        self,
        choice: ProviderChoice,
        primary: EmbeddingProvider | None,
        standby: EmbeddingProvider | None,
        wires: Wires,
        emit: EventSink,
        batch_service: BatchService | None = None,
        *,
        notes: Callable[[], Notes | None] = lambda: None,
        prices: PriceTable | None = None,
    ) -> None:
        self.batch_service = batch_service
        self.choice = choice
        self.primary = primary
        self.standby = standby
        self.wires = wires
        self.prices = prices or PriceTable()
        self._clock = wires.client.clock
        self._since_ms = self._clock.now_ms()
        self._log = OutageLog(self._clock, notes, self._parties)
        self.watched = self._watched(emit)

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
        return self.standby is not None and self.outage is not None

    @property
    def outage(self) -> Outage | None:
        """Since when the primary does not answer, and why; None while it does."""
        return None if self.watched is None else self.watched.outage

    def history(self) -> tuple[FallbackSpell, ...]:
        """The latest times in which a fallback answered, newest first."""
        first = self.choice.fallback_from
        if first is None:
            return self._log.spells()
        reason = self.choice.error or ""
        now = FallbackSpell(first, self.choice.provider, reason, self._since_ms)
        return (now, *self._log.spells())

    def state(self, dimensions: int | None) -> ProviderState:
        """For the status: the choice, and what became of it since."""
        state = self.choice.state(dimensions, self._since_ms)
        passed_over = (*state.passed_over, *self._plugins)
        state = replace(state, passed_over=passed_over, local=local_state(self.primary))
        outage = self.outage
        if outage is None:
            return state
        if self.standby is None:
            return replace(
                state,
                mode="degraded",
                error=outage.reason,
                error_hint=outage.hint,
                again_ms=self._again_ms(outage) if outage.slow else None,
            )
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
                self._again_ms(outage),
            ),
            error=outage.reason,
            error_hint=outage.hint,
        )

    def _again_ms(self, outage: Outage) -> float:
        return self._clock.now_ms() + (outage.ask_at_s - self._clock.monotonic()) * 1000.0

    def spaces(self, store: Store) -> tuple[VectorSpace, ...]:
        """The vector spaces of a store and what each is here, the one in use first."""
        mine = [each for each in (self.primary, self.standby) if each is not None]
        held = store.spaces([provider.identity.key() for provider in mine])
        return spaces_by_role(held, self.primary, self.standby, self.prices.price_of)

    def vector_leg(
        self, query: str, *, send_query: bool, consented: Callable[[], bool] = lambda: True
    ) -> VectorLeg:
        """How this query becomes a vector; without ``send_query`` only if that is free.

        ``consented`` tells whether the primary may be sent anything of this memory at all.
        """
        if self.primary is None:
            return VectorLeg(None, "", self.choice.provider, "", absent=self.choice.reason)
        if self._remembers(query):
            return _leg(self.primary, self.primary.embed_query, query, send_query)
        rest = self._rest(send_query)
        if rest is not None and self.standby is not None:
            return _leg(self.standby, self.standby.embed_query, query, send_query)
        embed = self._ask if rest is None else _refusing(rest)
        leg = _leg(self.primary, embed, query, send_query)
        if leg.embed is None or not self.primary.remote or consented():
            return leg
        waits = f"Keywords only: indexing with {leg.provider} waits for your consent."
        return replace(leg, embed=None, absent=waits)

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
            vector = self._probed(word)
        except EngineError as error:
            report = replace(report, problem=words(error), hint=error.hint)
        else:
            size = None if vector is None else int(vector.shape[0])
            report = replace(report, problem=NO_VECTOR if size is None else None, dimensions=size)
        return replace(report, latency_ms=(self._clock.monotonic() - begun_s) * 1000.0)

    def interrupt(self) -> None:
        """End the queries that are under way with CancelledError."""
        asked: list[object] = [self.primary, self.standby]
        for provider in asked:
            if isinstance(provider, Impatient):
                provider.interrupt_queries()

    def close(self) -> None:
        """Release what the providers hold and end their waits."""
        self.wires.client.close()
        for provider in (self.primary, self.standby):
            if provider is not None:
                provider.close()

    @cached_property
    def _plugins(self) -> tuple[PassedOver, ...]:
        """Looked up when a status is asked for: that takes longer than choosing a provider."""
        from engine.embeddings.selection.plugins import passed_over_plugins

        return passed_over_plugins(self.choice)

    @property
    def _parties(self) -> Parties:
        space = "" if self.primary is None else self.primary.identity.key()
        standby = None if self.standby is None else self.standby.identity.provider
        return Parties(space, self.choice.provider, standby)

    def _watched(self, emit: EventSink) -> Primary | None:
        if self.primary is None or self.choice.provider == BUILTIN_ID:
            return None
        name, standby = self.choice.provider, self._parties.standby
        return Primary(self.primary, name, standby, self._log, self._clock, emit)

    def _rest(self, send_query: bool) -> ProviderError | None:
        """What to say instead of asking the primary; None when it may be asked."""
        if self.watched is None or (outage := self.watched.outage) is None:
            return None
        if not send_query and self.standby is not None:
            return outage.error(self._clock.monotonic())
        return self.watched.rests()

    def _remembers(self, query: str) -> bool:
        """Whether the primary has this query's vector from before, so that nobody is asked."""
        if self.primary is None or self.choice.settings is None:
            return False
        return self.primary.cached_query(query) is not None

    def _ask(self, text: str) -> Vector | None:
        assert self.primary is not None
        return self.primary.embed_query(text) if self.watched is None else self.watched.ask(text)

    def _probed(self, word: str) -> Vector | None:
        assert self.primary is not None
        return self.primary.embed_query(word) if self.watched is None else self.watched.probe(word)


def _refusing(error: ProviderError) -> Callable[[str], Vector | None]:
    """Says what is wrong, and sends nothing."""

    def embed(text: str) -> Vector | None:
        raise error

    return embed


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
