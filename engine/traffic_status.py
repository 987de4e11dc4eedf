"""What the engine says of the wires to its providers: traffic, limits, pauses, past fallbacks."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FallbackSpell:
    """A time in which the fallback answered; ``until_ms`` is None while it still does."""

    from_: str
    to: str
    reason: str
    since_ms: float
    until_ms: float | None = None


@dataclass(frozen=True, slots=True)
class HostPause:
    """A host that is left alone until a time (epoch ms), and what it said."""

    host: str
    until_ms: float
    reason: str


@dataclass(frozen=True, slots=True)
class RequestLimits:
    """What one request to a provider holds at most; bytes are UTF-8.

    ``learned`` is True once the provider has refused more than it is said to take.
    """

    inputs_per_request: int
    bytes_per_request: int
    bytes_per_input: int
    learned: bool = False


@dataclass(frozen=True, slots=True)
class ProviderTraffic:
    """What went over the wire to one provider since this process began; times in ms.

    ``requests`` counts every attempt, ``retries`` those that repeat another one,
    ``failures`` requests that were given up. ``last_ms`` is the time of the last answer,
    ``mean_ms`` the mean of the latest twenty. ``tokens`` are those of documents and
    queries; ``estimated`` when some of them are a guess.
    """

    provider: str
    host: str
    requests: int = 0
    retries: int = 0
    failures: int = 0
    in_flight: int = 0
    last_ms: float | None = None
    mean_ms: float | None = None
    last_at_ms: float | None = None
    last_error: str | None = None
    tokens: int = 0
    estimated: bool = False
    limits: RequestLimits | None = None
