"""Searches of the original programs, repeated through the profiles that stand for them.

Scores agree within 2e-6 (the originals' vector table works in float32). Chunks of equal
score may change places, also at the cut; dup-a.md and dup-b.md hold the same text.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from engine.ranking.overrides import override
from engine.ranking.profiles import profile
from engine.ranking.settings import RankSettings
from engine.ranking.snippet import head
from engine.ranking.trace import Ranked, Ranking
from engine.retrieval.settings import flattened
from engine.sources.reading import decode
from tests.engine.retrieval.memory import Memory, Note, build
from tests.fakes.bow192 import bow_192
from tests.golden.vectors import WORKSPACE, vectors

pytestmark = pytest.mark.golden

TOLERANCE = 2e-6
PROFILES = {"2026.2.26": "documented", "2026.3.13": "2026.3"}
MEASURED = vectors("search.json")
SNIPPETS = vectors("snippets.json")
LAYOUT = vectors("layout.json")
CASES = [
    pytest.param(case, version, id=f"{case['id']}-{version}")
    for case in MEASURED["cases"]
    for version in PROFILES
]
Place = tuple[str, int, int, str, str]


@dataclass(frozen=True, slots=True)
class Indexes:
    """The measured indexes; ``without_extension`` computes cosines in process."""

    default: Memory
    extra: Memory
    without_extension: Memory

    def of(self, case: dict[str, Any]) -> Memory:
        """The index of a case, with or without a provider."""
        if case["mode"] == "hybrid-jsvec":
            return self.without_extension
        memory = self.default if case["index"] == "default" else self.extra
        return Memory(memory.store, None) if case["mode"] == "fts-only" else memory


@pytest.fixture(scope="module")
def indexes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Indexes]:
    folder = tmp_path_factory.mktemp("indexes")
    memory, extra = _notes("files-400-80.json"), _notes("files-extra.json")
    built = Indexes(
        build(folder / "default.sqlite", memory, bow_192),
        build(folder / "extra.sqlite", extra, bow_192),
        build(folder / "process.sqlite", memory, bow_192, vector_enabled=False),
    )
    yield built
    for each in (built.default, built.extra, built.without_extension):
        each.store.close()


def _notes(name: str) -> list[Note]:
    """The indexed files, with the file times that the measurement had set."""
    return [_note(row["path"]) for row in vectors(name)["files"]]


def _note(path: str) -> Note:
    file = (WORKSPACE / path).resolve()
    place = file.relative_to(WORKSPACE.parent.resolve()).as_posix()
    seconds = LAYOUT["mtimes_epoch_s"].get(place, LAYOUT["default_mtime_epoch_s"])
    return Note(path, decode(Path(file).read_bytes()), seconds * 1000.0)


def _settings(case: dict[str, Any], version: str) -> RankSettings:
    query = case["memorySearch"].get("query", {})
    values = flattened("query", query)
    values |= {"query.maxResults": case["maxResults"]} if case["maxResults"] is not None else {}
    values |= {"query.minScore": case["minScore"]} if case["minScore"] is not None else {}
    return override(profile(PROFILES[version]), values)


@pytest.mark.parametrize(("case", "version"), CASES)
def test_the_search_answers_as_the_original(
    case: dict[str, Any], version: str, indexes: Indexes
) -> None:
    ranking = indexes.of(case).search(case["query"], _settings(case, version), case["nowMs"])
    expected = case["expected"][version]["results"]
    got = [ranked.score for ranked in ranking.kept]
    assert got == pytest.approx([row["score"] for row in expected], abs=TOLERANCE)
    for ranked, row in zip(ranking.kept, expected, strict=True):
        twin = _twin(ranking, ranked, row)
        if case["mode"].startswith("hybrid"):
            assert twin.vector_score == pytest.approx(row["vectorScore"], abs=TOLERANCE)
            assert twin.text_score == pytest.approx(row["textScore"], abs=TOLERANCE)
    assert len({ranked.candidate.chunk_id for ranked in ranking.kept}) == len(expected)


def _twin(ranking: Ranking, ranked: Ranked, row: dict[str, Any]) -> Ranked:
    """The candidate that the original had here: our own, or one with an equal score."""
    wanted = (
        _alike(row["path"]),
        row["startLine"],
        row["endLine"],
        row["source"],
        SNIPPETS[row["snippet"]],
    )
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
    return (
        _alike(chunk.path),
        chunk.start_line,
        chunk.end_line,
        chunk.source,
        head(chunk.text),
    )


def _alike(path: str) -> str:
    return path.replace("dup-b", "dup-a")


@pytest.mark.parametrize(("case", "version"), CASES)
def test_the_keyword_leg_gave_as_many_candidates(
    case: dict[str, Any], version: str, indexes: Indexes
) -> None:
    recipe = _settings(case, version)
    pool = indexes.of(case).pool(case["query"], recipe)
    if case["mode"].startswith("hybrid"):
        leg = pool.leg("and")
        hits = min(leg.hits, recipe.pool_size) if leg else 0
        assert hits == case["expected"][version]["candidates"]["keyword"]
    else:
        assert (pool.leg("vector") is None) == (case["mode"] == "fts-only")


def test_nothing_of_the_measurement_was_left_out() -> None:
    modes = [case["mode"] for case in MEASURED["cases"]]
    assert {mode: modes.count(mode) for mode in set(modes)} == {
        "hybrid": 93,
        "hybrid-jsvec": 4,
        "vector": 4,
        "fts-only": 21,
    }
