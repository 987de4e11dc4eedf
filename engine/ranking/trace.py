"""The trace of a candidate: each stage with what went in and what came out.

The score of a result is the ``after`` of its last scored step; nothing computes
a score a second time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.ranking.candidate import Candidate
from engine.ranking.formulas import Input, Stage, describe
from engine.ranking.settings import RankSettings


@dataclass(frozen=True, slots=True)
class Step:
    """One stage; ``inputs`` holds its numbers unrounded: anybody can recompute ``after``."""

    stage: Stage
    before: float | None
    after: float | None
    inputs: Mapping[str, Input]

    @property
    def formula(self) -> str:
        """The computation spelled with its numbers, for people; written when asked for."""
        return describe(self.stage, self.before, self.after, self.inputs)


@dataclass(frozen=True, slots=True)
class Kept:
    """The candidate is a result; ``rank`` is 1-based."""

    rank: int


@dataclass(frozen=True, slots=True)
class Lost:
    """The first stage that dropped the candidate, by how much, and to whom.

    ``margin`` is in the stage's own unit: score below the cut, places beyond the pool
    or the limit, what overlap cost at MMR. ``to`` is the chunk id that took its place.
    """

    stage: Stage
    margin: float
    reason: str
    to: str | None = None


@dataclass(frozen=True, slots=True)
class Trace:
    """All steps of one candidate in order, and how it ended."""

    steps: tuple[Step, ...]
    outcome: Kept | Lost

    def step(self, stage: Stage) -> Step | None:
        """The step of a stage, or None when the candidate did not come to it."""
        return next((step for step in self.steps if step.stage == stage), None)

    @property
    def score(self) -> float:
        """The score shown: ``after`` of the last step that has one; 0.0 without any."""
        return next((s.after for s in reversed(self.steps) if s.after is not None), 0.0)


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate with its trace; all numbers are read from the trace."""

    candidate: Candidate
    trace: Trace

    @property
    def score(self) -> float:
        """The final score, from the trace."""
        return self.trace.score

    @property
    def rank(self) -> int | None:
        """1-based rank of a result, None for a lost candidate."""
        outcome = self.trace.outcome
        return outcome.rank if isinstance(outcome, Kept) else None

    @property
    def vector_score(self) -> float | None:
        """What the vector leg gave (cosine), None when it gave nothing."""
        step = self.trace.step("vector")
        return step.after if step else None

    @property
    def text_score(self) -> float | None:
        """What the keyword leg gave after the text-score formula, None when nothing."""
        step = self.trace.step("text")
        return step.after if step else None

    @property
    def decay(self) -> float:
        """The decay factor, 1.0 when decay is off or the file is evergreen."""
        step = self.trace.step("decay")
        factor = step.inputs.get("factor") if step else None
        return float(factor) if isinstance(factor, (int, float)) else 1.0

    @property
    def mmr_score(self) -> float | None:
        """The value by which MMR picked it, None when MMR is off."""
        step = self.trace.step("mmr")
        value = step.inputs.get("value") if step else None
        return float(value) if isinstance(value, (int, float)) else None

    @property
    def mmr_rank(self) -> int | None:
        """1-based pick order of MMR over the pool, None when MMR is off."""
        step = self.trace.step("mmr")
        value = step.inputs.get("pick") if step else None
        return int(value) if isinstance(value, (int, float)) else None

    @property
    def vector_share(self) -> float:
        """The part of the final score that the vector leg contributed (>= 0)."""
        return self._share("vector_part")

    @property
    def text_share(self) -> float:
        """The part of the final score that the keyword leg contributed (>= 0)."""
        return self._share("text_part")

    def _share(self, key: str) -> float:
        step = self.trace.step("fusion")
        part = step.inputs.get(key) if step else None
        return max(0.0, float(part) * self.decay) if isinstance(part, (int, float)) else 0.0


@dataclass(frozen=True, slots=True)
class Ranking:
    """The answer: results in order, the candidates that fell out, and remarks.

    ``lost`` is ordered by how near they came. ``notices`` are sentences such as
    "no keyword matched". ``cut`` is the minimum score that was in force, ``mode`` the
    legs that counted ("hybrid", "vector", "keyword"). ``weak`` is True when nothing
    seems relevant: no keyword matched and no vector stands out.
    """

    kept: tuple[Ranked, ...]
    lost: Sequence[Ranked]
    settings: RankSettings
    cut: float
    notices: tuple[str, ...] = ()
    mode: str = "hybrid"
    weak: bool = False
