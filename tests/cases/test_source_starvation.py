"""Case source-starvation, as far as the source memory goes: sessions never crowd it out.

Transcripts are put into the store by hand here, one chunk a line; how they get there is
the matter of a later issue.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from engine.ranking.overrides import override
from engine.ranking.profiles import profile
from engine.ranking.settings import RankSettings
from engine.retrieval.settings import flattened
from tests.cases.inputs import DATA
from tests.cases.searching import case_json, toy_embedding
from tests.engine.retrieval.memory import Memory, Note, build, notes_below

NAME = "source-starvation"
QUERY = "backup job"
CONFIG = case_json(f"{NAME}/config.json")["agents"]["defaults"]["memorySearch"]["query"]


def _talks() -> list[Note]:
    lines = (DATA / NAME / "sessions/s1.jsonl").read_text("utf-8").splitlines()
    texts = [json.loads(line)["message"]["content"][0]["text"] for line in lines]
    return [
        Note(f"sessions/s1-{number}.jsonl", text, source="sessions")
        for number, text in enumerate(texts)
    ]


@pytest.fixture(params=[True, False], ids=["sqlite-vec", "in process"])
def memory(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Memory]:
    notes = notes_below(DATA / NAME / "workspace") + _talks()
    memory = build(
        tmp_path / "case.sqlite", notes, toy_embedding(NAME), vector_enabled=request.param
    )
    yield memory
    memory.store.close()


@pytest.fixture(params=["documented", "2026.3", "tuned"])
def settings(request: pytest.FixtureRequest) -> RankSettings:
    return override(profile(request.param), flattened("query", CONFIG))


def test_with_the_filter_the_note_is_first_and_the_only_hit(
    memory: Memory, settings: RankSettings
) -> None:
    everything = memory.pool(QUERY, settings).candidates
    note = next(c for c in everything if c.source == "memory")
    nearer = [c for c in everything if (c.cosine or 0.0) > (note.cosine or 0.0)]
    assert len(nearer) > 24
    assert {c.source for c in nearer} == {"sessions"}
    ranking = memory.search(QUERY, replace(settings, source="memory"))
    assert [ranked.candidate.path for ranked in ranking.kept] == ["memory/backup.md"]


def test_without_a_filter_the_note_is_in_the_pool_with_all_its_scores(
    memory: Memory, settings: RankSettings
) -> None:
    ranking = memory.search(QUERY, settings)
    everyone = [*ranking.kept, *ranking.lost]
    (note,) = [ranked for ranked in everyone if ranked.candidate.source == "memory"]
    assert note.candidate.cosine == pytest.approx(0.9, abs=1e-4)
    assert note.candidate.legs
