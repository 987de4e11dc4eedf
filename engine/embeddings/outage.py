"""A time in which a provider does not answer: since when, why, and when to ask it again."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

from engine.errors import EngineError, ProviderError

FIRST_WAIT_S = 30.0
LONGEST_WAIT_S = 600.0
LONGEST_ALONE_S = 60.0
"""Where nobody answers instead, a provider that came back is not left alone for long."""
SLOW_S = 5.0
"""A failure that took longer is not suffered again with each search."""


@dataclass(frozen=True, slots=True)
class Outage:
    """``since_ms`` is wall clock, ``ask_at_s`` monotonic seconds.

    While something else answers, the provider is asked again at ``ask_at_s``; each
    attempt in vain doubles the wait, up to ten minutes. ``slow`` says that the failure
    itself took long, so that even with nobody else to answer it is left alone until then.
    """

    reason: str
    hint: str
    since_ms: float
    ask_at_s: float
    wait_s: float = FIRST_WAIT_S
    slow: bool = False

    def again(
        self,
        reason: str,
        hint: str,
        now_s: float,
        *,
        slow: bool = False,
        longest_s: float = LONGEST_WAIT_S,
    ) -> Outage:
        """The same outage after one more attempt in vain."""
        due = now_s >= self.ask_at_s
        wait_s = min(self.wait_s * 2.0, longest_s) if due else self.wait_s
        ask_at_s = now_s + wait_s
        return replace(
            self, reason=reason, hint=hint, ask_at_s=ask_at_s, wait_s=wait_s, slow=slow or self.slow
        )

    def error(self, now_s: float) -> ProviderError:
        """What is told instead of asking again too early."""
        seconds = max(self.ask_at_s - now_s, 1.0)
        return ProviderError(
            "Provider does not answer",
            f"It is not asked again for {seconds:.0f} s. {self.reason}",
            self.hint or "A probe, or memlens index, asks it at once.",
        )


def begun(reason: str, hint: str, now_ms: float, now_s: float, *, slow: bool = False) -> Outage:
    """The outage that begins with a first failure."""
    return Outage(reason, hint, now_ms, now_s + FIRST_WAIT_S, slow=slow)


def words(error: EngineError) -> str:
    """What failed, in one sentence without the remedy."""
    return f"{error.title}: {error.message}"


def as_text(outage: Outage, now_ms: float, now_s: float) -> str:
    """The outage for other processes, whose monotonic clock is another one."""
    return json.dumps(
        {
            "reason": outage.reason,
            "hint": outage.hint,
            "sinceMs": outage.since_ms,
            "askAtMs": now_ms + (outage.ask_at_s - now_s) * 1000.0,
            "waitS": outage.wait_s,
            "slow": outage.slow,
        }
    )


def from_text(text: str, now_ms: float, now_s: float) -> Outage | None:
    """What ``as_text`` wrote, whatever the clocks did meanwhile; None when it is no such text."""
    try:
        found = json.loads(text)
        rest_s = (float(found["askAtMs"]) - now_ms) / 1000.0
        wait_s = min(max(float(found["waitS"]), FIRST_WAIT_S), LONGEST_WAIT_S)
        return Outage(
            str(found["reason"]),
            str(found["hint"]),
            min(float(found["sinceMs"]), now_ms),
            now_s + min(max(rest_s, 0.0), wait_s),
            wait_s,
            bool(found["slow"]),
        )
    except (ValueError, KeyError, TypeError):
        return None
