"""The last stages: the minimum score and the number of results, and how each one ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.ranking.cut import Verdict, at_zero, minimum_of, relaxed, strict
from engine.ranking.entry import Entry
from engine.ranking.formulas import Input, number, places
from engine.ranking.outsiders import LostOnes, Outsiders
from engine.ranking.relevance import Doubt
from engine.ranking.scope import Scope
from engine.ranking.settings import RankSettings
from engine.ranking.trace import Kept, Lost, Ranked, Step


@dataclass(frozen=True, slots=True)
class Selection:
    """Results in order, the others by how near they came, and the minimum in force.

    ``relaxed`` is True when some result is there only by a relaxed minimum.
    """

    kept: tuple[Ranked, ...]
    lost: LostOnes
    minimum: float
    relaxed: bool


def select(
    ordered: Sequence[Entry],
    by_score: Sequence[Entry],
    scope: Scope,
    settings: RankSettings,
    doubt: Doubt | None,
    early: Sequence[Ranked] = (),
) -> Selection:
    """Cut and limit candidates that come in final order; ``by_score`` is the order without MMR.

    ``early`` are lost already.
    """
    minimum = minimum_of(settings.cut, scope.vector_weight)
    hide = doubt if doubt is not None and settings.cut.weak == "hide" else None
    verdicts = _verdicts(ordered, scope, settings, minimum)
    passed: list[Entry] = []
    filling: list[Entry] = []
    missed: list[Ranked] = []
    for entry, verdict in zip(ordered, verdicts, strict=True):
        _note_cut(entry, verdict)
        if not verdict.passed:
            missed.append(entry.ended(_below(entry, verdict)))
        elif hide is not None:
            missed.append(entry.ended(Lost("cut", hide.missing, hide.sentence)))
        else:
            (filling if verdict.relaxed and settings.cut.relaxation == "fill" else passed).append(
                entry
            )
    kept, crowded = _limited([*passed, *filling], by_score, settings.max_results)
    missed.sort(key=_margin)
    soft = any(_was_relaxed(ranked) for ranked in kept)
    lost = LostOnes((*crowded, *missed, *early), Outsiders(scope, settings.pool_size))
    return Selection(kept, lost, minimum, soft)


def _verdicts(
    entries: Sequence[Entry], scope: Scope, settings: RankSettings, minimum: float
) -> list[Verdict]:
    """Who passes: strictly, or by the profile's relaxation for keyword hits."""
    cut, weight = settings.cut, scope.text_weight
    verdicts = [strict(entry.score, cut, minimum) for entry in entries]
    if cut.relaxation == "each":
        return [
            v if v.passed else relaxed(_reach(entry), minimum, weight)
            for entry, v in zip(entries, verdicts, strict=True)
        ]
    helpless = not any(v.passed for v in verdicts) and scope.mode == "hybrid"
    if cut.relaxation in ("zero", "fill"):
        fill = cut.relaxation == "fill" and scope.mode == "hybrid"
        return _given_up(entries, verdicts, minimum, fill=fill)
    if cut.relaxation == "keyword" and helpless:
        hits = (entry.score if entry.text is not None else None for entry in entries)
        return [relaxed(reach, minimum, weight) for reach in hits]
    return verdicts


def _given_up(
    entries: Sequence[Entry], verdicts: list[Verdict], minimum: float, *, fill: bool
) -> list[Verdict]:
    """Minimum 0 for keyword hits when nothing passed (July and September 2026).

    A chunk counts as a hit when the lines it stands on are. ``fill`` lets hits without a
    vector follow those that passed.
    """
    hits = {_lines(entry) for entry in entries if entry.text is not None}
    if not any(verdict.passed for verdict in verdicts):
        return [at_zero(entry.score, minimum, hit=_lines(entry) in hits) for entry in entries]
    if not fill:
        return verdicts
    return [
        v if v.passed else at_zero(e.score, minimum, hit=e.text is not None and e.vector is None)
        for e, v in zip(entries, verdicts, strict=True)
    ]


def _lines(entry: Entry) -> tuple[str, int, int]:
    candidate = entry.candidate
    return candidate.path, candidate.start_line, candidate.end_line


def _reach(entry: Entry) -> float | None:
    return max(entry.score, entry.text_part) if entry.text is not None else None


def _note_cut(entry: Entry, verdict: Verdict) -> None:
    inputs: dict[str, Input] = {
        "minimum": verdict.minimum,
        "passed": verdict.passed,
        "relaxed": verdict.relaxed,
        "margin": entry.score - verdict.minimum,
    }
    entry.take(Step("cut", entry.score, entry.score, inputs))


def _was_relaxed(ranked: Ranked) -> bool:
    step = ranked.trace.step("cut")
    return step is not None and step.inputs["relaxed"] is True


def _below(entry: Entry, verdict: Verdict) -> Lost:
    margin = verdict.minimum - entry.score
    reason = f"below the minimum {number(verdict.minimum)} by {number(margin)}"
    if verdict.minimum <= entry.score:
        reason = "neither a keyword nor a weighted vector speaks for it"
    return Lost("cut", margin, reason)


def _margin(ranked: Ranked) -> float:
    outcome = ranked.trace.outcome
    return outcome.margin if isinstance(outcome, Lost) else 0.0


def _limited(
    passed: Sequence[Entry], by_score: Sequence[Entry], limit: int
) -> tuple[tuple[Ranked, ...], tuple[Ranked, ...]]:
    """The first ``limit`` as results; who else had come that far without MMR lost to it."""
    survivors = set(map(id, passed))
    entitled = {id(entry) for entry in [e for e in by_score if id(e) in survivors][:limit]}
    kept: list[Ranked] = []
    crowded: list[Ranked] = []
    for place, entry in enumerate(passed, 1):
        entry.take(Step("limit", entry.score, entry.score, {"place": place, "limit": limit}))
        if place <= limit:
            kept.append(entry.ended(Kept(place)))
        elif id(entry) in entitled and entry.rival is not None:
            crowded.append(entry.ended(_displaced(entry, entry.rival)))
        else:
            reason = f"{places(place - limit)} short of the {limit} results"
            crowded.append(entry.ended(Lost("limit", place - limit, reason)))
    return tuple(kept), tuple(crowded)


def _displaced(entry: Entry, rival: Entry) -> Lost:
    """Lost to MMR: the margin is the penalty that the overlap with the rival cost."""
    inputs = next(step.inputs for step in reversed(entry.steps) if step.stage == "mmr")
    overlap, weight = inputs["overlap"], inputs["penalty_weight"]
    penalty = float(overlap or 0) * float(weight or 0)
    reason = f"MMR preferred {rival.candidate.path} (overlap {number(overlap, 2)})"
    return Lost("mmr", penalty, reason, to=rival.candidate.chunk_id)
