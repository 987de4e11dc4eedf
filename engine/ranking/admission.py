"""Candidates that leave before any score is made of their legs."""

from __future__ import annotations

from collections.abc import Sequence

from engine.ranking.entry import Entry
from engine.ranking.formulas import places
from engine.ranking.settings import RankSettings
from engine.ranking.trace import Lost, Ranked


def admitted(entries: Sequence[Entry], settings: RankSettings) -> tuple[list[Entry], list[Ranked]]:
    """Those that go on, and those that are out already with their reasons.

    Out are chunks that their own note withholds, and keyword hits beyond the pool where
    several keyword legs share one (spec 07-to-09, section 12d.4).
    """
    out = [entry for entry in entries if settings.annotations and entry.candidate.withheld]
    lost = [
        entry.ended(Lost("project", 1.0, "its project comment names no project")) for entry in out
    ]
    stay = [entry for entry in entries if entry not in out]
    if settings.join != "and-with-each":
        return stay, lost
    beyond = _beyond(stay, settings.pool_size)
    for place, entry in enumerate(beyond, settings.pool_size + 1):
        if entry.vector is None:
            beyond_by = place - settings.pool_size
            reason = f"{places(beyond_by)} outside the keyword pool of {settings.pool_size}"
            lost.append(entry.ended(Lost("pool", beyond_by, reason)))
        else:
            _without_keywords(entry)
    gone = {id(entry) for entry in beyond if entry.vector is None}
    return [entry for entry in stay if id(entry) not in gone], lost


def _beyond(entries: Sequence[Entry], size: int) -> list[Entry]:
    """Keyword hits of files that the query does not name, after the best ``size``."""
    hits = [entry for entry in entries if entry.text is not None and not entry.tier]
    return sorted(hits, key=_by_keywords)[size:] if len(hits) > size else []


def _by_keywords(entry: Entry) -> tuple[float, float, float, str]:
    scores = {step.stage: step.after or 0.0 for step in entry.steps}
    return (
        -scores.get("lexical", 0.0),
        -scores.get("text", 0.0),
        -scores.get("path", 0.0),
        entry.candidate.path,
    )


def _without_keywords(entry: Entry) -> None:
    entry.steps = [step for step in entry.steps if step.stage == "vector"]
    entry.text, entry.text_from = None, "text"
    entry.body = entry.ranked_text = False
