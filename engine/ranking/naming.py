"""The file-name leg: what a path adds to a chunk, and files that the query names."""

from __future__ import annotations

from collections.abc import Sequence

from engine.ranking.entry import Entry
from engine.ranking.file_names import exact_tier, folded_name
from engine.ranking.formulas import Input
from engine.ranking.scope import Scope
from engine.ranking.settings import RankSettings
from engine.ranking.text_score import text_score
from engine.ranking.trace import Step


def note_names(entries: Sequence[Entry], scope: Scope, settings: RankSettings) -> None:
    """Give each candidate its path score, its tier, and the keyword score that enters the mix.

    That is the lexical score if words of the text matched, else the path score; nothing
    of the path for a file that the query names. With keywords alone a lexical score
    counts even when it has no rank (spec 07-to-09, section 12d).
    """
    query = folded_name(scope.query)
    tiers: dict[str, int] = {}
    for entry in entries:
        path = entry.candidate.path
        if path not in tiers:
            tiers[path] = exact_tier(query, folded_name(path))
        entry.tier = tiers[path]
        path_score = _path_score(entry, scope, settings)
        entry.body = entry.text is not None
        _choose(entry, path_score, alone=scope.mode == "keyword")


def _path_score(entry: Entry, scope: Scope, settings: RankSettings) -> float | None:
    """The best score that a file-name leg gives, as a step."""
    hits = [
        (text_score(hit.bm25, "saturating", 0.0), leg, hit)
        for leg in scope.name_legs
        if (hit := entry.candidate.legs.get(leg)) is not None
        and hit.position is not None
        and hit.position < settings.pool_size
    ]
    if not hits:
        return None
    score, leg, hit = max(hits, key=lambda each: each[0])
    inputs: dict[str, Input] = {
        "leg": leg,
        "bm25": hit.bm25,
        "place": hit.position + 1 if hit.position is not None else None,
        "filled_in": False,
        "tier": entry.tier,
    }
    entry.take(Step("path", None, score, inputs))
    return score


def _choose(entry: Entry, path_score: float | None, *, alone: bool) -> None:
    if entry.text is not None and (alone or entry.ranked_text):
        return
    if path_score is not None and not entry.tier:
        entry.text, entry.text_from = path_score, "path"
    elif path_score is not None or entry.text is not None:
        entry.text, entry.text_from = 0.0, "nothing"


def promote(entries: Sequence[Entry]) -> None:
    """Lift files that the query names, and order what has no score of its own.

    A named file's value is (1 + min(1, content)) / 2. A chunk in which only a part of
    the text matched is ordered by its lexical score when nothing else speaks for it.
    """
    for entry in entries:
        content = entry.score
        if entry.tier:
            value = (1 + min(1.0, content)) / 2
            entry.take(Step("name", content, value, {"tier": entry.tier}))
        elif content == 0 and entry.body and not entry.ranked_text:
            entry.stand_in = True
            entry.take(Step("order", content, entry.lexical, {"lexical": entry.lexical}))


def show(entries: Sequence[Entry]) -> None:
    """The score shown: 1 for a named file times its project factor, 0 for a mere order."""
    for entry in entries:
        if entry.tier:
            inputs: dict[str, Input] = {"value": 1.0, "factor": entry.project_factor}
        elif entry.stand_in:
            inputs = {"value": 0.0, "factor": 1.0}
        else:
            continue
        shown = float(inputs["value"] or 0) * float(inputs["factor"] or 0)
        entry.take(Step("shown", entry.score, shown, inputs))


def by_name_and_value(entry: Entry) -> tuple[float, float, str, int, int]:
    """The order of 2026.9: tiers, then the value, then the place in the files."""
    candidate = entry.candidate
    return (-entry.tier, -entry.score, candidate.path, candidate.start_line, candidate.end_line)
