"""``--set``: the last word, and a wrong one is a wrong command."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import ConfigError
from tests.engine.config.desk import Desk, problem, value


@pytest.mark.parametrize(
    ("text", "key", "taken"),
    [
        ("query.maxResults=8", "query.maxResults", 8),
        (" query.minScore =.25", "query.minScore", 0.25),
        ("query.hybrid.mmr.enabled=true", "query.hybrid.mmr.enabled", True),
        ("model=text-embedding-3-small", "model", "text-embedding-3-small"),
        ("model='a b'", "model", "a b"),
        ("model=123", "model", "123"),
        ("model=a=b", "model", "a=b"),
        ("model=", "model", ""),
        ("extraPaths=['x', \"y\"]", "extraPaths", ["x", "y"]),
        ("decay.paths=wide", "decay.paths", "wide"),
        ("era=2026.2", "era", "2026.2"),
        ("remote.headers={'Content-Type': 'a'}", "remote.headers", {"Content-Type": "a"}),
        ("query={maxResults: 2, hybrid: {textWeight: 0}}", "query.maxResults", 2),
    ],
)
def test_a_value_is_json5_or_else_text(desk: Desk, text: str, key: str, taken: Any) -> None:
    shown = value(desk.resolve(text), key)
    assert shown.value == taken
    assert shown.source.layer == "--set"


def test_the_later_one_wins(desk: Desk) -> None:
    config = desk.resolve("query.maxResults=1", "query={maxResults: 2}", "query.maxResults=3")
    assert config.memory_search.query.max_results == 3


def test_a_weight_set_alone_is_normalised_with_the_other(desk: Desk) -> None:
    hybrid = desk.resolve("query.hybrid.textWeight=0.7").memory_search.query.hybrid
    assert (hybrid.vector_weight, hybrid.text_weight) == (0.5, 0.5)


def test_out_of_range_is_clamped_and_told(desk: Desk) -> None:
    config = desk.resolve("query.minScore=7")
    assert config.memory_search.query.min_score == 1
    assert problem(config, "--set query.minScore").message.endswith("found 7; 1.0 is used.")


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("query.maxResuls=3", "no key 'query.maxResuls'", "query.maxResults"),
        ("maxResults=3", "no key 'maxResults'", "query.maxResults"),
        ("qqqqqqqq=3", "no key 'qqqqqqqq'", "config show"),
        ("query.maxResults", "KEY=VALUE", "query.maxResults=8"),
        ("query=3", "query is a group", "query.maxResults"),
        ("query={bogus: 3}", "no key 'query.bogus'", "config show"),
        ("query.maxResults=many", 'a whole number of at least 1, found "many"', "Results"),
        ("query.hybrid.enabled=1", "expected true or false, found 1", "keywords"),
        ("glyphs=emoji", 'expected "unicode" or "ascii", found "emoji"', "bars"),
        ("query.maxResults=null", "found null", "Results"),
        ("=3", "no key ''", "config show"),
    ],
)
def test_a_mistake_raises_with_what_is_right(
    desk: Desk, text: str, message: str, hint: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        desk.resolve(text)
    assert message in caught.value.message
    assert hint in caught.value.hint


def test_text_that_no_terminal_should_send(desk: Desk) -> None:
    assert desk.resolve("model=caf\udce9").memory_search.model == "caf\ufffd"
