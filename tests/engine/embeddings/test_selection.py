"""Which provider is chosen, and what is said about every step."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.embeddings.adapters import remote_provider
from engine.embeddings.builtin.provider import BuiltinProvider
from engine.embeddings.registry import create_provider
from engine.embeddings.remote.settings import RemoteSettings, WireSettings
from engine.embeddings.selection.catalogue import KNOWN
from engine.embeddings.selection.choice import ProviderChoice
from engine.embeddings.selection.choosing import select_provider
from engine.embeddings.selection.known_provider import KnownProvider
from engine.embeddings.selection.provider_request import ProviderRequest, RemoteRequest, entries_of
from engine.net.auth_profiles import SecretPointer
from engine.net.client import HttpClient
from engine.net.messages import never
from engine.net.transport import HttpxTransport
from tests.fakes.provider_server import FakeProvider
from tests.fakes.still_time import StillTime
from tests.shared import shared

NOW_MS = 1_770_000_000_000.0
OPENAI_ENV = {"OPENAI_API_KEY": "env-key-123456"}
AGENT = ProviderRequest(mode="agent", era="2026.3")
AT_CUSTOM = RemoteRequest("http://127.0.0.1:9/v1")


def choose(request: ProviderRequest, environ: dict[str, str] | None = None) -> ProviderChoice:
    choice = select_provider(request, environ or {}, NOW_MS)
    everything = repr(choice)
    assert not any(value in everything for value in (environ or {}).values())
    return choice


def settings_of(choice: ProviderChoice) -> RemoteSettings:
    assert isinstance(choice.settings, RemoteSettings), choice
    return choice.settings


def key_of(choice: ProviderChoice) -> str | None:
    key = settings_of(choice).key
    return key.reveal() if key else None


def reasons(choice: ProviderChoice) -> dict[str, str]:
    return {passed.provider: passed.reason for passed in choice.passed_over}


def test_the_case_provider_auto_trace() -> None:
    folder = shared("cases", "provider-auto-trace")
    expected = json.loads((folder / "expect.json").read_text("utf-8"))
    ours = {"missing file": "voyage", "two keys": "gemini"}
    order = ["local", "openai", "gemini", "voyage", "mistral"]
    for case in json.loads((folder / "configs.json").read_text("utf-8")):
        search = case["config"].get("agents", {}).get("defaults", {}).get("memorySearch", {})
        request = replace(
            AGENT,
            provider=search.get("provider", "auto"),
            local_model_path=search.get("local", {}).get("modelPath", ""),
            auth_folders=(folder,),
        )
        choice = select_provider(request, case["env"], NOW_MS)
        name = case["name"]
        assert choice.agent_provider == expected[name].split(" ")[0], name
        if request.provider == "auto":
            assert choice.provider == ours.get(name, "builtin"), name
            before = order.index(choice.provider) if choice.provider in order else len(order)
            assert list(reasons(choice)) == order[:before]
            assert all(reasons(choice).values())
        for variable in case["env"]:
            assert variable in repr(choice), name


@pytest.mark.parametrize("known", KNOWN.values(), ids=lambda known: known.id)
def test_every_provider_of_the_catalogue_can_be_made(known: KnownProvider) -> None:
    settings = RemoteSettings(
        known.id, "http://127.0.0.1:9/v1", WireSettings(known.default_model or "m")
    )
    client = HttpClient(HttpxTransport({}), StillTime().clock, lambda: 0.0)
    made = remote_provider(replace(settings, adapter=known.adapter), client, lambda space: None)
    assert made.identity.provider == known.id


def test_the_steps_say_why() -> None:
    request = replace(AGENT, local_model_path="hf:some/model.gguf")
    said = reasons(choose(request, {"VOYAGE_API_KEY": "voyage-key-1"}))
    assert "address" in said["local"]
    assert "OPENAI_API_KEY is not set" in said["openai"]
    assert list(said) == ["local", "openai", "gemini"]


def test_openai_is_taken_by_its_key_and_the_agent_agrees() -> None:
    choice = choose(AGENT, OPENAI_ENV)
    assert (choice.provider, choice.model) == ("openai", "text-embedding-3-small")
    assert choice.key_source == "environment variable OPENAI_API_KEY"
    assert choice.remote
    assert choice.mode == "active"
    assert "as well" in choice.agent_would
    settings = settings_of(choice)
    assert settings.base_url == "https://api.openai.com/v1"
    assert settings.wire.base64


def test_a_google_key_counts_from_july_on() -> None:
    environ = {"GOOGLE_API_KEY": "google-key-1"}
    early = choose(AGENT, environ)
    assert early.provider == "builtin"
    later = choose(replace(AGENT, era="2026.7"), environ)
    assert (later.provider, later.key_source) == ("gemini", "environment variable GOOGLE_API_KEY")
    assert later.agent_provider == "none"


def test_from_july_on_the_agent_takes_openai_when_none_is_named() -> None:
    request = replace(AGENT, era="2026.7")
    assert choose(request, OPENAI_ENV).agent_provider == "openai"
    gemini = choose(request, {"GEMINI_API_KEY": "gemini-key-1"})
    assert gemini.agent_provider == "none"
    assert "openai, its default, has no key" in gemini.agent_would


@pytest.mark.parametrize("mode", ["demo", "folder"])
def test_a_key_in_the_environment_is_no_choice_without_an_agent(mode: Any) -> None:
    environ = {**OPENAI_ENV, "VOYAGE_API_KEY": "voyage-key-1"}
    choice = choose(ProviderRequest(mode=mode), environ)
    assert (choice.provider, choice.remote, choice.settings) == ("builtin", False, None)
    assert set(choice.at_hand) == {"OPENAI_API_KEY", "VOYAGE_API_KEY"}
    assert "OPENAI_API_KEY is set" in reasons(choice)["openai"]


@pytest.mark.parametrize("mode", ["demo", "folder"])
def test_nothing_is_sent_without_an_agent_whatever_the_environment_says(mode: Any) -> None:
    with FakeProvider() as fake:
        environ = {
            **OPENAI_ENV,
            "OPENAI_BASE_URL": fake.base_url,
            "HTTPS_PROXY": fake.origin,
            "ALL_PROXY": fake.origin,
        }
        choice = select_provider(ProviderRequest(mode=mode), environ, NOW_MS)
        client = HttpClient(HttpxTransport(environ), StillTime().clock, lambda: 0.0)
        provider = create_provider(choice, client)
        assert isinstance(provider, BuiltinProvider)
        assert provider.embed_documents(["private note"], never).refusals == ()
        assert provider.embed_query("private question") is not None
        provider.close()
        client.close()
        assert fake.requests == []


def test_in_a_folder_a_named_provider_is_a_choice_but_not_in_the_demo() -> None:
    request = ProviderRequest(mode="folder", provider="openai")
    assert choose(request, OPENAI_ENV).provider == "openai"
    assert choose(replace(request, mode="demo"), OPENAI_ENV).provider == "builtin"
    assert choose(ProviderRequest(mode="demo", provider="none")).mode == "keyword-only"


def test_none_is_keywords_only_on_purpose() -> None:
    choice = choose(replace(AGENT, provider="none"), OPENAI_ENV)
    assert (choice.provider, choice.mode, choice.error) == ("none", "keyword-only", None)


def test_builtin_can_be_named() -> None:
    choice = choose(replace(AGENT, provider="builtin"), OPENAI_ENV)
    assert (choice.provider, choice.model) == ("builtin", "static-en-256")
    assert choice.at_hand == ("OPENAI_API_KEY",)


@pytest.mark.parametrize(
    ("provider", "words"),
    [
        ("openai", "OPENAI_API_KEY is not set"),
        ("gemini", "GEMINI_API_KEY is not set"),
        ("openai-compatible", "needs model and remote.baseUrl"),
        ("opnai", "neither a provider nor an entry"),
    ],
)
def test_a_named_provider_that_cannot_be_used_leaves_keywords_and_says_so(
    provider: str, words: str
) -> None:
    choice = choose(replace(AGENT, provider=provider))
    assert (choice.provider, choice.mode, choice.requested) == ("none", "degraded", provider)
    assert words in (choice.error or "")
    assert choice.hint


@pytest.mark.parametrize(
    ("era", "words"), [("2026.3", "by keywords only"), ("2026.7", "search unavailable")]
)
def test_what_the_agent_does_without_a_key_for_a_named_provider(era: str, words: str) -> None:
    choice = choose(replace(AGENT, provider="openai", era=era))
    assert words in choice.agent_would


def test_a_fallback_stands_in_with_its_own_address_and_model() -> None:
    request = replace(
        AGENT, provider="gemini", model="gemini-embedding-001", fallback="openai", remote=AT_CUSTOM
    )
    choice = choose(request, OPENAI_ENV)
    assert (choice.provider, choice.model) == ("openai", "text-embedding-3-small")
    assert settings_of(choice).base_url == "https://api.openai.com/v1"
    state = choice.state(1536, NOW_MS)
    assert state.mode == "fallback-active"
    assert state.fallback is not None
    assert (state.fallback.from_, state.fallback.to) == ("gemini", "openai")
    assert "belong to another host" in state.fallback.reason


def test_a_fallback_that_fails_too_gives_both_reasons() -> None:
    choice = choose(replace(AGENT, provider="gemini", fallback="openai"))
    assert choice.provider == "none"
    assert "gemini" in (choice.error or "")
    assert "OPENAI_API_KEY" in (choice.error or "")
    assert choose(replace(AGENT, provider="gemini", fallback="builtin")).provider == "builtin"


def test_the_key_of_the_environment_never_goes_to_a_foreign_host() -> None:
    named = replace(AGENT, provider="openai", remote=AT_CUSTOM)
    choice = choose(named, OPENAI_ENV)
    assert choice.provider == "none"
    assert "another host" in (choice.error or "")
    assert "openai-compatible" in choice.hint
    auto = choose(replace(AGENT, remote=AT_CUSTOM), OPENAI_ENV)
    assert auto.provider == "builtin"
    own = replace(named, remote=replace(AT_CUSTOM, api_key="remote-key-1"))
    assert key_of(choose(own, OPENAI_ENV)) == "remote-key-1"


def test_an_entry_of_models_providers_is_the_fallback_for_address_key_and_headers() -> None:
    entries = entries_of(
        {
            "openai": {
                "baseUrl": "https://proxy.example/v1/",
                "apiKey": {"source": "env", "provider": "default", "id": "PROXY_KEY"},
                "headers": {"X-Team": "memory", "X-Both": "entry"},
            },
            "broken": "text",
        }
    )
    assert list(entries) == ["openai"]
    request = replace(
        AGENT,
        provider="openai",
        entries=entries,
        remote=RemoteRequest(headers={"x-both": "remote"}),
    )
    choice = choose(request, {"PROXY_KEY": "proxy-key-1"})
    settings = settings_of(choice)
    assert settings.base_url == "https://proxy.example/v1"
    assert key_of(choice) == "proxy-key-1"
    assert settings.headers == {"X-Team": "memory", "x-both": "remote"}
    assert not settings.wire.base64
    elsewhere = replace(request, remote=replace(AT_CUSTOM, api_key="remote-key-1"))
    moved = settings_of(choose(elsewhere, {"PROXY_KEY": "proxy-key-1"}))
    assert moved.headers == {}


def test_a_lifted_entry_key_beats_the_environment() -> None:
    entries = entries_of({"openai": {"apiKey": "entry-key-1", "auth": "api-key"}})
    request = replace(AGENT, provider="openai", entries=entries)
    assert key_of(choose(request, OPENAI_ENV)) == "entry-key-1"


def test_the_prefix_of_a_model_name_is_dropped_on_its_own_host() -> None:
    model = "openai/text-embedding-3-large"
    own = choose(replace(AGENT, provider="openai", model=model, era="2026.9"), OPENAI_ENV)
    assert own.model == "text-embedding-3-large"
    router = replace(AT_CUSTOM, api_key="remote-key-1")
    kept = replace(AGENT, provider="openai", model=model, era="2026.9", remote=router)
    assert choose(kept).model == model
    assert choose(replace(kept, era="2026.3")).model == "text-embedding-3-large"


def test_openai_compatible_takes_only_its_own_key() -> None:
    request = replace(AGENT, provider="openai-compatible", model="nomic", remote=AT_CUSTOM)
    choice = choose(request, OPENAI_ENV)
    assert choice.provider == "openai-compatible"
    assert key_of(choice) is None
    keyed = replace(request, remote=replace(AT_CUSTOM, api_key=SecretPointer("env", "MINE")))
    found = choose(keyed, {**OPENAI_ENV, "MINE": "my-own-key-1"})
    assert key_of(found) == "my-own-key-1"
    broken = choose(keyed, OPENAI_ENV)
    assert broken.provider == "none"
    assert "MINE, which is not set" in (broken.error or "")


def test_only_a_keyless_server_on_this_machine_counts_as_local() -> None:
    request = replace(AGENT, provider="openai-compatible", model="nomic", remote=AT_CUSTOM)
    assert not choose(request).remote
    assert choose(replace(request, remote=replace(AT_CUSTOM, api_key="remote-key-1"))).remote
    assert choose(replace(request, remote=RemoteRequest("http://192.168.0.2/v1"))).remote


def test_an_entry_of_models_providers_can_be_named_itself() -> None:
    entries = entries_of(
        {
            "fake": {
                "baseUrl": "https://fake.example/v1",
                "apiKey": "fake-key-12",
                "api": "openai-completions",
            },
            "other": {"baseUrl": "https://o.example", "api": "anthropic-messages"},
            "bare": {},
        }
    )
    request = replace(AGENT, provider="fake", model="fake/toy-3", entries=entries)
    choice = choose(request, OPENAI_ENV)
    assert (choice.provider, choice.model, key_of(choice)) == ("fake", "toy-3", "fake-key-12")
    assert "fake needs model" in (choose(replace(request, model="")).error or "")
    assert "anthropic-messages" in (choose(replace(request, provider="other")).error or "")
    bare = choose(replace(request, provider="bare"))
    assert bare.error == "bare needs models.providers.bare.baseUrl"


def test_input_types_go_to_other_hosts_than_openais_own() -> None:
    typed = replace(
        AGENT, provider="openai", query_input_type="query", document_input_type="passage"
    )
    own = settings_of(choose(typed, OPENAI_ENV))
    assert (own.query_input_type, own.document_input_type) == (None, None)
    other = replace(typed, remote=replace(AT_CUSTOM, api_key="remote-key-1"))
    sent = settings_of(choose(other))
    assert (sent.query_input_type, sent.document_input_type) == ("query", "passage")


@pytest.mark.parametrize("url", ["not an address", "ftp://h/v1", "https://joe:hunter2@h/v1"])
def test_an_unusable_address_is_a_reason_without_its_password(url: str) -> None:
    remote = RemoteRequest(url, api_key="remote-key-1")
    choice = choose(replace(AGENT, provider="openai", remote=remote))
    assert choice.provider == "none"
    assert "remote.baseUrl" in (choice.error or "")
    assert "hunter2" not in repr(choice)


def test_a_header_that_names_a_missing_variable_is_a_reason() -> None:
    remote = RemoteRequest(api_key="remote-key-1", headers={"X-Team": "${GONE}"})
    choice = choose(replace(AGENT, provider="openai", remote=remote))
    assert "header X-Team names the variable GONE" in (choice.error or "")


def test_an_agents_stored_login_is_used_and_named(tmp_path: Path) -> None:
    entry = {"type": "api_key", "provider": "openai", "key": "profile-key-1"}
    stored = json.dumps({"profiles": {"openai:default": entry}})
    (tmp_path / "auth-profiles.json").write_text(stored, "utf-8")
    choice = choose(replace(AGENT, auth_folders=(tmp_path,)), OPENAI_ENV)
    assert choice.key_source == "auth profile openai:default"
    assert key_of(choice) == "profile-key-1"


def test_from_choice_to_vectors_over_a_socket() -> None:
    with FakeProvider(key="remote-key-1") as fake:
        remote = RemoteRequest(fake.base_url, "remote-key-1")
        request = replace(AGENT, provider="openai", model="bow-192", remote=remote)
        client = HttpClient(HttpxTransport({}), StillTime().clock, lambda: 0.0)
        provider = create_provider(choose(request), client)
        assert provider is not None
        assert provider.embed_documents(["kestrel"], never).vectors[0] is not None
        assert provider.cached_query("router") is None
        provider.embed_query("router")
        assert provider.cached_query("router") is not None
        client.close()
    assert create_provider(choose(replace(AGENT, provider="none")), client) is None


def test_a_fallback_stands_by_with_its_own_key_address_and_model() -> None:
    entries = entries_of(
        {"second": {"baseUrl": "http://127.0.0.1:9/v1", "models": [{"id": "second-3"}]}}
    )
    request = replace(AGENT, fallback="second", entries=entries, model="text-embedding-3-large")
    choice = choose(request, OPENAI_ENV)
    assert (choice.provider, choice.model) == ("openai", "text-embedding-3-large")
    assert choice.standby is not None
    assert (choice.standby.provider, choice.standby.model) == ("second", "second-3")
    assert settings_of(choice.standby).base_url == "http://127.0.0.1:9/v1"
    assert key_of(choice.standby) is None
    assert choice.fallback_from is None
    assert choice.mode == "active"


@pytest.mark.parametrize("fallback", ["none", "openai"])
def test_nothing_stands_by_without_another_provider(fallback: str) -> None:
    assert choose(replace(AGENT, fallback=fallback), OPENAI_ENV).standby is None


def test_the_built_in_model_needs_no_standby_but_may_be_one() -> None:
    assert choose(replace(AGENT, fallback="openai"), {}).standby is None
    standby = choose(replace(AGENT, fallback="builtin"), OPENAI_ENV).standby
    assert standby is not None
    assert (standby.provider, standby.remote) == ("builtin", False)


@pytest.mark.parametrize(
    ("models", "taken"),
    [
        ([{"id": "only-one"}], "only-one"),
        ([{"id": "chat-1"}, {"id": "text-Embed-2"}, {"id": "embed-3"}], "text-Embed-2"),
        ([{"id": "chat-1"}, {"id": "chat-2"}], ""),
        ([{"id": 7}, "word", None], ""),
        ("word", ""),
        (None, ""),
    ],
)
def test_the_model_of_an_entry(models: Any, taken: str) -> None:
    assert entries_of({"second": {"models": models}})["second"].model == taken
