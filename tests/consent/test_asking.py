"""What is sent without being asked for: nothing; and what each way of asking sends."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.events import SyncReason
from engine.tools.memory_search import memory_search
from tests.cli.conftest import Command, memlens
from tests.engine.agent_home import AgentHome, remote
from tests.fakes.answers import status
from tests.fakes.provider_server import FakeProvider

__all__ = ["memlens"]
BY_ITSELF: tuple[SyncReason, ...] = ("start", "search", "watch", "interval")
DOWN = status(500)
NOTE = "kestrel is the gateway host\n"


@pytest.fixture
def fake() -> Iterator[FakeProvider]:
    with FakeProvider() as fake:
        yield fake


@pytest.fixture
def home(tmp_path: Path, fake: FakeProvider) -> AgentHome:
    home = AgentHome(tmp_path)
    home.write("MEMORY.md", NOTE)
    home.configure(remote(fake.base_url))
    return home


# -- the first paid index


def test_opening_looking_and_watching_send_nothing(home: AgentHome, fake: FakeProvider) -> None:
    with home.open() as engine:
        engine.watch()
        for reason in BY_ITSELF:
            assert engine.sync(reason).not_embedded == 1
        engine.scan()
        engine.estimate_rebuild()
        assert engine.status().sync.awaits_consent
        assert memory_search(engine, "kestrel", min_score=0).results
    assert fake.requests == []


def test_a_demand_is_consent_and_later_changes_follow_it(
    home: AgentHome, fake: FakeProvider
) -> None:
    with home.open() as engine:
        engine.sync("demand")
        assert fake.texts == [NOTE]
        home.write("memory/a.md", "plover\n")
        engine.sync("watch")
        assert fake.texts[1:] == ["plover\n"]


def test_index_on_the_command_line_is_consent(
    home: AgentHome, fake: FakeProvider, memlens: Command
) -> None:
    assert memlens("--state-dir", home.state, "index").code == 0
    assert fake.texts == [NOTE]


def test_one_shot_search_builds_keyword_tables_only(
    home: AgentHome, fake: FakeProvider, memlens: Command
) -> None:
    for _ in range(2):
        said = memlens("--state-dir", home.state, "search", "gateway", "--min-score", "0", "--json")
        assert said.code == 0
        assert [result["path"] for result in said.json["results"]] == ["MEMORY.md"]
        assert said.json["mode"] == "keyword"
        assert fake.requests == []
        assert "waits for your consent" in " ".join(said.json["notices"])
    memlens("--state-dir", home.state, "index")
    said = memlens("--state-dir", home.state, "search", "gateway", "--json")
    assert said.json["mode"] == "hybrid"
    assert fake.texts == [NOTE, "gateway"]


def test_a_change_of_model_asks_again(home: AgentHome, fake: FakeProvider) -> None:
    with home.open() as engine:
        engine.sync("demand")
    sent = len(fake.requests)
    home.configure(remote(fake.base_url) | {"model": "other"})
    with home.open() as engine:
        for reason in BY_ITSELF:
            engine.sync(reason)
        assert engine.status().sync.awaits_consent
    assert len(fake.requests) == sent


# -- status


@pytest.mark.parametrize("indexed", [False, True])
def test_status_sends_nothing_and_deep_status_one_word(
    home: AgentHome, fake: FakeProvider, memlens: Command, indexed: bool
) -> None:
    if indexed:
        memlens("--state-dir", home.state, "index")
    sent = len(fake.requests)
    for command in (["status"], ["status", "--json"], ["files"], ["config", "show"]):
        assert memlens("--state-dir", home.state, *command).code == 0
    assert len(fake.requests) == sent
    said = memlens("--state-dir", home.state, "status", "--deep", "--json")
    assert said.json[0]["embeddingProbe"]["ok"]
    assert fake.texts[sent:] == ["ping"]


# -- fallback


def test_without_a_fallback_nobody_else_is_asked(tmp_path: Path, fake: FakeProvider) -> None:
    with FakeProvider() as other:
        home = AgentHome(tmp_path, environ={"OPENAI_API_KEY": "k", "VOYAGE_API_KEY": "k"})
        home.write("MEMORY.md", NOTE)
        entries = {"other": {"baseUrl": other.base_url, "apiKey": "k", "models": [{"id": "m"}]}}
        home.configure(remote(fake.base_url, fallback="none"), models={"providers": entries})
        with home.open() as engine:
            engine.sync("demand")
            fake.otherwise = DOWN
            home.write("memory/a.md", "plover\n")
            engine.sync("demand")
            answer = memory_search(engine, "plover", min_score=0)
        assert (answer.mode, answer.fallback) == ("keyword", None)
        assert other.requests == []


def test_a_named_fallback_alone_is_asked_and_only_on_demand(
    tmp_path: Path, fake: FakeProvider
) -> None:
    with FakeProvider() as second, FakeProvider() as third:
        home = AgentHome(tmp_path)
        home.write("MEMORY.md", NOTE)
        entries = {
            name: {"baseUrl": host.base_url, "apiKey": f"key-of-{name}", "models": [{"id": "m"}]}
            for name, host in (("second", second), ("third", third))
        }
        home.configure(remote(fake.base_url, fallback="second"), models={"providers": entries})
        with home.open() as engine:
            engine.sync("demand")
            assert second.requests == []
            fake.otherwise = DOWN
            home.write("memory/a.md", "plover\n")
            for reason in BY_ITSELF:
                engine.sync(reason)
            assert second.texts == []  # it may cost: texts wait for a word
            engine.sync("demand")
            assert sorted(second.texts) == [NOTE, "plover\n"]
            assert {r.headers["authorization"] for r in second.requests} == {"Bearer key-of-second"}
        assert third.requests == []


# -- search


def test_typing_sends_nothing_and_a_search_its_query_once(
    home: AgentHome, fake: FakeProvider
) -> None:
    with home.open() as engine:
        engine.sync("demand")
        settings = engine.rank_settings()
        sent = len(fake.requests)
        for typed in ("g", "ga", "gate", "gateway"):
            pool = engine.retrieve(typed, settings, send_query=False)
            assert pool.mode == "keyword"
        assert len(fake.requests) == sent
        assert engine.retrieve("gateway", settings).mode == "hybrid"
        assert engine.retrieve("gateway", settings, send_query=False).mode == "hybrid"
        assert fake.texts[sent:] == ["gateway"]
