"""Copilot over real sockets: where GitHub says it is, which hosts are trusted, tokens."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.embeddings.remote.settings import RemoteSettings
from engine.embeddings.selection.provider_request import RemoteRequest
from engine.embeddings.ways_in.copilot_hosts import (
    checked_copilot_address,
    github_api_address,
    speaks_for_copilot,
)
from engine.errors import ProviderError
from tests.engine.embeddings.selected import Asked, assert_right
from tests.fakes.answers import Answer, Received, as_json, status
from tests.fakes.copilot import LARGE, LOGIN, SMALL, FakeCopilot
from tests.fakes.provider_server import FakeProvider
from tests.fakes.still_time import StillTime

USER, MODELS, EMBED = "GET /copilot_internal/user", "GET /models", "POST /embeddings"
TOKEN = "GET /copilot_internal/v2/token"
ENVIRON = {"COPILOT_GITHUB_TOKEN": LOGIN}


def asked(fake: FakeCopilot, **more: Any) -> Asked:
    return Asked("github-copilot", fake.origin, **{"environ": ENVIRON, **more})


def failure(fake: FakeCopilot, **request: Any) -> ProviderError:
    with asked(fake).open(**request) as it, pytest.raises(ProviderError) as caught:
        it.embed("kestrel")
    assert LOGIN not in f"{caught.value} {caught.value.hint}"
    return caught.value


def test_github_is_asked_once_where_copilot_is() -> None:
    with FakeCopilot() as fake, asked(fake).open() as it:
        assert_right(it.embed("kestrel", "router"), "kestrel", "router")
        it.provider.embed_query("gateway")
        assert fake.calls == [USER, MODELS, EMBED, EMBED]
        sent = fake.requests[2]
        assert sent.json == {"model": SMALL, "input": ["kestrel", "router"]}
        assert sent.headers["authorization"] == f"Bearer {LOGIN}"
        assert sent.headers["copilot-integration-id"] == "copilot-developer-cli"
        assert sent.headers["openai-organization"] == "github-copilot"
        assert it.choice.key_source == "environment variable COPILOT_GITHUB_TOKEN"
        assert "does not document" in it.choice.reason
        assert it.provider.remote


def test_configured_headers_win() -> None:
    remote = RemoteRequest(headers={"Copilot-Integration-Id": "vscode-chat"})
    with FakeCopilot() as fake, asked(fake).open(remote=remote) as it:
        it.embed("kestrel")
        assert fake.requests[2].headers["copilot-integration-id"] == "vscode-chat"


def test_another_model_is_named_when_the_wanted_one_is_not_offered() -> None:
    with FakeCopilot(models=["other-embedding", LARGE]) as fake:
        error = failure(fake)
        assert error.title == "Model not there"
        assert error.hint == f"Set model to {LARGE}."
        assert fake.texts == []
        with asked(fake).open(model=f"github-copilot/{LARGE}", dimensions=64) as it:
            fake.otherwise = status(400, {"error": {"code": "model_not_supported"}})
            with pytest.raises(ProviderError, match="has no embedding model"):
                it.embed("kestrel")
            assert fake.requests[-1].json["dimensions"] == 64


def test_a_refused_login_is_exchanged_for_a_token_once() -> None:
    time = StillTime()
    soon = time.clock.now_ms() / 1000.0 + 1500.0
    with (
        FakeCopilot(exchanges=True, expires_at=soon) as fake,
        asked(fake, time=time).open() as it,
    ):
        assert_right(it.embed("kestrel"), "kestrel")
        assert fake.calls == [USER, MODELS, EMBED, TOKEN, MODELS, EMBED]
        assert fake.requests[-1].headers["authorization"] == f"Bearer {fake.token}"
        it.embed("router")
        assert len(fake.calls) == 7
        fake.revoke()
        it.embed("gateway")
        assert fake.calls[7:] == [EMBED, TOKEN, MODELS, EMBED]
        time.clock.epoch_ms += 1_450_000.0
        it.embed("tea")
        assert fake.calls[11:] == [TOKEN, MODELS, EMBED]
        assert fake.texts[-1] == "tea"


def test_a_token_that_is_never_accepted_is_asked_for_once() -> None:
    with FakeCopilot(exchanges=True) as fake:
        fake.expires_at = 4e9
        with asked(fake).open() as it:
            it.embed("kestrel")
            fake.script(*[status(401, "unauthorized: token expired")] * 5)
            sent = len(fake.calls)
            with pytest.raises(ProviderError, match="refuses the key") as caught:
                it.embed("router")
            assert fake.calls[sent:] == [EMBED, TOKEN, MODELS, EMBED]
            assert fake.token not in str(caught.value)


def test_neither_login_nor_token_is_told_when_copilot_quotes_them() -> None:
    def quoting(received: Received) -> Answer:
        words = f"I do not like {received.headers['authorization']} at all"
        return as_json({"error": {"message": words, "param": "model"}}, 400)

    with FakeCopilot(exchanges=True, expires_at=4e9) as fake, asked(fake).open() as it:
        it.embed("kestrel")
        fake.otherwise = quoting
        with pytest.raises(ProviderError) as caught:
            it.embed("router")
        assert "I do not like [secret] at all" in caught.value.message
        assert LOGIN not in caught.value.message
        assert fake.token not in caught.value.message


def test_a_login_of_the_agent_comes_before_the_environment(tmp_path: Path) -> None:
    profile = {"type": "token", "provider": "github-copilot", "token": LOGIN}
    stored = {"version": 1, "profiles": {"github-copilot:github": profile}}
    (tmp_path / "auth-profiles.json").write_text(json.dumps(stored), "utf-8")
    environ = {"COPILOT_GITHUB_TOKEN": "gho-another-9Qw3"}
    with (
        FakeCopilot() as fake,
        asked(fake, environ=environ).open(auth_folders=(tmp_path,), era="2026.3") as it,
    ):
        assert_right(it.embed("kestrel"), "kestrel")
        assert it.choice.key_source == "auth profile github-copilot:github"


def test_a_login_that_github_refuses() -> None:
    environ = {"COPILOT_GITHUB_TOKEN": "gho-another-9Qw3"}
    with FakeCopilot() as fake, asked(fake, environ=environ).open() as it:
        with pytest.raises(ProviderError) as caught:
            it.embed("kestrel")
        assert caught.value.title == "Key not accepted"
        assert "Bad credentials" in caught.value.message
        assert "COPILOT_GITHUB_TOKEN" in caught.value.message
        assert fake.calls == [USER]


def test_a_plan_without_embeddings() -> None:
    forbidden = status(
        403, {"error": {"message": "Forbidden", "code": "forbidden"}}, {"x-endpoint-forbidden": "1"}
    )
    with FakeCopilot(script=[forbidden]) as fake:
        error = failure(fake)
        assert (error.title, error.status) == ("Not allowed", 403)


def test_a_login_is_not_sent_to_a_host_that_is_not_copilots() -> None:
    with FakeProvider() as foreign, FakeCopilot(named=foreign.origin) as fake:
        error = failure(fake)
        assert error.title == "Foreign host"
        assert fake.calls == [USER]
        assert foreign.requests == []


def test_the_environment_stays_away_from_another_base_address() -> None:
    with FakeCopilot() as fake:
        other = Asked("github-copilot", environ=ENVIRON)
        choice = other.choose(remote=RemoteRequest(base_url=fake.origin))
        assert "belong to another host" in (choice.error or "")
        named = RemoteRequest(base_url=fake.origin, api_key=LOGIN)
        with other.open(remote=named) as it:
            assert_right(it.embed("kestrel"), "kestrel")


def test_an_address_of_copilot_is_used_as_it_is() -> None:
    address = "https://api.business.githubcopilot.com"
    choice = Asked("github-copilot", environ=ENVIRON).choose(remote=RemoteRequest(base_url=address))
    assert isinstance(choice.settings, RemoteSettings)
    assert choice.settings.base_url == address
    assert choice.settings.key is not None
    assert speaks_for_copilot(address)


@pytest.mark.parametrize(
    ("era", "source"),
    [("2026.3", None), ("2026.7", "environment variable GH_TOKEN"), ("2026.9", None)],
)
def test_other_variables_of_github_count_in_one_era_only(era: str, source: str | None) -> None:
    asked = Asked("github-copilot", environ={"GH_TOKEN": "t1", "GITHUB_TOKEN": "t2"})
    assert asked.choose(era=era).key_source == source


@pytest.mark.parametrize(
    ("written", "address"),
    [
        ("https://github.com/", "https://api.github.com"),
        ("https://acme.ghe.com", "https://api.acme.ghe.com"),
        ("https://api.acme.ghe.com", "https://api.acme.ghe.com"),
        ("https://api.github.com/", "https://api.github.com"),
        ("http://[", "http://["),
    ],
)
def test_web_addresses_of_github_mean_its_api(written: str, address: str) -> None:
    assert github_api_address(written) == address


@pytest.mark.parametrize(
    ("named", "api", "allowed"),
    [
        ("https://api.individual.githubcopilot.com", "https://api.github.com", True),
        ("https://githubcopilot.com/x", "https://api.github.com", True),
        ("https://copilot-api.acme.ghe.com", "https://api.acme.ghe.com", True),
        ("https://copilot-api.other.ghe.com", "https://api.acme.ghe.com", False),
        ("http://api.individual.githubcopilot.com", "https://api.github.com", False),
        ("https://githubcopilot.com.evil.example", "https://api.github.com", False),
        ("https://evilgithubcopilot.com", "https://api.github.com", False),
        ("http://127.0.0.1:80", "https://api.github.com", False),
        ("http://127.0.0.1:81", "http://127.0.0.1:80", False),
        ("http://127.0.0.1:80/v1", "http://127.0.0.1:80", True),
        ("ftp://api.githubcopilot.com", "https://api.github.com", False),
        ("https://user:pw@api.githubcopilot.com", "https://api.github.com", False),
    ],
)
def test_hosts_that_a_login_may_go_to(named: str, api: str, allowed: bool) -> None:
    if allowed:
        assert checked_copilot_address(named, api) == named
    else:
        with pytest.raises(ProviderError):
            checked_copilot_address(named, api)


@given(st.text(max_size=40))
def test_no_name_leads_to_a_foreign_host(name: str) -> None:
    try:
        address = checked_copilot_address(f"https://{name}", "https://api.github.com")
    except ProviderError:
        return
    host = address.removeprefix("https://").partition("/")[0].partition(":")[0]
    assert host == "githubcopilot.com" or host.endswith(
        (".githubcopilot.com", "copilot-api.github.com")
    )
