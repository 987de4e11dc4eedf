"""Importance and projects: what the comments of a note do to the score of its chunks."""

from __future__ import annotations

from collections.abc import Sequence

from engine.ranking.entry import Entry
from engine.ranking.formulas import Input
from engine.ranking.trace import Step

BASE, A_GRADE = 0.75, 0.05
"""Importance 5 leaves a score as it is; each grade is a twentieth more."""
AT_WORK, ELSEWHERE = 1.15, 0.9
"""The factor of a chunk whose projects are all active, and of another project's."""


def weigh(entries: Sequence[Entry], active: Sequence[str]) -> None:
    """Multiply each score by importance and project; ``active`` are keys in lower case."""
    for entry in entries:
        _importance(entry)
        if active and entry.candidate.projects:
            _project(entry, active)


def _importance(entry: Entry) -> None:
    grade = entry.candidate.importance
    if grade is None:
        return
    factor = BASE + A_GRADE * grade
    entry.text_part *= factor
    inputs: dict[str, Input] = {"importance": grade, "factor": factor}
    entry.take(Step("importance", entry.score, entry.score * factor, inputs))


def _project(entry: Entry, active: Sequence[str]) -> None:
    keys = entry.candidate.projects
    factor = AT_WORK if set(keys) <= set(active) else ELSEWHERE
    entry.text_part *= factor
    entry.project_factor = factor
    inputs: dict[str, Input] = {
        "projects": "; ".join(keys),
        "active": "; ".join(active),
        "factor": factor,
    }
    entry.take(Step("project", entry.score, entry.score * factor, inputs))
