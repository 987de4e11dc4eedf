"""From a configuration to the providers that it leads to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import SystemRandom
from typing import TYPE_CHECKING

from engine.clock import Clock
from engine.events import EventSink, HostPaused, HostResumed, Notice
from engine.provider_in_use.in_use import ProviderInUse

if TYPE_CHECKING:
    from engine.config.resolved import ResolvedConfig
    from engine.embeddings.contract import EmbeddingProvider, KnownSize
    from engine.embeddings.outage_log import Notes
    from engine.embeddings.selection.choice import ProviderChoice
    from engine.net.client import HttpClient
    from engine.net.pauses import Pause, Sleeper
    from engine.net.transport import HttpxTransport


def provider_in_use(
    config: ResolvedConfig,
    environ: Mapping[str, str],
    clock: Clock,
    emit: EventSink,
    sleeper: Sleeper | None,
    known_size: KnownSize,
    notes: Callable[[], Notes | None] = lambda: None,
) -> ProviderInUse:
    """Select a provider for a configuration and make it; loads and sends nothing yet.

    ``emit`` is told of each pause before another attempt and when the standby begins and
    ends to answer; ``sleeper`` waits, None by the clock; ``known_size`` gives the dimensions that
    a vector space has in the store; ``notes`` the place where outages are kept, if there is one.
    """
    from engine.embeddings.batch_jobs.offer import batch_service
    from engine.embeddings.cost.price_table import PriceTable
    from engine.embeddings.local.provider import LocalParts
    from engine.embeddings.registry import create_provider
    from engine.embeddings.remote.settings import RemoteSettings
    from engine.embeddings.selection.choosing import select_provider
    from engine.embeddings.selection.provider_request import request_of
    from engine.net.transport import HttpxTransport
    from engine.provider_in_use.wires import Wires

    choice = select_provider(request_of(config), environ, clock.now_ms())
    transport = HttpxTransport(environ, clock)
    wires = Wires(_client(transport, clock, emit, sleeper))
    local = LocalParts(environ, clock, emit, sleeper)

    def made(chosen: ProviderChoice) -> tuple[EmbeddingProvider | None, HttpClient]:
        settings, client = chosen.settings, wires.client
        if isinstance(settings, RemoteSettings):
            client = wires.metered(settings.provider, settings.base_url)
        provider = create_provider(
            chosen, client, known_size, lambda sentence: emit(Notice("warning", sentence)), local
        )
        if provider is not None and client is not wires.client:
            wires.counts(client, provider)
        return provider, client

    primary, client = made(choice)
    standby = made(choice.standby)[0] if choice.standby else None
    jobs = None
    if primary is not None and choice.settings is not None:
        space = primary.identity.key()
        jobs = batch_service(choice.settings, space, client, transport, known_size)
    prices = PriceTable(config.own.prices)
    return ProviderInUse(choice, primary, standby, wires, emit, jobs, notes=notes, prices=prices)


def _client(
    transport: HttpxTransport, clock: Clock, emit: EventSink, sleeper: Sleeper | None
) -> HttpClient:
    """A client that tells of its waits."""
    from engine.net.client import HttpClient

    def on_wait(host: str, seconds: float) -> None:
        emit(Notice("info", f"{host} did not answer as hoped; next attempt in {seconds:.1f} s."))

    def on_pause(pause: Pause) -> None:
        until_ms = clock.now_ms() + pause.seconds * 1000.0
        emit(HostPaused(pause.host, pause.seconds, until_ms, pause.reason))
        emit(Notice("info", f"{pause.host}: {pause.reason}; pausing for {pause.seconds:.0f} s."))

    return HttpClient(
        transport,
        clock,
        SystemRandom().random,
        sleeper=sleeper,
        on_wait=on_wait,
        on_pause=on_pause,
        on_resume=lambda host: emit(HostResumed(host)),
    )
