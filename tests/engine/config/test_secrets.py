"""Keys are carried to the provider and shown nowhere."""

from __future__ import annotations

from typing import Any

import pytest

from engine.config.resolved import ResolvedConfig
from engine.config.schema import SecretRef
from engine.errors import ConfigError
from tests.engine.config.desk import Desk, value

KEY = "invented-key-4711"


def shown(config: ResolvedConfig) -> str:
    return "\n".join(
        [
            repr(config),
            repr(config.memory_search),
            *map(repr, config.values),
            *map(repr, config.problems),
        ]
    )


def test_a_key_is_kept_and_masked(desk: Desk) -> None:
    headers = {"Authorization": f"Bearer {KEY}", "X-Other": KEY, "Content-Type": "text/x"}
    base = f"https://me:{KEY}@host.test/v1?key={KEY}#x"
    remote = {"apiKey": KEY, "headers": headers, "baseUrl": base}
    desk.memory_search({"remote": remote}, models={"providers": {"openai": {"apiKey": KEY}}})
    config = desk.resolve()
    assert config.memory_search.remote.api_key == KEY
    assert config.memory_search.remote.headers["X-Other"] == KEY
    assert config.model_providers["openai"]["apiKey"] == KEY
    assert value(config, "remote.apiKey").value == "***"
    assert value(config, "remote.headers").value == {
        "Authorization": "***",
        "X-Other": "***",
        "Content-Type": "text/x",
    }
    assert value(config, "remote.baseUrl").value == "https://***@host.test/v1?***#x"
    values_and_problems = [*map(repr, config.values), *map(repr, config.problems)]
    assert KEY not in "\n".join(values_and_problems)


def test_a_representation_for_logs_holds_no_key(desk: Desk) -> None:
    remote = {"apiKey": KEY, "headers": {"X-Other": KEY}}
    desk.memory_search({"remote": remote}, models={"providers": {"openai": {"apiKey": KEY}}})
    assert KEY not in shown(desk.resolve())


def test_references_stay_as_they_are(desk: Desk) -> None:
    pointer = {"source": "env", "provider": "default", "id": "MY_KEY"}
    desk.memory_search({"remote": {"apiKey": "${MY_KEY}", "headers": {"X-A": pointer}}})
    config = desk.resolve()
    assert config.memory_search.remote.api_key == "${MY_KEY}"
    assert value(config, "remote.apiKey").value == "${MY_KEY}"
    expected = SecretRef(source="env", provider="default", id="MY_KEY")
    assert config.memory_search.remote.headers == {"X-A": expected}
    assert value(config, "remote.headers").value == {"X-A": pointer}


@pytest.mark.parametrize("wrong", [4711, [KEY], {"source": KEY}, KEY + "\0"])
def test_a_key_that_cannot_be_used_is_not_quoted(desk: Desk, wrong: Any) -> None:
    desk.memory_search({"remote": {"apiKey": wrong}})
    config = desk.resolve()
    assert config.memory_search.remote.api_key is None
    assert len(config.problems) == 1
    assert "4711" not in shown(config)


def test_a_mistyped_option_does_not_repeat_the_key(desk: Desk) -> None:
    for text in (f"remote.apikey={KEY}", f"{KEY}"):
        with pytest.raises(ConfigError) as caught:
            desk.resolve(text)
        assert KEY not in f"{caught.value} {caught.value.hint}"
