"""A failing provider on the command line: texts are kept, the reason is said, the exit tells.

Exit 3 is what the agent would call unavailable, with keyword results all the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import Command
from tests.engine.agent_home import AgentHome, remote
from tests.fakes.answers import status
from tests.fakes.provider_server import FakeProvider


@pytest.fixture
def fake() -> Iterator[FakeProvider]:
    with FakeProvider() as fake:
        yield fake


@pytest.fixture
def home(tmp_path: Path) -> AgentHome:
    home = AgentHome(tmp_path)
    home.write("MEMORY.md", "kestrel is the gateway host\n")
    home.write("memory/a.md", "router VLAN 30 smart plugs\n")
    home.write("memory/b.md", "tea and biscuits\n")
    return home


@pytest.mark.parametrize(
    ("era", "code"), [("2026.2", 0), ("2026.3", 0), ("2026.7", 3), ("2026.9", 3), ("memlens", 0)]
)
def test_a_failing_provider_by_era(
    era: str, code: int, home: AgentHome, fake: FakeProvider, memlens: Command
) -> None:
    home.configure(remote(fake.base_url))
    call = ("--state-dir", home.state, "--era", era)
    assert memlens(*call, "index").code == 0
    fake.otherwise = status(401)
    command = (*call, "search", "router", "--min-score", "0")
    answer = memlens(*command, "--json")
    assert answer.code == code
    assert [row["path"] for row in answer.json["results"]] == ["memory/a.md"]
    assert (answer.json["mode"], answer.json["unavailable"]) == ("keyword", code == 3)
    assert any("refuses the key" in notice for notice in answer.json["notices"])
    printed = memlens(*command)
    assert printed.code == code
    assert "memory/a.md:1-" in printed.out
    assert "Only keywords were searched" in printed.err
    assert ("the agent itself" in printed.err) == (code == 3)


@pytest.mark.parametrize("fallback", ["none", "builtin"])
def test_indexing_with_a_failing_provider(
    fallback: str, home: AgentHome, fake: FakeProvider, memlens: Command
) -> None:
    home.configure(remote(fake.base_url, fallback=fallback))
    fake.otherwise = status(401)
    said = memlens("--state-dir", home.state, "index", "--json")
    assert said.code == 1
    assert "refuses the key" in said.err
    assert "Check the key for openai" in said.err
    assert (said.json["filesIndexed"], said.json["embedded"]) == (3, 0)
    assert "refuses the key" in said.json["embeddingError"]
    stood_in = 0 if fallback == "none" else 3
    assert said.json["fallbackEmbedded"] == stood_in
    assert ("The fallback has embedded 3 texts" in said.err) == (stood_in == 3)
    command = ("search", "smart plugs", "--min-score", "0", "--json")
    answer = memlens("--state-dir", home.state, *command).json
    assert answer["results"][0]["path"] == "memory/a.md"
    if stood_in:
        assert (answer["provider"], answer["mode"]) == ("builtin", "hybrid")
        assert (answer["fallback"]["from"], answer["fallback"]["to"]) == ("openai", "builtin")
    else:
        assert answer["mode"] == "keyword"


def test_a_named_provider_without_a_key_is_a_failing_one(home: AgentHome, memlens: Command) -> None:
    home.configure({"provider": "openai"})
    call = ("--state-dir", home.state, "--era", "2026.7")
    assert memlens(*call, "index").code == 0
    answer = memlens(*call, "search", "router", "--min-score", "0", "--json")
    assert answer.code == 3
    assert [row["path"] for row in answer.json["results"]] == ["memory/a.md"]


@pytest.mark.parametrize("provider", ["none", "builtin"])
def test_keywords_on_purpose_and_builtin_are_no_failure(
    provider: str, home: AgentHome, memlens: Command
) -> None:
    home.configure({"provider": provider})
    call = ("--state-dir", home.state, "--era", "2026.9")
    memlens(*call, "index")
    assert memlens(*call, "search", "router", "--json").code == 0


def test_a_search_that_is_switched_off(home: AgentHome, memlens: Command) -> None:
    home.configure({"provider": "builtin", "enabled": False})
    said = memlens("--state-dir", home.state, "search", "router", "--json")
    assert said.code == 3
    assert said.json["error"]["type"] == "unavailable"
    assert "(openclaw.json, line 7)" in said.json["error"]["message"]
    assert memlens("--state-dir", home.state, "status", "--json").code == 0
    assert memlens("--state-dir", home.state, "get", "memory/a.md").out.startswith("router")
