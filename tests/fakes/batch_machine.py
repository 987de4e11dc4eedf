"""Batch jobs as a provider runs them: files, and jobs whose state follows a clock."""

from __future__ import annotations

import random
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from engine.clock import Clock

End = Literal["completed", "failed", "expired"]
Line = Mapping[str, Any]


def nothing_wrong(line: Line) -> str | None:
    """Every line gets its vector."""
    return None


@dataclass(frozen=True, slots=True)
class Plan:
    """How a job goes: seconds in each state, how it ends, which lines get what.

    ``wrong`` gives the error of a line, None for a vector; the last ``left_out`` lines get
    nothing at all. ``twice`` lines come a second time. ``code`` and ``problem`` are those
    of a job that fails as a whole.
    """

    validating_s: float = 5.0
    running_s: float = 60.0
    finalizing_s: float = 5.0
    end: End = "completed"
    wrong: Callable[[Line], str | None] = nothing_wrong
    left_out: int = 0
    twice: int = 0
    code: str = "invalid_json_line"
    problem: str = "This line is not parseable as valid JSON."


@dataclass(slots=True)
class Job:
    """A job; ``lines`` are its requests, times are epoch ms."""

    id: str
    file: str
    label: str
    order: Mapping[str, Any]
    lines: Sequence[Line]
    plan: Plan
    since_ms: float
    cancelled_ms: float | None = None
    good: list[Line] = field(default_factory=list)
    bad: list[tuple[Line, str]] = field(default_factory=list)

    def phase(self, now_ms: float) -> str:
        """The state at a time, in OpenAI's words."""
        plan, passed = self.plan, (now_ms - self.since_ms) / 1000.0
        if self.cancelled_ms is not None:
            return "cancelled" if now_ms - self.cancelled_ms >= 10_000 else "cancelling"
        if passed < plan.validating_s:
            return "validating"
        if plan.end == "failed":
            return "failed"
        if passed < plan.validating_s + plan.running_s:
            return "in_progress"
        if plan.end == "expired":
            return "expired"
        finalizing = plan.validating_s + plan.running_s + plan.finalizing_s
        return "finalizing" if passed < finalizing else "completed"

    def done(self, now_ms: float) -> int:
        """How many lines are done by then."""
        end = now_ms if self.cancelled_ms is None else min(now_ms, self.cancelled_ms)
        passed = (end - self.since_ms) / 1000.0 - self.plan.validating_s
        running_s = self.plan.running_s
        share = 1.0 if passed >= running_s else max(passed / max(running_s, 1e-9), 0.0)
        return min(int(len(self.lines) * share), len(self.lines) - self.plan.left_out)

    def results(self, now_ms: float) -> tuple[list[Line], list[tuple[Line, str]]]:
        """Lines with a vector and lines with an error, in no order."""
        if self.phase(now_ms) == "failed":
            return [], []
        lines = list(self.lines[: self.done(now_ms)])
        lines += lines[: self.plan.twice]
        random.Random(len(lines)).shuffle(lines)
        errors = [(line, error) for line in lines if (error := self.plan.wrong(line))]
        return [line for line in lines if not self.plan.wrong(line)], errors


class BatchMachine:
    """Thread-safe. Each new job takes the next of ``plans``, then the usual one."""

    def __init__(self, clock: Clock, usual: Plan | None = None) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._number = 0
        self.usual = usual or Plan()
        self.plans: deque[Plan] = deque()
        self.files: dict[str, bytes] = {}
        self.jobs: dict[str, Job] = {}

    @property
    def now_ms(self) -> float:
        """The clock."""
        return self._clock.now_ms()

    def keep(self, content: bytes, prefix: str) -> str:
        """Take a file; its id."""
        with self._lock:
            self._number += 1
            id = f"{prefix}{self._number:04}"
            self.files[id] = content
            return id

    def begin(
        self, prefix: str, file: str, label: str, order: Mapping[str, Any], lines: Sequence[Line]
    ) -> Job:
        """Make a job."""
        with self._lock:
            self._number += 1
            plan = self.plans.popleft() if self.plans else self.usual
            job = Job(f"{prefix}{self._number:04}", file, label, order, lines, plan, self.now_ms)
            self.jobs[job.id] = job
            return job

    def cancel(self, job: Job) -> None:
        """Stop it; what is done stays."""
        if job.phase(self.now_ms) in ("validating", "in_progress", "finalizing"):
            job.cancelled_ms = self.now_ms

    def texts(self, read: Callable[[Line], str]) -> list[str]:
        """The texts of all jobs, job after job."""
        return [read(line) for job in self.jobs.values() for line in job.lines]
