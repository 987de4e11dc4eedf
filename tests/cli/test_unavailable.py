"""Exit 3: what the agent would call unavailable, with keyword results all the same."""

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
    assert "memory/a.md:1-2" in printed.out
    assert "Only keywords were searched" in printed.err
    assert ("the agent itself" in printed.err) == (code == 3)


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
