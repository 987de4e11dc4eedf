"""A candidate on its way through the stages."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.ranking.candidate import Candidate
from engine.ranking.trace import Kept, Lost, Ranked, Step, Trace


@dataclass(slots=True, eq=False)
class Entry:
    """A candidate of the configured pool with the steps taken so far.

    ``score`` is always the ``after`` of the newest step. ``vector`` and ``text`` are
    the leg scores that count, None where a leg gave nothing; ``text_part`` is what text alone
    adds to the score; ``rival`` the earlier pick of MMR that it overlaps most.
    ``text_from`` names the step that ``text`` comes from. ``tier`` tells how exactly the
    query names the file, ``body`` that the text matched, ``ranked_text`` that it did so by
    words, ``stand_in`` that the score only gives an order.
    """

    candidate: Candidate
    vector: float | None = None
    text: float | None = None
    text_part: float = 0.0
    score: float = 0.0
    rival: Entry | None = None
    text_from: str = "text"
    lexical: float = 0.0
    tier: int = 0
    body: bool = False
    ranked_text: bool = False
    stand_in: bool = False
    project_factor: float = 1.0
    steps: list[Step] = field(default_factory=list)

    def take(self, step: Step) -> None:
        """Add a step; its ``after`` becomes the score."""
        self.steps.append(step)
        if step.after is not None:
            self.score = step.after

    def ended(self, outcome: Kept | Lost) -> Ranked:
        """The finished candidate."""
        return Ranked(self.candidate, Trace(tuple(self.steps), outcome))
