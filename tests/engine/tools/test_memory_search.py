"""memory_search through the facade, on a real index and a real endpoint."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.errors import ConfigError, SearchUnavailableError
from engine.memory import MemoryEngine
from engine.tools.agent_answer import answer_for_agent, unavailable
from engine.tools.arguments import ArgumentError
from engine.tools.memory_search import memory_search
from tests.engine.agent_home import KEY, AgentHome, remote
from tests.fakes.answers import status
from tests.fakes.provider_server import FakeProvider

NOTES = {
    "MEMORY.md": "# Root\nkestrel is the gateway host\n",
    "memory/a.md": "router VLAN 30 smart plugs\n",
    "memory/b.md": "alpha beta gamma\n\ndelta\n",
}


@pytest.fixture
def home(tmp_path: Path) -> AgentHome:
    home = AgentHome(tmp_path)
    for path, text in NOTES.items():
        home.write(path, text)
    return home


@pytest.fixture
def engine(home: AgentHome) -> Iterator[MemoryEngine]:
    home.configure({"provider": "builtin"})
    with home.open("era=memlens") as engine:
        engine.sync("demand")
        yield engine


def test_a_result_carries_its_place_words_and_trace(engine: MemoryEngine) -> None:
    answer = memory_search(engine, "which VLAN has the router")
    first = answer.results[0]
    assert first.ranked.candidate.path == "memory/a.md"
    assert (first.snippet, first.citation) == (NOTES["memory/a.md"].rstrip(), "memory/a.md#L1")
    assert (first.matched, first.missing) == (("VLAN", "router"), ())
    assert (first.snippet_start_line, first.hit_line) == (1, 1)
    assert first.ranked.trace.steps
    assert (answer.mode, answer.provider, answer.profile) == ("hybrid", "builtin", "tuned")
    assert answer.stale is False


def test_limits_of_the_call_go_above_the_configuration(engine: MemoryEngine) -> None:
    assert len(memory_search(engine, "router gateway", max_results=1).results) == 1
    assert memory_search(engine, "router", min_score=0.99, profile="2026.3").ranking.cut == 0.99
    assert memory_search(engine, "router", source="sessions").results == ()
    with pytest.raises(ConfigError):
        memory_search(engine, "router", profile="nonsense")


def test_a_changed_file_makes_the_answer_stale(home: AgentHome, engine: MemoryEngine) -> None:
    home.write("memory/new.md", "a new note")
    engine.scan()
    assert memory_search(engine, "router").stale is True


def test_the_disk_is_looked_at_when_it_never_was(home: AgentHome, engine: MemoryEngine) -> None:
    engine.close()
    home.write("memory/new.md", "a new note")
    with home.open("era=memlens") as later:
        assert memory_search(later, "router").stale is True


def test_a_search_that_is_switched_off_is_unavailable(home: AgentHome) -> None:
    home.configure({"provider": "builtin", "enabled": False})
    with home.open() as engine:
        with pytest.raises(SearchUnavailableError):
            memory_search(engine, "router")
        answer = answer_for_agent(engine, {"query": "router"})
        assert (answer["results"], answer["disabled"], answer["unavailable"]) == ([], True, True)
        assert "disabled" in answer["error"]


def test_a_query_is_required(engine: MemoryEngine) -> None:
    for arguments in ({}, {"query": ""}, {"query": "  "}, {"query": 7}):
        with pytest.raises(ArgumentError) as caught:
            answer_for_agent(engine, arguments)
        assert caught.value.message == "query required"


def test_numbers_may_come_as_texts(engine: MemoryEngine) -> None:
    answer = answer_for_agent(engine, {"query": "router", "maxResults": "1.9", "minScore": "x"})
    assert len(answer["results"]) == 1
    assert answer_for_agent(engine, {"query": "router", "maxResults": True})["results"]


@pytest.mark.parametrize("stamp", ["2026.3.13", "2026.7.1"])
def test_a_failing_provider_is_answered_as_the_era_says(stamp: str, home: AgentHome) -> None:
    with FakeProvider() as fake:
        home.configure(remote(fake.base_url), meta={"lastTouchedVersion": stamp})
        with home.open("query.minScore=0") as engine:
            engine.sync("demand")
            fake.otherwise = status(401)
            answer = answer_for_agent(engine, {"query": "router VLAN"})
    if stamp == "2026.3.13":
        assert answer["mode"] == "fts-only"
        assert [row["path"] for row in answer["results"]] == ["memory/a.md"]
    else:
        assert answer["unavailable"] is True
        assert answer["results"] == []
        assert "provider" in answer["action"]
    assert KEY not in str(answer)


def test_a_used_up_quota_is_told_apart(home: AgentHome) -> None:
    with FakeProvider() as fake:
        home.configure(remote(fake.base_url), meta={"lastTouchedVersion": "2026.7.1"})
        with home.open() as engine:
            engine.sync("demand")
            fake.otherwise = status(429)
            answer = answer_for_agent(engine, {"query": "router VLAN"})
    assert "quota" in answer["warning"]
    assert "credit" in answer["action"]


@pytest.mark.parametrize(
    ("error", "quota"),
    [
        ("http://127.0.0.1:42901 refuses the key (401).", False),
        ("http://127.0.0.1:429 refuses the key (401).", False),
        ("http://127.0.0.1:8080 accepts no more requests (429).", True),
        ("Its quota is used up.", True),
    ],
)
def test_the_digits_of_a_port_are_no_status(error: str, quota: bool) -> None:
    assert ("quota is used up" in unavailable(error)["warning"]) is quota
