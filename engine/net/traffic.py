"""What went over the wire for one provider, counted as it happens."""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import replace

from engine.status import ProviderTraffic

_LATEST = 20
"""Answers over which the mean time is taken."""


class Meter:
    """Counts attempts, answers and tokens of one provider at one host; thread-safe."""

    def __init__(self, provider: str, host: str) -> None:
        self._lock = threading.Lock()
        self._counts = ProviderTraffic(provider, host)
        self._times: deque[float] = deque(maxlen=_LATEST)

    def sent(self, *, again: bool) -> None:
        """An attempt begins; ``again`` when it repeats one that failed."""
        with self._lock:
            counts = self._counts
            self._counts = replace(
                counts,
                requests=counts.requests + 1,
                retries=counts.retries + again,
                in_flight=counts.in_flight + 1,
            )

    def answered(self, took_ms: float, now_ms: float) -> None:
        """The attempt got an answer, whatever its status."""
        with self._lock:
            self._times.append(took_ms)
            self._counts = replace(
                self._counts,
                in_flight=self._counts.in_flight - 1,
                last_ms=took_ms,
                mean_ms=sum(self._times) / len(self._times),
                last_at_ms=now_ms,
            )

    def unanswered(self) -> None:
        """The attempt ended without an answer."""
        with self._lock:
            self._counts = replace(self._counts, in_flight=self._counts.in_flight - 1)

    def gave_up(self, reason: str) -> None:
        """A request failed for good, after all its attempts."""
        with self._lock:
            failures = self._counts.failures + 1
            self._counts = replace(self._counts, failures=failures, last_error=reason)

    def charged(self, tokens: int, *, estimated: bool) -> None:
        """Texts of so many tokens were embedded."""
        with self._lock:
            counts = self._counts
            guessed = counts.estimated or estimated
            self._counts = replace(counts, tokens=counts.tokens + tokens, estimated=guessed)

    def counts(self) -> ProviderTraffic:
        """Everything so far."""
        with self._lock:
            return self._counts
