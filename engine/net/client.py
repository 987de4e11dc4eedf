"""Sending a request until it is answered or hopeless: transport, retries and pauses together."""

from __future__ import annotations

from collections.abc import Callable

from engine.clock import Clock
from engine.errors import ProviderError
from engine.net.host_guard import origin
from engine.net.messages import (
    Cancelled,
    ExchangeLimits,
    HttpRequest,
    HttpResponse,
    Transport,
    TransportError,
)
from engine.net.pauses import EventSleeper, HostPauses, Sleeper
from engine.net.retry import Attempts, Random, RetryPolicy

OnWait = Callable[[str, float], None]
"""Told before each pause: the host, and the seconds until the next attempt."""


class HttpClient:
    """One for all providers of an engine, so that they share the pauses of a host."""

    def __init__(
        self,
        transport: Transport,
        clock: Clock,
        random: Random,
        *,
        sleeper: Sleeper | None = None,
        on_wait: OnWait | None = None,
    ) -> None:
        self._transport = transport
        self._clock = clock
        self._random = random
        self._sleeper = sleeper or EventSleeper(clock)
        self._pauses = HostPauses(clock, self._sleeper)
        self._on_wait = on_wait

    @property
    def clock(self) -> Clock:
        """The clock that dates in answers are compared with."""
        return self._clock

    def send(
        self,
        request: HttpRequest,
        limits: ExchangeLimits,
        policy: RetryPolicy,
        cancelled: Cancelled,
    ) -> HttpResponse:
        """The last answer, whatever its status, once no retry can or may help.

        Raises TransportError when no answer came, ProviderError when the host asked
        for a longer pause than the policy allows, CancelledError.
        """
        host = origin(request.url)
        attempts = Attempts(policy, self._random)
        while True:
            if not self._pauses.wait(host, cancelled, attempts.afford):
                raise self._still_paused(host)
            outcome = self._try(request, limits, cancelled)
            wait = attempts.next(outcome, self._clock.now_ms())
            if wait is None:
                return _settled(outcome)
            if self._on_wait is not None:
                self._on_wait(host, wait.seconds)
            if wait.shared:
                self._pauses.hold(host, wait.seconds)
            self._pauses.sleep(wait.seconds, cancelled)

    def close(self) -> None:
        """End all waits and close all connections; for the end of the engine."""
        self._sleeper.wake()
        self._transport.close()

    def _try(
        self, request: HttpRequest, limits: ExchangeLimits, cancelled: Cancelled
    ) -> HttpResponse | TransportError:
        try:
            return self._transport.send(request, limits, cancelled)
        except TransportError as error:
            return error

    def _still_paused(self, host: str) -> ProviderError:
        seconds = self._pauses.remaining_s(host)
        return ProviderError(
            "Too many requests",
            f"{host} asked for a pause that lasts another {max(seconds, 1):.0f} s.",
            "Search again after it; keyword results do not depend on it.",
            status=429,
        )


def _settled(outcome: HttpResponse | TransportError) -> HttpResponse:
    if isinstance(outcome, TransportError):
        raise outcome
    return outcome
