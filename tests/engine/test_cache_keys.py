"""The ``cache.*`` keys and the side-by-side vector spaces, counted at the provider."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.engine.agent_home import AgentHome, remote
from tests.fakes.provider_server import FakeProvider


@pytest.fixture
def fake() -> Iterator[FakeProvider]:
    with FakeProvider() as fake:
        yield fake


@pytest.fixture
def home(tmp_path: Path) -> AgentHome:
    home = AgentHome(tmp_path)
    for number in range(4):
        home.write(f"memory/{number}.md", f"heron number {number}\n")
    return home


def sync(home: AgentHome, fake: FakeProvider, *, force: bool = False, **keys: Any) -> int:
    """Configure and sync, as one process; the number of texts that were sent."""
    before = len(fake.texts)
    home.configure(remote(fake.base_url) | keys)
    with home.open() as engine:
        engine.sync("demand", force=force)
        assert engine.status().identity.status == "valid"
    return len(fake.texts) - before


def test_switching_models_there_and_back_costs_no_request(
    home: AgentHome, fake: FakeProvider
) -> None:
    assert sync(home, fake) == 4
    assert sync(home, fake, model="other") == 4
    requests = len(fake.requests)
    assert sync(home, fake) == 0
    assert sync(home, fake, model="other") == 0
    assert len(fake.requests) == requests


@pytest.mark.parametrize(
    "keys",
    [
        {"outputDimensionality": 192},
        {"documentInputType": "passage"},
        {"provider": "none"},
        {"chunking": {"tokens": 200, "overlap": 0}},
        {"store": {"fts": {"tokenizer": "trigram"}}},
    ],
    ids=lambda keys: next(iter(keys)),
)
def test_every_part_of_the_identity_can_be_changed_back_for_nothing(
    keys: dict[str, Any], home: AgentHome, fake: FakeProvider
) -> None:
    assert sync(home, fake) == 4
    sync(home, fake, **keys)
    requests = len(fake.requests)
    assert sync(home, fake) == 0
    assert len(fake.requests) == requests


def test_a_rename_costs_nothing_with_a_cache_and_without(
    home: AgentHome, fake: FakeProvider
) -> None:
    for cache in ({"enabled": True}, {"enabled": False}):
        sync(home, fake, cache=cache)
        old, new = (home.workspace / f"memory/{n}.md" for n in ("0", f"new-{cache['enabled']}"))
        old.rename(new)
        assert sync(home, fake, cache=cache) == 0
        new.rename(old)


def test_what_was_deleted_comes_back_for_nothing_unless_the_cache_is_off(
    home: AgentHome, fake: FakeProvider
) -> None:
    for enabled, sent in ((True, 0), (False, 1)):
        cache = {"enabled": enabled}
        sync(home, fake, cache=cache)
        (home.workspace / "memory/0.md").unlink()
        sync(home, fake, cache=cache)
        home.write("memory/0.md", "heron number 0\n")
        assert sync(home, fake, cache=cache) == sent


def test_max_entries_drops_the_longest_out_of_use(home: AgentHome, fake: FakeProvider) -> None:
    cache = {"maxEntries": 5}
    sync(home, fake, cache=cache)
    for number in range(3):
        home.time.clock.epoch_ms += 1000.0
        home.write(f"memory/{number}.md", f"plover number {number}\n")
        assert sync(home, fake, cache=cache) == 1
    with home.open() as engine:
        assert (engine.status().cache.entries, engine.status().cache.max_entries) == (5, 5)
    home.write("memory/2.md", "heron number 2\n")
    assert sync(home, fake, cache=cache) == 0, "the last one out of use is still there"
    home.write("memory/0.md", "heron number 0\n")
    assert sync(home, fake, cache=cache) == 1, "the first one is not"


def test_what_is_in_use_stays_whatever_the_limit(home: AgentHome, fake: FakeProvider) -> None:
    assert sync(home, fake, cache={"maxEntries": 1}) == 4
    assert sync(home, fake, cache={"maxEntries": 1}, force=True) == 0


def test_the_hit_rate_is_known_sync_by_sync(home: AgentHome, fake: FakeProvider) -> None:
    sync(home, fake)
    sync(home, fake, force=True)
    home.write("memory/9.md", "plover\n")
    home.write("memory/8.md", "heron number 1\n")
    sync(home, fake)
    sync(home, fake)
    with home.open() as engine:
        cache = engine.status().cache
    assert [(s.hits, s.misses, s.hit_rate) for s in cache.by_sync] == [
        (1, 1, 0.5),
        (4, 0, 1.0),
        (0, 4, 0.0),
    ]
    assert cache.hit_rate is None, "the last sync needed no vector"
