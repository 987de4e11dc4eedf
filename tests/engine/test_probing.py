"""Probing the provider: one word, really sent, with what came of it and how long it took."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.tools.memory_search import memory_search
from tests.engine.agent_home import AgentHome, remote
from tests.fakes.answers import status, vectors, with_vector
from tests.fakes.provider_server import FakeProvider


@pytest.fixture
def home(tmp_path: Path) -> AgentHome:
    home = AgentHome(tmp_path)
    home.write("MEMORY.md", "kestrel is the gateway host\n")
    return home


@pytest.fixture
def fake() -> Iterator[FakeProvider]:
    with FakeProvider() as server:
        yield server


def test_every_probe_is_sent_and_tells_size_and_time(home: AgentHome, fake: FakeProvider) -> None:
    home.configure(remote(fake.base_url))
    with home.open() as engine:
        first, second = engine.probe(), engine.probe()
    assert fake.texts == ["ping", "ping"]
    assert (first.provider, first.dimensions, first.problem) == ("openai", 192, None)
    assert first.latency_ms is not None
    assert first.latency_ms >= 0.0
    assert second.at_ms >= first.at_ms


def test_a_probe_that_fails_says_why_and_what_to_do(home: AgentHome, fake: FakeProvider) -> None:
    home.configure(remote(fake.base_url))
    fake.otherwise = status(401)
    with home.open() as engine:
        report = engine.probe()
        assert report.problem is not None
        assert report.hint
        assert report.latency_ms is not None
        assert engine.probe().problem == report.problem


def test_an_answer_without_a_usable_vector_is_a_problem(
    home: AgentHome, fake: FakeProvider
) -> None:
    home.configure(remote(fake.base_url))
    fake.otherwise = with_vector([0.0] * 192)
    with home.open() as engine:
        report = engine.probe()
    assert report.problem == "It answered, but with no usable vector."
    assert report.dimensions is None


def test_without_a_provider_nobody_is_asked(home: AgentHome) -> None:
    home.configure({"provider": "none"})
    with home.open() as engine:
        report = engine.probe()
    assert report.problem == "Keywords only, as configured."
    assert report.latency_ms is None


def test_a_probe_that_is_answered_ends_the_time_of_the_fallback(
    home: AgentHome, fake: FakeProvider
) -> None:
    home.configure(remote(fake.base_url, fallback="builtin"))
    with home.open() as engine:
        engine.sync("demand")
        fake.otherwise = status(500)
        memory_search(engine, "smart plugs")
        fallback = engine.status().provider.fallback
        assert fallback is not None
        assert fallback.again_ms is not None
        assert fallback.again_ms > fallback.since_ms
        fake.otherwise = vectors
        assert engine.probe().problem is None
        assert engine.status().provider.fallback is None
        assert engine.status().provider.provider == "openai"


def test_a_provider_that_fails_fast_is_asked_by_each_search(
    home: AgentHome, fake: FakeProvider
) -> None:
    home.configure(remote(fake.base_url))
    with home.open() as engine:
        engine.sync("demand")
        fake.otherwise = status(401)
        memory_search(engine, "smart plugs")
        state = engine.status().provider
        assert (state.mode, state.again_ms) == ("degraded", None)


def test_a_provider_that_fails_slowly_is_left_alone_for_a_while(
    home: AgentHome, fake: FakeProvider
) -> None:
    home.configure(remote(fake.base_url))
    with home.open() as engine:
        engine.sync("demand")
        fake.otherwise = status(429, headers={"retry-after": "6"})
        memory_search(engine, "smart plugs")
        state = engine.status().provider
        assert state.mode == "degraded"
        assert state.again_ms is not None
        assert state.again_ms > home.time.clock.now_ms()
