"""Case fallback-identity: a short outage mixes nothing, hides nothing, and ends by itself.

A query is tried three times, so the outage lasts as many calls more than in the case.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.embeddings.outage import FIRST_WAIT_S
from engine.events import Notice
from engine.memory import MemoryEngine
from engine.tools.memory_search import memory_search
from tests.cases.agent import case_home, configure, toy_3
from tests.cases.searching import case_json
from tests.engine.agent_home import AgentHome
from tests.fakes.answers import status, vectors
from tests.fakes.provider_server import FakeProvider

NAME = "fallback-identity"
NONE = case_json(f"{NAME}/config_none.json")
WITH_FALLBACK = case_json(f"{NAME}/config_fb.json")
MODELS = {"fake": "toy-3", "fake2": "second-3"}
DOWN = status(500)


@pytest.fixture
def home(tmp_path: Path) -> AgentHome:
    return case_home(NAME, tmp_path)


@pytest.fixture
def fake() -> Iterator[FakeProvider]:
    with FakeProvider(toy_3) as fake:
        yield fake


def second_3(text: str) -> list[float]:
    """As long as those of toy-3, and another space."""
    return toy_3(text)[::-1]


@pytest.fixture
def fake2() -> Iterator[FakeProvider]:
    with FakeProvider(second_3) as fake:
        yield fake


def _cosine(one: str, other: str) -> float:
    """In the fallback's space."""
    a, b = second_3(one), second_3(other)
    product = sum(x * y for x, y in zip(a, b, strict=True))
    return product / (math.hypot(*a) * math.hypot(*b))


def _everything_said(engine: MemoryEngine, *more: str) -> str:
    cautions = [f"{c.title} {c.message} {c.hint}" for c in engine.status().warnings]
    return " ".join((*cautions, *more)).lower()


def test_without_a_fallback_keywords_answer_until_it_is_back(
    home: AgentHome, fake: FakeProvider
) -> None:
    configure(home, NONE, MODELS, fake=fake)
    with home.open() as engine:
        engine.sync("demand")
        fake.script(DOWN, DOWN, DOWN)
        during = memory_search(engine, "coffee beans", min_score=0)
        assert during.mode == engine.status().search_mode == "keyword"
        assert [r.ranked.candidate.path for r in during.results] == ["MEMORY.md"]
        said = _everything_said(engine, *during.notices)
        assert "an error of its own (500)" in said
        assert "rebuild" not in said
        assert "reindex" not in said
        assert engine.status().identity.status == "valid"
        after = memory_search(engine, "coffee beans", min_score=0)
        assert (after.mode, after.error, after.fallback) == ("hybrid", None, None)
        assert engine.status().provider.mode == "active"


def test_down_from_the_start_is_keywords_only_with_the_reason(
    home: AgentHome, fake: FakeProvider
) -> None:
    configure(home, NONE, MODELS, fake=fake)
    fake.otherwise = DOWN
    with home.open() as engine:
        engine.sync("demand")
        status = engine.status()
        assert sum(engine.store.counts().vectors.values()) == 0
        assert {request.json["model"] for request in fake.requests} == {"toy-3"}
        assert (status.search_mode, status.provider.mode) == ("keyword", "degraded")
        assert "an error of its own (500)" in (status.provider.error or "")
        assert memory_search(engine, "coffee", min_score=0).results


def test_the_fallback_answers_in_a_space_of_its_own(
    home: AgentHome, fake: FakeProvider, fake2: FakeProvider
) -> None:
    configure(home, WITH_FALLBACK, MODELS, fake=fake, fake2=fake2)
    with home.open() as engine:
        engine.sync("demand")
        assert fake2.requests == []
        first = engine.provider.space
        home.write("memory/new.md", "The tea kettle is blue.\n")
        fake.otherwise = DOWN
        began_ms = home.time.clock.now_ms()
        report = engine.sync("watch")
        assert (report.embedded, report.stood_in, report.not_embedded) == (0, 2, 1)
        assert {request.json["model"] for request in fake2.requests} == {"second-3"}
        second = engine.provider.space
        assert first is not None
        assert second is not None
        assert first != second
        held = {space: count for space, count in engine.store.counts().vectors.items() if count}
        assert held == {first: 1, second: 2}
        assert engine.status().identity.status == "valid"

        sent = len(fake.requests)
        answer = memory_search(engine, "blue kettle", min_score=0)
        assert len(fake.requests) == sent
        assert (answer.mode, answer.provider, answer.model) == ("hybrid", "fake2", "second-3")
        assert answer.pool.identity == second
        for candidate in answer.pool.candidates:
            assert candidate.cosine == pytest.approx(_cosine("blue kettle", candidate.text))
        assert answer.fallback is not None
        assert (answer.fallback.from_, answer.fallback.to) == ("fake", "fake2")
        assert "an error of its own (500)" in answer.fallback.reason
        assert answer.fallback.since_ms >= began_ms
        assert "fake2 answers instead of fake" in answer.notices[0]
        state = engine.status().provider
        assert (state.provider, state.model, state.mode) == ("fake2", "second-3", "fallback-active")


def test_the_first_provider_takes_over_again_without_a_restart(
    home: AgentHome, fake: FakeProvider, fake2: FakeProvider
) -> None:
    configure(home, WITH_FALLBACK, MODELS, fake=fake, fake2=fake2)
    with home.open() as engine:
        engine.sync("demand")
        fake.script(DOWN, DOWN, DOWN)
        during = memory_search(engine, "coffee beans", min_score=0)
        assert (during.provider, during.mode) == ("fake2", "keyword")  # its space is empty yet
        engine.sync("start")
        again = memory_search(engine, "coffee order", min_score=0)
        assert (again.provider, again.mode) == ("fake2", "hybrid")
        home.time.clock.seconds += FIRST_WAIT_S
        sent = len(fake2.requests)
        after = memory_search(engine, "beans in May", min_score=0)
        assert (after.provider, after.model, after.mode) == ("fake", "toy-3", "hybrid")
        assert after.fallback is None
        assert len(fake2.requests) == sent
        assert engine.status().provider.mode == "active"
        told = [event.text for event in home.heard if isinstance(event, Notice)]
        assert any("fake2 answers meanwhile" in text for text in told)
        assert told[-1] == "fake answers again."


def test_a_query_asked_before_is_answered_from_memory_during_an_outage(
    home: AgentHome, fake: FakeProvider, fake2: FakeProvider
) -> None:
    configure(home, WITH_FALLBACK, MODELS, fake=fake, fake2=fake2)
    with home.open() as engine:
        engine.sync("demand")
        before = memory_search(engine, "coffee beans", min_score=0)
        fake.otherwise = DOWN
        assert memory_search(engine, "coffee order", min_score=0).provider == "fake2"
        sent = len(fake.requests), len(fake2.requests)
        again = memory_search(engine, "coffee beans", min_score=0)
        assert (len(fake.requests), len(fake2.requests)) == sent
        assert (again.provider, again.mode) == ("fake", "hybrid")
        assert [r.ranked.score for r in again.results] == [r.ranked.score for r in before.results]
        assert engine.status().provider.mode == "fallback-active"


def test_a_sync_that_gets_through_ends_the_outage_too(
    home: AgentHome, fake: FakeProvider, fake2: FakeProvider
) -> None:
    configure(home, WITH_FALLBACK, MODELS, fake=fake, fake2=fake2)
    fake.otherwise = DOWN
    with home.open() as engine:
        engine.sync("demand")
        assert engine.status().provider.provider == "fake2"
        fake.otherwise = vectors
        home.time.clock.seconds += FIRST_WAIT_S
        report = engine.sync("watch")
        assert (report.embedded, report.embedding_error, report.stood_in) == (1, None, 0)
        assert engine.status().provider.provider == "fake"


def test_a_longer_outage_is_asked_about_less_and_less(
    home: AgentHome, fake: FakeProvider, fake2: FakeProvider
) -> None:
    configure(home, WITH_FALLBACK, MODELS, fake=fake, fake2=fake2)
    with home.open() as engine:
        engine.sync("demand")
        fake.otherwise = DOWN
        asked = []
        for number in range(8):
            before = len(fake.requests)
            memory_search(engine, f"question {number}", min_score=0)
            asked.append(len(fake.requests) > before)
            home.time.clock.seconds += FIRST_WAIT_S
    assert asked == [True, True, False, True, False, False, False, True]
