"""Searches of July and September 2026, repeated through the profiles that stand for them.

Scores agree within 2e-6. Chunks of equal score may change places, also at the cut;
dup-a.md and dup-b.md hold the same text. Indexes with transcripts belong to a later issue
and are not collected.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from engine.ranking.overrides import override
from engine.ranking.profiles import profile
from engine.ranking.settings import RankSettings
from engine.ranking.snippet import head
from engine.ranking.trace import Ranked, Ranking
from engine.retrieval.settings import flattened
from tests.engine.retrieval.memory import Memory
from tests.golden.later_indexes import built, digest
from tests.golden.vectors import vectors

pytestmark = pytest.mark.golden

TOLERANCE = 2e-6
RELEASES = {"2026.7": "2026.7.35", "2026.9": "2026.9.6"}
MEASURED = {era: vectors(f"search-{era}.json") for era in RELEASES}
CASES = [
    pytest.param(era, case, id=f"{era}-{case['id']}")
    for era, measured in MEASURED.items()
    for case in measured["cases"]
    if not case["index"].startswith("sessions")
]
Row = Mapping[str, Any]
Place = tuple[str, int, int, str, str]


@dataclass
class Indexes:
    """The measured indexes, each built when the first search asks for it."""

    folder: Path
    stack: ExitStack
    made: dict[str, Memory] = field(default_factory=dict)

    def of(self, era: str, case: Row) -> Memory:
        """The index of a case; cosines in process where sqlite-vec was switched off."""
        in_process = case["mode"] == "hybrid-jsvec"
        name = f"{era}-{case['index']}-{in_process}"
        if name not in self.made:
            file = self.folder / f"{name}.sqlite"
            index = built(file, case["index"], MEASURED[era], era, in_process=in_process)
            self.made[name] = self.stack.enter_context(index)
        return self.made[name]


@pytest.fixture(scope="module")
def indexes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Indexes]:
    with ExitStack() as stack:
        yield Indexes(tmp_path_factory.mktemp("later"), stack)


def _settings(era: str, case: Row) -> RankSettings:
    values = flattened("query", case["memorySearch"].get("query", {}))
    values |= {"query.maxResults": case["maxResults"]} if case["maxResults"] is not None else {}
    values |= {"query.minScore": case["minScore"]} if case["minScore"] is not None else {}
    values |= {"activeProjects": case.get("activeProjectKeys", [])}
    settings = override(profile(era), values)
    sources = case.get("sources")
    return replace(settings, source=sources[0] if sources else None)


@pytest.mark.parametrize(("era", "case"), CASES)
def test_the_search_answers_as_the_original(era: str, case: Row, indexes: Indexes) -> None:
    ranking = indexes.of(era, case).search(case["query"], _settings(era, case), case["nowMs"])
    expected = case["expected"][RELEASES[era]]["results"]
    got = [ranked.score for ranked in ranking.kept]
    assert got == pytest.approx([row["score"] for row in expected], abs=TOLERANCE)
    for ranked, row in zip(ranking.kept, expected, strict=True):
        twin = _twin(ranking, ranked, row)
        for name, value in _parts(twin).items():
            if name in row:
                assert value == pytest.approx(_given(row, name), abs=TOLERANCE), name
    assert len({ranked.candidate.chunk_id for ranked in ranking.kept}) == len(expected)


def _given(row: Row, name: str) -> float | None:
    """A number of the original; for a file found by its name alone it writes 0 for no text."""
    value: float | None = row[name]
    by_name_only = row.get("bodyMatch") is False and name in ("textScore", "lexicalScore")
    return None if by_name_only else value


def _parts(ranked: Ranked) -> Mapping[str, float | None]:
    steps = {step.stage: step.after for step in ranked.trace.steps}
    return {
        "vectorScore": ranked.vector_score,
        "textScore": ranked.text_score,
        "lexicalScore": steps.get("lexical"),
        "pathScore": steps.get("path"),
        "importance": ranked.candidate.importance,
    }


def _twin(ranking: Ranking, ranked: Ranked, row: Row) -> Ranked:
    """The candidate that the original had here: our own, or one with an equal score."""
    wanted = (_alike(row["path"]), row["startLine"], row["endLine"], row["source"], row["snippet"])
    if _place(ranked) == wanted:
        return ranked
    equals = [
        other
        for other in (*ranking.kept, *ranking.lost)
        if abs(other.score - ranked.score) <= TOLERANCE and _place(other) == wanted
    ]
    assert equals, f"expected {wanted[:3]}, found {_place(ranked)[:3]}"
    return equals[0]


def _place(ranked: Ranked) -> Place:
    chunk = ranked.candidate
    where = (_alike(chunk.path), chunk.start_line, chunk.end_line, chunk.source)
    return (*where, digest(head(chunk.text)))


def _alike(path: str) -> str:
    return path.replace("dup-b", "dup-a")


def test_nothing_of_the_measurement_was_left_out() -> None:
    eras = [case.values[0] for case in CASES]
    assert {era: eras.count(era) for era in RELEASES} == {"2026.7": 159, "2026.9": 221}
