"""When to look at a job again: soon at first, then half as often each time."""

from __future__ import annotations

from dataclasses import dataclass, replace

LONGEST_S = 300.0
SHORTEST_S = 0.25
"""Also for a poll interval of 0, which would ask without a pause."""


@dataclass(frozen=True, slots=True)
class NextLook:
    """``due_s`` is monotonic time in seconds; ``wait_s`` the pause that led there."""

    due_s: float
    wait_s: float


def first_look(interval_s: float, now_s: float) -> NextLook:
    """The look after a job was submitted, or after the start of a process that finds it."""
    wait = max(interval_s, SHORTEST_S)
    return NextLook(now_s + wait, wait)


def next_look(before: NextLook, interval_s: float, now_s: float) -> NextLook:
    """Twice the pause before, up to five minutes, never less than the interval."""
    wait = min(before.wait_s * 2.0, max(LONGEST_S, interval_s))
    return NextLook(now_s + wait, wait)


def put_off(look: NextLook, now_s: float, seconds: float) -> NextLook:
    """A look that is due in so many seconds at the soonest, five minutes at most.

    What the service asks for does not count for the pauses after it.
    """
    return replace(look, due_s=max(look.due_s, now_s + min(seconds, LONGEST_S)))
