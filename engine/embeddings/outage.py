"""A time in which a provider does not answer: since when, why, and when to ask it again."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.errors import EngineError

FIRST_WAIT_S = 30.0
LONGEST_WAIT_S = 600.0


@dataclass(frozen=True, slots=True)
class Outage:
    """``since_ms`` is wall clock, ``ask_at_s`` monotonic seconds.

    While something else answers, the provider is asked again at ``ask_at_s``; each
    attempt in vain doubles the wait, up to ten minutes.
    """

    reason: str
    hint: str
    since_ms: float
    ask_at_s: float
    wait_s: float = FIRST_WAIT_S

    def again(self, reason: str, hint: str, now_s: float) -> Outage:
        """The same outage after one more attempt in vain."""
        wait_s = min(self.wait_s * 2.0, LONGEST_WAIT_S) if now_s >= self.ask_at_s else self.wait_s
        return replace(self, reason=reason, hint=hint, ask_at_s=now_s + wait_s, wait_s=wait_s)


def begun(reason: str, hint: str, now_ms: float, now_s: float) -> Outage:
    """The outage that begins with a first failure."""
    return Outage(reason, hint, now_ms, now_s + FIRST_WAIT_S)


def words(error: EngineError) -> str:
    """What failed, in one sentence without the remedy."""
    return f"{error.title}: {error.message}"
