"""Case cost-estimate: what a rebuild sends is said before, and what it cost after."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.status import Cost, Price, RebuildEstimate
from tests.cases.agent import case_home, toy_3
from tests.cases.searching import case_json
from tests.engine.agent_home import KEY, AgentHome
from tests.fakes.answers import Answer, Received, as_json, data_of
from tests.fakes.provider_server import FakeProvider

NAME = "cost-estimate"
PRICES = case_json(f"{NAME}/prices.json")
USAGE = case_json(f"{NAME}/provider.json")["usage"]


def with_usage(received: Received) -> Answer:
    """A right answer with the provider's own count."""
    return as_json({"object": "list", "data": data_of(received), "usage": USAGE})


@pytest.fixture
def fake() -> Iterator[FakeProvider]:
    with FakeProvider(toy_3, otherwise=with_usage) as fake:
        yield fake


@pytest.fixture
def home(tmp_path: Path, fake: FakeProvider) -> AgentHome:
    home = case_home(NAME, tmp_path)
    configure(home, fake, "toy-3")
    own = {name: price and price["usd_per_million_tokens"] for name, price in PRICES.items()}
    (tmp_path / "settings").mkdir()
    (tmp_path / "settings" / "settings.json5").write_text(json.dumps({"prices": own}), "utf-8")
    return home


def configure(home: AgentHome, fake: FakeProvider, model: str) -> None:
    """With a key: without one a server on this machine costs nothing."""
    entry = {"baseUrl": fake.base_url, "api": "openai-completions", "models": [{"id": model}]}
    search = {"provider": "fake", "model": model, "remote": {"apiKey": KEY}}
    home.configure(search, models={"providers": {"fake": entry}})


def estimated(home: AgentHome) -> RebuildEstimate:
    with home.open() as engine:
        return engine.estimate_rebuild()


def test_before_it_is_an_estimate_with_a_price_or_none(home: AgentHome, fake: FakeProvider) -> None:
    before = estimated(home)
    # Some chunks are word for word the same, and sent once.
    assert (before.files, before.chunks) == (2, before.to_embed + before.cached)
    assert before.cost is not None
    assert before.cost.estimated
    assert before.cost.tokens == before.tokens > 0
    assert before.cost.price == Price(0.02, "", own=True)
    assert before.cost.usd == pytest.approx(before.tokens * 0.02 / 1_000_000)
    assert "less than $0.01 (your own price)" in before.note
    configure(home, fake, "unknown")
    unknown = estimated(home)
    assert unknown.cost == Cost(before.tokens, estimated=True)
    assert "price unknown" in unknown.note
    assert fake.requests == []


def test_after_it_is_the_providers_own_count_summed(home: AgentHome, fake: FakeProvider) -> None:
    with home.open() as engine:
        report = engine.sync("demand", force=True)
        sent = len(fake.requests)
        state = engine.status().cost
    assert sent > 0
    assert (report.tokens, report.tokens_estimated) == (520 * sent, False)
    assert report.usd == pytest.approx(520 * sent * 0.02 / 1_000_000)
    assert state.price == Price(0.02, "", own=True)
    assert state.last == Cost(520 * sent, usd=report.usd)
    with home.open() as engine:
        again = engine.estimate_rebuild()
        assert (again.to_embed, again.cached) == (0, again.chunks)
        second = engine.sync("demand", force=True)
        (spent,) = engine.status().cost.total
    assert len(fake.requests) == sent
    assert (second.embedded, second.tokens, second.usd) == (0, None, None)
    assert (spent.provider, spent.model, spent.tokens) == ("fake", "toy-3", 520 * sent)
    assert spent.usd == report.usd


def test_without_a_count_of_the_provider_a_quarter_of_the_bytes_is_marked(
    home: AgentHome, fake: FakeProvider
) -> None:
    fake.otherwise = lambda received: as_json({"object": "list", "data": data_of(received)})
    expected = estimated(home).tokens
    with home.open() as engine:
        report = engine.sync("demand")
        (spent,) = engine.status().cost.total
    assert report.tokens_estimated
    assert report.tokens is not None
    assert abs(report.tokens - expected) <= len(fake.requests)
    assert spent.estimated
