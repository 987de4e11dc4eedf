"""Prices by provider and model, and what an index has cost so far."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.embeddings.contract import ProviderIdentity
from engine.embeddings.cost.price_table import PriceTable, cost_of, total
from engine.embeddings.cost.spending import spending_of, with_cost
from engine.embeddings.cost.tokens import estimated_tokens
from engine.status import Cost, Price, Spending

OPENAI = "https://api.openai.com/v1"


def identity(
    provider: str, model: str, endpoint: str = "http://127.0.0.1:9/v1"
) -> ProviderIdentity:
    return ProviderIdentity(provider, model, endpoint)


@pytest.mark.parametrize(
    ("provider", "model", "endpoint", "usd"),
    [
        ("openai", "text-embedding-3-small", OPENAI, 0.02),
        ("openai", "text-embedding-3-small", f"{OPENAI};headers:0a1b2c", 0.02),
        ("openai", "text-embedding-3-small", "https://gateway.example/v1", None),
        ("openai", "text-embedding-3-small", "https://api.openai.com.example/v1", None),
        ("openai", "of-tomorrow", OPENAI, None),
        ("gemini", "models/gemini-embedding-001",
         "https://generativelanguage.googleapis.com/v1beta", 0.15),
        ("bedrock", "us.amazon.titan-embed-text-v2:0",
         "https://bedrock-runtime.us-east-1.amazonaws.com", 0.02),
        ("bedrock", "amazon.titan-embed-text-v2:0:8k",
         "https://bedrock-runtime.eu-west-1.amazonaws.com", 0.02),
        ("ollama", "nomic-embed-text", "http://127.0.0.1:11434", None),
    ],
)  # fmt: skip
def test_a_price_counts_for_the_vendors_own_hosts(
    provider: str, model: str, endpoint: str, usd: float | None
) -> None:
    price = PriceTable().price_of(identity(provider, model, endpoint))
    assert (None if price is None else price.usd_per_million_tokens) == usd
    if price is not None:
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", price.dated)
        assert not price.own


def test_a_persons_own_price_counts_everywhere_and_may_say_unknown() -> None:
    table = PriceTable({"fake/toy-3": 0.02, "openai/text-embedding-3-small": None})
    assert table.price_of(identity("fake", "toy-3")) == Price(0.02, "", own=True)
    assert table.price_of(identity("openai", "text-embedding-3-small", OPENAI)) is None


def test_money_only_where_a_price_is_known() -> None:
    price = Price(0.02, "2026-05-31")
    assert cost_of(2_500_000, price, estimated=True) == Cost(2_500_000, True, 0.05, price)
    assert cost_of(520, None, estimated=False) == Cost(520)
    half = Price(0.02, "2026-05-31", batch_share=0.5)
    cost = cost_of(2_000_000, half, estimated=False, by_batch=1_000_000)
    assert cost.usd == pytest.approx(0.03)


def test_a_sum_names_money_only_when_all_of_it_is_known() -> None:
    known = cost_of(1_000_000, Price(0.02, ""), estimated=False)
    other = cost_of(500_000, Price(0.04, ""), estimated=True)
    assert total([]) is None
    assert total([known]) == known
    both = total([known, other])
    assert both is not None
    assert (both.tokens, both.estimated) == (1_500_000, True)
    assert both.usd == pytest.approx(0.04)
    assert total([known, Cost(7)]) == Cost(1_000_007)


def test_spending_adds_up_by_space_with_the_price_of_the_day() -> None:
    one, other = identity("fake", "toy-3"), identity("fake", "unknown")
    kept = with_cost(None, one, cost_of(1_000_000, Price(0.02, ""), estimated=False))
    kept = with_cost(kept, one, cost_of(1_000_000, Price(0.04, ""), estimated=True))
    kept = with_cost(kept, one, cost_of(500, None, estimated=False))
    kept = with_cost(kept, other, cost_of(3_000_000, None, estimated=False))
    first, second = spending_of(kept)
    assert (first.provider, first.model, first.tokens) == ("fake", "toy-3", 2_000_500)
    assert first.usd == pytest.approx(0.06)
    assert (first.estimated, first.unpriced_tokens) == (True, 500)
    assert second == Spending("fake", "unknown", 3_000_000, False, None, 3_000_000)
    assert spending_of(None) == ()


@given(st.lists(st.text(max_size=40), max_size=5))
def test_a_guess_is_a_quarter_of_the_bytes_and_never_less(texts: list[str]) -> None:
    octets = sum(len(text.encode("utf-8", "replace")) for text in texts)
    assert octets <= 4 * estimated_tokens(texts) < octets + 4
