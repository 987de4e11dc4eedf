"""The vector spaces of an index as the facade tells them: in use, the fallback's, kept."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.engine.agent_home import AgentHome, remote
from tests.fakes.answers import status
from tests.fakes.provider_server import FakeProvider


@pytest.fixture
def home(tmp_path: Path) -> AgentHome:
    home = AgentHome(tmp_path)
    home.write("MEMORY.md", "kestrel is the gateway host\n")
    home.write("memory/a.md", "router VLAN 30 smart plugs\n")
    return home


@pytest.fixture
def fake() -> Iterator[FakeProvider]:
    with FakeProvider() as server:
        yield server


def test_before_there_is_an_index_there_are_no_spaces(home: AgentHome) -> None:
    home.configure({"provider": "builtin"})
    with home.open() as engine:
        assert engine.vector_spaces() == ()
    assert not list(home.root.rglob("*.sqlite"))


def test_what_switching_would_cost_can_be_read_off(home: AgentHome, fake: FakeProvider) -> None:
    home.configure({"provider": "builtin"})
    with home.open() as engine:
        engine.sync("demand")
        (own,) = engine.vector_spaces()
        assert (own.role, own.provider, own.covered, own.missing) == ("in use", "builtin", 2, 0)
        assert own.remote is False
    home.configure(remote(fake.base_url, fallback="builtin"))
    with home.open() as engine:
        own, instead = engine.vector_spaces()
        assert (own.role, own.provider, own.model) == ("in use", "openai", "bow-192")
        assert (own.covered, own.missing, own.remote) == (0, 2, True)
        assert own.missing_tokens > 0
        assert own.missing_usd is None
        assert (instead.role, instead.provider, instead.missing) == ("fallback", "builtin", 0)
        engine.sync("demand")
        own, instead = engine.vector_spaces()
        assert (own.covered, own.missing, own.missing_tokens, own.dimensions) == (2, 0, 0, 192)
    home.configure({"provider": "none"})
    with home.open() as engine:
        kept = engine.vector_spaces()
        assert {space.role for space in kept} == {"kept"}
        assert {space.provider for space in kept} == {"openai", "builtin"}


def test_the_fallbacks_space_keeps_its_name_when_it_is_no_fallback_any_more(
    home: AgentHome, fake: FakeProvider
) -> None:
    home.configure(remote(fake.base_url, fallback="builtin"))
    fake.otherwise = status(500)
    with home.open() as engine:
        engine.sync("demand")
    home.configure(remote(fake.base_url))
    with home.open() as engine:
        own, kept = engine.vector_spaces()
        assert (own.role, own.covered) == ("in use", 0)
        assert (kept.role, kept.provider, kept.covered) == ("kept", "builtin", 2)


def test_what_is_missing_has_its_price_where_one_is_known(
    home: AgentHome, fake: FakeProvider
) -> None:
    home.configure(remote(fake.base_url, fallback="builtin"))
    prices = "prices={'openai/bow-192': 2000.0}"
    with home.open(prices) as engine:
        engine.sync("demand")
        home.write("memory/b.md", "alpha beta gamma\n")
    home.configure({"provider": "builtin"})
    with home.open(prices) as engine:
        engine.sync("demand")
        own, kept = engine.vector_spaces()
        assert (own.provider, own.missing_usd) == ("builtin", None)
        assert (kept.provider, kept.missing) == ("openai", 1)
        assert kept.missing_usd == kept.missing_tokens * 2000.0 / 1e6
