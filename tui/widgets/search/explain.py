"""Why a hit has its score: the trace as a tree of sentences. Nothing is computed here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine.ranking.candidate import Candidate
from engine.ranking.formulas import Input
from engine.ranking.pool import CandidatePool
from engine.ranking.trace import Kept, Ranked, Ranking, Step
from engine.retrieval.words import word_report
from tui.widgets.search.numbers import exact, score

NAMES = {
    "vector": "vector",
    "text": "text",
    "lexical": "boost",
    "path": "path",
    "fusion": "blend",
    "name": "name",
    "order": "order",
    "decay": "age",
    "importance": "weight",
    "project": "project",
    "mmr": "mmr",
    "shown": "shown",
    "cut": "min",
    "limit": "top",
    "pool": "pool",
}
_PASSED = ("cut", "limit")


@dataclass(frozen=True, slots=True)
class Node:
    """A line of the tree: a name in a column, a number, a sentence; and what is under it."""

    name: str
    value: str
    told: str
    children: tuple[Node, ...] = ()


def explain(
    hit: Ranked, ranking: Ranking, pool: CandidatePool, *, brief: bool, all_digits: bool
) -> Node:
    """The tree of a hit. ``brief`` leaves out what a result passed unharmed and all that is
    under the stages; ``all_digits`` adds every number of every step, unrounded.
    """
    final = exact(hit.score) if all_digits else score(hit.score)
    steps = tuple(
        Node(
            NAMES[step.stage],
            exact(step.after) if all_digits and step.after is not None else score(step.after, ""),
            step.formula,
            () if brief else tuple(_under(step, hit.candidate, pool, all_digits)),
        )
        for step in hit.trace.steps
        if not (brief and step.stage in _PASSED and hit.rank)
    )
    return Node("final", final, _outcome(hit, ranking), steps)


def _outcome(hit: Ranked, ranking: Ranking) -> str:
    outcome = hit.trace.outcome
    if isinstance(outcome, Kept):
        minimum = hit.trace.step("cut")
        passed = f", {minimum.formula}" if minimum else ""
        return f"result {outcome.rank} of {len(ranking.kept)}{passed}"
    winner = next((r for r in ranking.kept if r.candidate.chunk_id == outcome.to), None)
    to = f"; its place went to result {winner.rank}" if winner is not None else ""
    return f"no result: {outcome.reason}{to}"


def _under(
    step: Step, candidate: Candidate, pool: CandidatePool, all_digits: bool
) -> Iterator[Node]:
    if step.stage == "vector":
        yield from _vector_facts(pool)
    if step.stage == "text":
        yield from _word_facts(candidate, pool)
        yield from _leg_facts(candidate, pool)
    if all_digits:
        yield from (Node(_words(name), "", _said(value)) for name, value in step.inputs.items())


def _vector_facts(pool: CandidatePool) -> Iterator[Node]:
    if pool.provider:
        yield Node("model", "", f"{pool.provider}/{pool.model}")
    if pool.vector_floor:
        told = f"unrelated texts of this model lie around {score(pool.vector_floor)}"
        yield Node("floor", "", told)


def _rank(bm25: float) -> str:
    return f"{bm25:.3f}" if abs(bm25) >= 0.01 else f"{bm25:.2g}"


def _words(name: str) -> str:
    return name.replace("_", " ")


def _said(value: Input) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "none"
    return exact(value) if isinstance(value, float) else str(value)


def _word_facts(candidate: Candidate, pool: CandidatePool) -> Iterator[Node]:
    words = word_report(pool, candidate)
    if words.matched:
        yield Node("has", "", ", ".join(words.matched))
    if words.missing:
        yield Node("lacks", "", ", ".join(words.missing))


def _leg_facts(candidate: Candidate, pool: CandidatePool) -> Iterator[Node]:
    for leg in pool.legs:
        hit = candidate.legs.get(leg.name)
        if leg.match is None or hit is None:
            continue
        place = (
            f"place {hit.position + 1} of {leg.hits}" if hit.position is not None else "filled in"
        )
        under = (Node("match", "", leg.match),)
        yield Node(leg.name, "", f"bm25 {_rank(hit.bm25)}, {place}", under)
