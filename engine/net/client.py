"""Sending a request until it is answered or hopeless: transport, retries and pauses together."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace

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
from engine.net.pauses import EventSleeper, HostPauses, Pause, Sleeper
from engine.net.retry import Attempts, Outcome, Random, RetryPolicy, Wait
from engine.net.traffic import Meter

OnWait = Callable[[str, float], None]
"""Told before each wait of a single request: the host, and the seconds until the next attempt."""


class HttpClient:
    """One for all providers of an engine, so that they share the pauses of a host.

    ``on_wait`` is told of waits of one request, ``on_pause`` of pauses of a whole host and
    ``on_resume`` when requests go there again.
    """

    def __init__(
        self,
        transport: Transport,
        clock: Clock,
        random: Random,
        *,
        sleeper: Sleeper | None = None,
        on_wait: OnWait = lambda host, seconds: None,
        on_pause: Callable[[Pause], None] = lambda pause: None,
        on_resume: Callable[[str], None] = lambda host: None,
    ) -> None:
        self._transport = transport
        self._clock = clock
        self._random = random
        self._pauses = HostPauses(
            clock, sleeper or EventSleeper(clock), paused=on_pause, resumed=on_resume
        )
        self._on_wait = on_wait
        self._meter = Meter("", "")

    @property
    def clock(self) -> Clock:
        """The clock that dates in answers are compared with."""
        return self._clock

    @property
    def meter(self) -> Meter:
        """What was sent through this client; each ``metered`` one counts for itself."""
        return self._meter

    @property
    def pauses(self) -> list[Pause]:
        """The hosts that are left alone now."""
        return self._pauses.current()

    def metered(self, meter: Meter) -> HttpClient:
        """The same client, counting for one provider."""
        view = copy.copy(self)
        view._meter = meter
        return view

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
        deadline = self._clock.monotonic() + limits.total_s if policy.one_deadline else None
        while True:
            afford = attempts.afford
            with self._pauses.turn(host, cancelled, afford, in_line=policy.in_line) as turn:
                if not turn.granted:
                    raise self._still_paused(host)
                left = self._left(limits, deadline)
                outcome = self._try(request, left, cancelled, again=attempts.failed)
                wait = attempts.next(outcome, self._clock.now_ms())
                turn.welcome = not (wait and wait.shared)
                if wait is not None and wait.shared:
                    self._pauses.hold(host, wait.seconds, _reason(outcome))
            if wait is None or (deadline is not None and self._ends_after(deadline, wait)):
                return self._settled(outcome)
            if not wait.shared:
                self._on_wait(host, wait.seconds)
            self._pauses.sleep(wait.seconds, cancelled)

    def pause(self, seconds: float, cancelled: Cancelled) -> None:
        """A wait of the caller's own; a cancel and closing end it with CancelledError."""
        self._pauses.sleep(seconds, cancelled)

    def close(self) -> None:
        """End all waits and close all connections; for the end of the engine."""
        self._pauses.close()
        self._transport.close()

    def _try(
        self, request: HttpRequest, limits: ExchangeLimits, cancelled: Cancelled, *, again: bool
    ) -> Outcome:
        self._meter.sent(again=again)
        began = self._clock.monotonic()
        answered = False
        try:
            response = self._transport.send(request, limits, cancelled)
            answered = True
        except TransportError as error:
            return error
        finally:
            if not answered:
                self._meter.unanswered()
        took_ms = (self._clock.monotonic() - began) * 1000.0
        self._meter.answered(took_ms, self._clock.now_ms())
        return response

    def _left(self, limits: ExchangeLimits, deadline: float | None) -> ExchangeLimits:
        """The limits of the next attempt: all of them, or what is left until the deadline."""
        if deadline is None:
            return limits
        return replace(limits, total_s=max(deadline - self._clock.monotonic(), 0.0))

    def _ends_after(self, deadline: float, wait: Wait) -> bool:
        return self._clock.monotonic() + wait.seconds >= deadline

    def _settled(self, outcome: Outcome) -> HttpResponse:
        if isinstance(outcome, TransportError):
            self._meter.gave_up(outcome.message)
            raise outcome
        if not outcome.ok:
            self._meter.gave_up(f"It answered with status {outcome.status}.")
        return outcome

    def _still_paused(self, host: str) -> ProviderError:
        seconds = self._pauses.remaining_s(host)
        message = f"{host} asked for a pause that lasts another {max(seconds, 1):.0f} s."
        self._meter.gave_up(message)
        return ProviderError(
            "Too many requests",
            message,
            "Search again after it; keyword results do not depend on it.",
            status=429,
        )


def _reason(outcome: Outcome) -> str:
    """Why a host is left alone, in words of ours."""
    if isinstance(outcome, TransportError):
        return outcome.title.lower()
    return "too many requests (429)" if outcome.status == 429 else f"busy ({outcome.status})"
