"""The batch jobs of one index at one provider, as far as they concern this process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine.embeddings.batch_jobs.breaker import Breaker
from engine.embeddings.batch_jobs.dialect import Caps
from engine.embeddings.batch_jobs.schedule import NextLook, first_look, next_look, put_off
from engine.index.batch_jobs.settings import BatchSettings

if TYPE_CHECKING:
    from engine.embeddings.batch_jobs.service import BatchService


@dataclass(slots=True)
class Learned:
    """What the service has taught: how much one job may hold, how many may be out."""

    caps: Caps = field(default_factory=Caps)
    concurrency: int | None = None

    def take_fewer(self, refused: int) -> None:
        """A job with so many texts was too much: from now on half as many."""
        self.caps = Caps(max(refused // 2, 1), self.caps.bytes)


class Looks:
    """When each job is looked at next, by its number; only known to this process."""

    def __init__(self, interval_s: float) -> None:
        self._interval_s = interval_s
        self._next: dict[int, NextLook] = {}

    def begin(self, number: int, now_s: float) -> None:
        """A job was just submitted."""
        self._next[number] = first_look(self._interval_s, now_s)

    def again(self, number: int, now_s: float) -> None:
        """A job is looked at; it will be again, if it is not over."""
        before = self._next.get(number)
        self._next[number] = (
            first_look(self._interval_s, now_s)
            if before is None
            else next_look(before, self._interval_s, now_s)
        )

    def later(self, number: int, now_s: float, hint_s: float | None) -> None:
        """The service asks to be left alone with a job for a while (seconds)."""
        found = self._next[number]
        self._next[number] = put_off(found, now_s, hint_s or 0.0)

    def due_s(self, number: int, now_s: float) -> float:
        """When a job is due, in monotonic seconds; now for one of an earlier process."""
        found = self._next.get(number)
        return now_s if found is None else found.due_s


def _no() -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Batches:
    """``service`` None: there are none, for the reason ``absent``.

    ``makes_way`` tells that another sync waits for its turn, ``leaving`` that the
    application ends: jobs stay out then, whatever is cancelled.
    """

    settings: BatchSettings
    service: BatchService | None
    absent: str = ""
    breaker: Breaker = field(default_factory=Breaker)
    learned: Learned = field(default_factory=Learned)
    looks: Looks = field(default_factory=lambda: Looks(BatchSettings().poll_interval_s))
    makes_way: Callable[[], bool] = _no
    leaving: Callable[[], bool] = _no

    @classmethod
    def of(cls, settings: BatchSettings, service: BatchService | None, absent: str = "") -> Batches:
        """The batch jobs of a service, before anything is known of them."""
        return cls(settings, service, absent, looks=Looks(settings.poll_interval_s))

    @property
    def why_not(self) -> str:
        """Why no job would be submitted now; empty when one would."""
        if not self.settings.enabled:
            return "remote.batch.enabled is off"
        if self.service is None:
            return self.absent
        return self.breaker.trips.off or ""

    @property
    def most_out(self) -> int:
        """How many jobs may be out at a time."""
        return self.learned.concurrency or self.settings.concurrency
