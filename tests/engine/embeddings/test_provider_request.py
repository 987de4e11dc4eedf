"""From real configuration files to the request, the choice and a stored login."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from engine.config.request import EngineOptions, Places
from engine.config.resolve import resolve
from engine.embeddings.selection.choosing import select_provider
from engine.embeddings.selection.provider_request import ProviderRequest, request_of
from engine.net.auth_profiles import SecretPointer

NOW_MS = 1_770_000_000_000.0


def request_from(tmp_path: Path, config: dict[str, Any], *settings: str) -> ProviderRequest:
    state = tmp_path / ".openclaw"
    (state / "agents" / "main" / "agent").mkdir(parents=True, exist_ok=True)
    (state / "openclaw.json").write_text(json.dumps(config), "utf-8")
    places = Places(tmp_path, tmp_path / "data", tmp_path / "settings")
    options = EngineOptions(state_dir=state, settings=settings)
    return request_of(resolve(options, {"HOME": str(tmp_path)}, places))


def search(**keys: Any) -> dict[str, Any]:
    return {"agents": {"defaults": {"memorySearch": keys}}}


def test_nothing_configured_asks_for_auto(tmp_path: Path) -> None:
    request = request_from(tmp_path, search())
    assert (request.mode, request.provider, request.model) == ("agent", "auto", "")
    assert (request.fallback, request.era) == ("none", "2026.3")
    assert request.entries == {}


def test_every_key_arrives(tmp_path: Path) -> None:
    reference = {"source": "env", "provider": "default", "id": "PROXY_KEY"}
    config = search(
        provider="openai",
        model="m",
        fallback="builtin",
        inputType="passage",
        queryInputType="query",
        outputDimensionality=64,
        remote={"baseUrl": "http://127.0.0.1:9/v1", "apiKey": "k", "headers": {"X-A": "b"}},
        local={"modelPath": "m.gguf"},
        sync={"embeddingBatchTimeoutSeconds": 7},
    ) | {
        "models": {"providers": {"openai": {"baseUrl": "https://p/v1", "apiKey": reference}}},
        "auth": {"order": {"openai": ["openai:a"]}},
    }
    request = request_from(tmp_path, config)
    assert (request.provider, request.model, request.fallback) == ("openai", "m", "builtin")
    assert (request.query_input_type, request.document_input_type) == ("query", "passage")
    assert (request.dimensions, request.index_seconds) == (64, 7)
    assert request.remote.base_url == "http://127.0.0.1:9/v1"
    assert (request.remote.api_key, request.remote.headers) == ("k", {"X-A": "b"})
    assert request.local_model_path == "m.gguf"
    assert request.entries["openai"].api_key == SecretPointer("env", "PROXY_KEY")
    assert request.auth_order == {"openai": ("openai:a",)}


def test_a_stored_login_of_the_main_agent_is_found(tmp_path: Path) -> None:
    request = request_from(tmp_path, search())
    entry = {"type": "api_key", "provider": "openai", "key": "profile-key-1"}
    folder = tmp_path / ".openclaw" / "agents" / "main" / "agent"
    stored = json.dumps({"profiles": {"openai:default": entry}})
    (folder / "auth-profiles.json").write_text(stored, "utf-8")
    choice = select_provider(request, {}, NOW_MS)
    assert choice.key_source == "auth profile openai:default"


def test_a_named_choice_on_the_command_line_counts(tmp_path: Path) -> None:
    assert request_from(tmp_path, search(), "provider=none").provider == "none"


def test_a_plain_folder_reads_no_logins(tmp_path: Path) -> None:
    places = Places(tmp_path, tmp_path / "data", tmp_path / "settings")
    (tmp_path / "notes").mkdir()
    options = EngineOptions(workspace=tmp_path / "notes")
    environ = {"HOME": str(tmp_path), "OPENAI_API_KEY": "env-key-123456"}
    request = request_of(resolve(options, environ, places))
    assert (request.mode, request.auth_folders) == ("folder", ())
    choice = select_provider(request, environ, NOW_MS)
    assert (choice.provider, choice.at_hand) == ("builtin", ("OPENAI_API_KEY",))
