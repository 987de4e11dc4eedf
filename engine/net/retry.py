"""When to try again and after how long: by status code, never by words in a message."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from engine.net.error_text import error_codes, exceeded_quotas
from engine.net.messages import HttpResponse, TransportError
from engine.net.retry_hints import retry_hint_s

Random = Callable[[], float]
"""Gives numbers from 0 up to but not including 1."""

Outcome = HttpResponse | TransportError
"""What came of one attempt."""

Verdict = Literal["final", "transient", "rate"]
QUOTA_CODES = frozenset({"insufficient_quota", "quota_exceeded", "billing_hard_limit_reached"})
JITTER = 0.2
_TRANSIENT = frozenset({408, 425, *range(500, 600)} - {501, 505})


@dataclass(frozen=True, slots=True)
class Backoff:
    """``attempts`` in all; the wait doubles from ``first_s`` up to ``most_s``."""

    attempts: int
    first_s: float
    most_s: float

    def wait_s(self, failures: int) -> float:
        """The wait after so many failures (1 and up), in seconds."""
        return min(self.first_s * 2.0 ** (failures - 1), self.most_s)


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How patient a kind of request is.

    A provider's own hint beats the backoff, but one above ``hint_most_s`` ends the
    attempt instead of being waited for. ``budget_s`` bounds all waits of a request
    together. A request that got no answer in time is sent at most ``timeout_attempts``
    times. With ``one_deadline`` the time limit of an exchange holds for all attempts and
    waits together. ``in_line`` requests let a single one go first after a pause.
    """

    transient: Backoff
    rate: Backoff
    budget_s: float
    hint_most_s: float = 60.0
    timeout_attempts: int = 2
    one_deadline: bool = False
    in_line: bool = True


INDEXING = RetryPolicy(Backoff(3, 0.5, 8.0), Backoff(5, 5.0, 60.0), budget_s=600.0)
"""Nobody waits for an answer: patient, but no request is waited for longer than ten minutes."""

QUERYING = RetryPolicy(
    Backoff(3, 0.5, 8.0),
    Backoff(3, 0.5, 8.0),
    budget_s=8.0,
    timeout_attempts=1,
    one_deadline=True,
    in_line=False,
)
"""A person waits: at most eight seconds of pauses."""

PROBING = RetryPolicy(
    Backoff(1, 0.0, 0.0),
    Backoff(1, 0.0, 0.0),
    budget_s=0.0,
    timeout_attempts=1,
    one_deadline=True,
    in_line=False,
)
"""Somebody else answers meanwhile: one attempt shows whether the host is back."""


def verdict(outcome: Outcome) -> Verdict:
    """Whether another attempt can help; the host's own word (``x-should-retry``) counts first."""
    if isinstance(outcome, TransportError):
        return "transient" if outcome.trouble in ("unreachable", "timeout", "dropped") else "final"
    advice = outcome.headers.get("x-should-retry")
    if outcome.ok or advice == "false" or quota_used_up(outcome):
        return "final"
    if outcome.status == 429:
        return "rate"
    return "transient" if advice == "true" or outcome.status in _TRANSIENT else "final"


def quota_used_up(response: HttpResponse) -> bool:
    """True for an account without credit, or whose quota of the day is used up.

    Google words a rate limit like a lack of credit, but then says when to come back; a
    daily quota does not come back in the seconds that it names.
    """
    if response.status not in (402, 403, 429):
        return False
    if daily_quota(response):
        return True
    return bool(error_codes(response.body) & QUOTA_CODES) and retry_hint_s(response, 0.0) is None


def daily_quota(response: HttpResponse) -> bool:
    """True when a Google error names a quota per day as the one that is exceeded."""
    return any("perday" in quota.lower() for quota in exceeded_quotas(response.body))


@dataclass(frozen=True, slots=True)
class Wait:
    """A pause before the next attempt, in seconds; ``shared`` holds back the whole host."""

    seconds: float
    shared: bool


class Attempts:
    """Counts the failures of one request and says what comes next."""

    def __init__(self, policy: RetryPolicy, random: Random) -> None:
        self._policy = policy
        self._random = random
        self._failures = {"transient": 0, "rate": 0}
        self._timeouts = 0
        self._waited = 0.0

    @property
    def failed(self) -> bool:
        """True once an attempt has failed."""
        return any(self._failures.values())

    def next(self, outcome: Outcome, now_ms: float) -> Wait | None:
        """The pause before another attempt; None when this outcome is the last word."""
        kind = verdict(outcome)
        if kind == "final" or self._too_late(outcome):
            return None
        self._failures[kind] += 1
        backoff = self._policy.rate if kind == "rate" else self._policy.transient
        if self._failures[kind] >= backoff.attempts:
            return None
        hint = retry_hint_s(outcome, now_ms) if isinstance(outcome, HttpResponse) else None
        if hint is not None and hint > self._policy.hint_most_s:
            return None
        seconds = backoff.wait_s(self._failures[kind]) if hint is None else hint
        seconds *= 1.0 + JITTER * self._random()
        shared = kind == "rate" or hint is not None
        return Wait(seconds, shared) if self.afford(seconds) else None

    def afford(self, seconds: float) -> bool:
        """Take a wait out of the budget; False when it does not fit any more."""
        if self._waited + seconds > self._policy.budget_s:
            return False
        self._waited += seconds
        return True

    def _too_late(self, outcome: Outcome) -> bool:
        if isinstance(outcome, TransportError) and outcome.trouble == "timeout":
            self._timeouts += 1
            return self._timeouts >= self._policy.timeout_attempts
        return False
