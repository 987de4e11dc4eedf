"""Case provider-switch: old and new vectors are never compared, and what changed is said.

The endpoint lies on the loopback address and takes no key, so following a change costs
nothing and would happen at the next sync; the searches here come before it.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.tools.memory_search import memory_search
from tests.cases.agent import case_home, configure, toy_3
from tests.cases.searching import case_json
from tests.engine.agent_home import AgentHome
from tests.fakes.answers import Answer, Received, envelope
from tests.fakes.provider_server import FakeProvider

NAME = "provider-switch"
BEFORE = case_json(f"{NAME}/before.json")
CHANGES = {
    "after_dims.json": ("model toy-3 -> toy-4", "dimensions 3 -> 4"),
    "after_same_width.json": ("model toy-3 -> other-3",),
    "after_url.json": ("endpoint ",),
}


def sized(received: Received) -> Answer:
    """As many numbers as were asked for."""
    wanted = received.json["dimensions"]
    vectors = [(toy_3(text) * 2)[:wanted] for text in received.inputs]
    return envelope(received, [{"index": i, "embedding": v} for i, v in enumerate(vectors)])


@pytest.fixture
def fake() -> Iterator[FakeProvider]:
    with FakeProvider(otherwise=sized) as fake:
        yield fake


@pytest.fixture
def home(tmp_path: Path, fake: FakeProvider) -> AgentHome:
    """Indexed with ``before.json``."""
    home = case_home(NAME, tmp_path)
    _configure(home, BEFORE, fake)
    with home.open() as engine:
        assert engine.sync("demand").embedded == 1
    return home


def _configure(home: AgentHome, config: Any, fake: FakeProvider) -> None:
    configure(home, config, {"fake": "unused"}, fake=fake)


@pytest.mark.parametrize("after", CHANGES)
def test_another_space_is_named_and_not_compared(
    after: str, home: AgentHome, fake: FakeProvider
) -> None:
    _configure(home, case_json(f"{NAME}/{after}"), fake)
    with home.open() as engine:
        identity = engine.status().identity
        assert identity.status == "mismatched"
        assert len(identity.changes) == len(CHANGES[after])
        for change, told in zip(identity.changes, CHANGES[after], strict=True):
            assert change.startswith(told)
            assert " -> " in change
        estimate = engine.estimate_rebuild()
        assert (estimate.files, estimate.chunks, estimate.to_embed) == (1, 1, 1)

        answer = memory_search(engine, "gateway host", min_score=0)
        assert answer.mode == "keyword"
        assert [r.ranked.candidate.path for r in answer.results] == ["MEMORY.md"]
        assert all(candidate.cosine is None for candidate in answer.pool.candidates)
        assert answer.notices


def test_after_the_next_sync_the_new_space_answers_and_the_old_one_is_kept(
    home: AgentHome, fake: FakeProvider
) -> None:
    _configure(home, case_json(f"{NAME}/after_same_width.json"), fake)
    with home.open() as engine:
        engine.sync("start")
        assert engine.status().identity.status == "valid"
        assert memory_search(engine, "gateway host", min_score=0).mode == "hybrid"
    sent = len(fake.requests)
    _configure(home, BEFORE, fake)
    with home.open() as engine:
        engine.sync("start")
        assert len(fake.requests) == sent
        assert memory_search(engine, "gateway host", min_score=0).mode == "hybrid"
        assert len(fake.requests) == sent + 1


def test_another_key_changes_nothing(home: AgentHome, fake: FakeProvider) -> None:
    _configure(home, case_json(f"{NAME}/after_key_only.json"), fake)
    sent = len(fake.requests)
    with home.open() as engine:
        assert engine.provider.primary is not None
        assert engine.provider.primary.remote
        assert engine.status().identity.status == "valid"
        report = engine.sync("start")
        assert (report.files_indexed, report.embedded) == (0, 0)
        assert len(fake.requests) == sent
        assert memory_search(engine, "gateway host", min_score=0).mode == "hybrid"
        assert fake.requests[-1].headers["authorization"] == "Bearer another-key"


@pytest.mark.parametrize("asked", [True, False])
def test_vectors_of_another_size_are_stopped_before_a_row_is_stored(
    asked: bool, home: AgentHome, fake: FakeProvider
) -> None:
    """liar.json; without ``outputDimensionality`` the index itself knows its size."""
    config = copy.deepcopy(BEFORE)
    if not asked:
        del config["agents"]["defaults"]["memorySearch"]["outputDimensionality"]
        fake.otherwise = lambda received: _of_size(received, 3)
    _configure(home, config, fake)
    with home.open() as engine:
        engine.sync("demand")
    fake.otherwise = lambda received: _of_size(received, 5)
    home.write("memory/new.md", "The kettle is blue.\n")
    with home.open() as engine:
        report = engine.sync("watch")
        assert (report.files_indexed, report.embedded, report.not_embedded) == (1, 0, 1)
        assert report.embedding_error is not None
        assert "vectors of 5 numbers where 3 " in report.embedding_error
        assert engine.status().vector.vectors == 1
        answer = memory_search(engine, "blue kettle", min_score=0)
        assert answer.mode == "keyword"
        assert [r.ranked.candidate.path for r in answer.results] == ["memory/new.md"]
        assert "vectors of 5 numbers where 3 " in (answer.error or "")


def _of_size(received: Received, size: int) -> Answer:
    vectors = [(toy_3(text) * 2)[:size] for text in received.inputs]
    return envelope(received, [{"index": i, "embedding": v} for i, v in enumerate(vectors)])
