"""No key anywhere: not in the store, not printed, not told, not logged, whatever the host says."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.errors import EngineError
from engine.tools.agent_answer import answer_for_agent
from engine.tools.memory_search import memory_search
from tests.cli.conftest import Command
from tests.engine.agent_home import AgentHome
from tests.fakes.answers import Answer, Received, Responder, redirect, status, vectors
from tests.fakes.provider_server import FakeProvider

SECRETS = {
    "remote.apiKey": "zq-remote-4Q7vN2xW9kLm",
    "remote.headers": "zq-header-8Rt5pLc3Vb6n",
    "query field": "zq-query-1Hj7kMn4Dx2s",
    "models.providers": "zq-entry-6Fg9wTy3Ke8u",
    "environment": "zq-environ-5Sa2hQw7Zx4c",
    "auth profile": "zq-profile-3Nb8vCx6Lk1j",
    "fallback": "zq-fallback-9Pd4rYt2Gm7e",
}
"""Shaped like no known key, so that only knowing them can hide them."""


def everything_back(received: Received) -> Answer:
    """A host that quotes the whole request in its refusal."""
    words = f"{received.path} {dict(received.headers)} {received.headers.get('authorization')}"
    body = {"error": {"message": f"no: {words}", "code": words, "param": words}}
    return Answer(json.dumps(body).encode(), 401, {"Content-Type": "application/json"})


def as_numbering(received: Received) -> Answer:
    """A host that puts the key where a number belongs."""
    key = received.headers.get("authorization", "").removeprefix("Bearer ")
    return Answer(json.dumps({"data": [{"index": key, "embedding": [1.0]}]}).encode())


def page(received: Received) -> Answer:
    """A page that quotes the request instead of JSON."""
    return Answer(f"<html>{dict(received.headers)}</html>".encode())


ANSWERS: dict[str, Responder] = {
    "vectors": vectors,
    "a refusal that quotes everything": everything_back,
    "a rate limit": status(429, {"error": {"message": "slow down"}}, {"retry-after": "1"}),
    "a key as number": as_numbering,
    "a page": page,
    "a redirect": redirect("http://127.0.0.1:9/elsewhere"),
}


@pytest.fixture(params=ANSWERS)
def fake(request: pytest.FixtureRequest) -> Iterator[FakeProvider]:
    with FakeProvider() as fake:
        fake.otherwise = ANSWERS[request.param]
        yield fake


@pytest.fixture
def home(tmp_path: Path, fake: FakeProvider) -> AgentHome:
    """Keys at every place that may hold one; the one of ``remote`` is used."""
    home = AgentHome(tmp_path, environ={"OPENAI_API_KEY": SECRETS["environment"]})
    home.write("MEMORY.md", "kestrel is the gateway host\n")
    profiles = home.state / "agents" / "main" / "agent" / "auth-profiles.json"
    profiles.parent.mkdir(parents=True)
    entry = {"type": "api_key", "provider": "openai", "key": SECRETS["auth profile"]}
    profiles.write_text(json.dumps({"version": 1, "profiles": {"openai:default": entry}}))
    remote = {
        "baseUrl": f"{fake.base_url}?api-key={SECRETS['query field']}",
        "apiKey": SECRETS["remote.apiKey"],
        "headers": {"x-access-token": SECRETS["remote.headers"]},
    }
    providers = {
        "openai": {"apiKey": SECRETS["models.providers"]},
        "second": {
            "baseUrl": fake.base_url,
            "apiKey": SECRETS["fallback"],
            "models": [{"id": "m"}],
        },
    }
    home.configure(
        {"provider": "openai", "model": "bow-192", "remote": remote, "fallback": "second"},
        models={"providers": providers},
    )
    return home


def _assert_silent(where: str, text: str | bytes) -> None:
    for name, secret in SECRETS.items():
        found = secret.encode() in text if isinstance(text, bytes) else secret in text
        assert not found, f"{where} holds the key of {name}"


def _written(home: AgentHome) -> Iterator[tuple[str, bytes]]:
    """Every file below the test's folder but those that the person wrote."""
    own = {home.config_file, home.state / "agents/main/agent/auth-profiles.json"}
    for file in sorted(home.root.rglob("*")):
        if file.is_file() and file not in own:
            yield file.name, file.read_bytes()


def test_no_key_is_told_stored_or_logged(
    home: AgentHome, fake: FakeProvider, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    said: list[Any] = []
    with home.open() as engine:
        for force in (False, True):
            try:
                said.append(engine.sync("demand", force=force))
            except EngineError as error:
                said += [error.title, error.message, error.hint, repr(error)]
        said += [memory_search(engine, "gateway"), answer_for_agent(engine, {"query": "host"})]
        said += [engine.scan(), engine.status(), engine.probe(), engine.estimate_rebuild()]
        said += [engine.provider.choice, engine.config.values, engine.config.problems]
        for name, content in _written(home):
            _assert_silent(name, content)
    assert fake.requests[0].headers["authorization"] == f"Bearer {SECRETS['remote.apiKey']}"
    _assert_silent("what was said", repr(said))
    _assert_silent("the events", repr(home.heard))
    _assert_silent("the log", caplog.text)
    for name, content in _written(home):
        _assert_silent(name, content)


COMMANDS = (
    ["index"],
    ["index", "--force", "--json"],
    ["status", "--deep"],
    ["status", "--deep", "--json"],
    ["search", "gateway", "--explain"],
    ["search", "gateway", "--explain", "--json"],
    ["files", "--chunks", "--json"],
    ["config", "show"],
    ["config", "show", "--json"],
)


def test_no_key_is_printed(
    home: AgentHome, fake: FakeProvider, memlens: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    if fake.otherwise is ANSWERS["a rate limit"]:
        fake.otherwise = status(429, {"error": {"message": "no", "code": "insufficient_quota"}})
    monkeypatch.setenv("OPENAI_API_KEY", SECRETS["environment"])
    for command in COMMANDS:
        said = memlens("--state-dir", home.state, *command)
        _assert_silent(" ".join(command), said.out + said.err)
        assert said.code in (0, 1)
    assert fake.requests
