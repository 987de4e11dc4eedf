"""Which provider the original programs chose, repeated through the facade; nothing is sent.

Where we deviate on purpose:

OWN_ADDRESS     the original's fallback asks the same failing server with the same key; here
                it has its own address and key, and without a key it is no fallback
KEYWORDS_REAL   without a provider the original indexes nothing and finds nothing; here files
                and keyword tables are built and keywords answer
BUILTIN         where none of the order can be used the original has no provider; here it is
                the built-in model
LOCAL_IS_TOLD   a missing binding for local models throws several lines of help in the original;
                here the memory opens and the status says it in a sentence
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.tools.memory_search import memory_search
from tests.engine.agent_home import KEY, AgentHome
from tests.fakes import answers
from tests.fakes.provider_server import FakeProvider
from tests.golden.vectors import vectors

pytestmark = pytest.mark.golden

MEASURED = vectors("providers.json")
CASES = {case["id"]: case for case in MEASURED["cases"]}
VERSIONS = ("2026.2.26", "2026.3.13")
CHOICES = {
    "fallback-sync-openai-to-mistral",
    "fallback-same",
    "fallback-create-voyage-nokey",
    "provider-local",
    "provider-openai-nokey",
    "provider-auto-none",
    "auto-env-openai",
    "auto-env-gemini",
    "auto-env-voyage+mistral",
    "auto-env-mistral",
}
"""The cases of this file; test_providers.py has the others."""
ENVIRONMENTS = {
    "auto-env-openai": {"OPENAI_API_KEY": "x-key-of-openai"},
    "auto-env-gemini": {"GEMINI_API_KEY": "x-key-of-gemini"},
    "auto-env-voyage+mistral": {"VOYAGE_API_KEY": "x-voyage", "MISTRAL_API_KEY": "y-mistral"},
    "auto-env-mistral": {"MISTRAL_API_KEY": "y-mistral"},
}
"""What each case's steps leave in the environment."""


def measured(name: str, version: str) -> dict[str, Any]:
    """What the original did."""
    case = CASES[name]
    expected: dict[str, Any] = case["expected"]
    return expected if case["same_in_both_versions"] else expected[version]


def status_of(name: str, version: str) -> dict[str, Any]:
    """The first status that the original gave."""
    ops = measured(name, version)["ops"]
    found: dict[str, Any] = next(op["status"] for op in ops if op["op"] == "status")
    return found


@pytest.fixture
def home(tmp_path: Path) -> AgentHome:
    """The small workspace of the measurement."""
    home = AgentHome(tmp_path)
    for path, text in MEASURED["small_workspace"].items():
        home.write(path, text)
    return home


def configure(home: AgentHome, name: str, version: str, fake: FakeProvider | None = None) -> None:
    """The case's configuration, with the test's folders and address."""
    search = dict(CASES[name]["config"]["agents"]["defaults"]["memorySearch"])
    search["store"] = {"path": str(home.root / "db" / "index.sqlite")}
    if fake is not None:
        search["remote"] = {"baseUrl": fake.base_url, "apiKey": KEY}
    home.configure(search, meta={"lastTouchedVersion": version})


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_the_order_by_key(name: str, version: str, home: AgentHome) -> None:
    home.environ.update(ENVIRONMENTS[name])
    configure(home, name, version)
    with home.open() as engine:
        provider = engine.status().provider
    wanted = status_of(name, version)
    assert (provider.provider, provider.model) == (wanted["provider"], wanted["model"])
    assert provider.requested == wanted["requestedProvider"] == "auto"
    assert provider.key_source is not None
    assert not any(key in repr(provider) for key in ENVIRONMENTS[name].values())


@pytest.mark.parametrize("version", VERSIONS)
def test_nothing_in_the_order(version: str, home: AgentHome) -> None:
    name = "provider-auto-none"
    configure(home, name, version)
    with home.open() as engine:
        provider = engine.status().provider
        engine.sync("demand")
        assert memory_search(engine, "router", min_score=0).results  # BUILTIN
    wanted = status_of(name, version)
    assert wanted["provider"] == "none" != provider.provider == "builtin"
    assert "by keywords only" in provider.agent_would
    reasons = " ".join(passed.reason for passed in provider.passed_over)
    for each in ("OPENAI_API_KEY", "google", "VOYAGE_API_KEY", "MISTRAL_API_KEY"):
        assert each in reasons
    assert (
        next(op for op in measured(name, version)["ops"] if op["op"] == "search")["results"] == []
    )


@pytest.mark.parametrize("version", VERSIONS)
def test_a_named_provider_without_a_key(version: str, home: AgentHome) -> None:
    name = "provider-openai-nokey"
    configure(home, name, version)
    with home.open() as engine:
        provider = engine.status().provider
        report = engine.sync("demand")
        found = memory_search(engine, "router", min_score=0).results
    wanted = status_of(name, version)
    assert (provider.provider, provider.requested) == (
        wanted["provider"],
        wanted["requestedProvider"],
    )
    assert "no key" in (provider.error or "")
    # KEYWORDS_REAL
    assert (report.files_indexed, len(found)) == (4, 1)
    ops = {op["op"]: op for op in measured(name, version)["ops"]}
    assert (ops["dump"]["files"], ops["search"]["results"]) == ([], [])


@pytest.mark.parametrize("version", VERSIONS)
def test_neither_the_provider_nor_its_fallback_has_a_key(version: str, home: AgentHome) -> None:
    name = "fallback-create-voyage-nokey"
    configure(home, name, version)
    with home.open() as engine:
        provider = engine.status().provider
    wanted = status_of(name, version)
    assert (provider.provider, provider.requested) == (
        wanted["provider"],
        wanted["requestedProvider"],
    )
    assert wanted["fallback"]["from"] == "voyage"
    assert "voyage: no key" in (provider.error or "")
    assert "the fallback openai: no key" in (provider.error or "")


@pytest.mark.parametrize("version", VERSIONS)
def test_a_fallback_has_its_own_address(version: str, home: AgentHome) -> None:
    name = "fallback-sync-openai-to-mistral"
    with FakeProvider(otherwise=answers.status(401)) as fake:
        configure(home, name, version, fake)
        with home.open() as engine:
            report = engine.sync("demand")
            status = engine.status()
        assert {received.json["model"] for received in fake.requests} == {"bow-192"}
        assert len(fake.requests) == 1
    assert report.files_indexed == 4
    provider = status.provider
    assert (provider.provider, provider.mode) == ("openai", "degraded")
    (passed,) = [passed for passed in provider.passed_over if passed.provider == "mistral"]
    assert "no use as fallback: no key" in passed.reason
    # OWN_ADDRESS
    ops = measured(name, version)["ops"]
    assert next(op for op in ops[2:] if op["op"] == "http")["body"]["e401"]["requests"] == 8
    assert status_of(name, version)["provider"] == "mistral"


@pytest.mark.parametrize("version", VERSIONS)
def test_a_provider_is_no_fallback_of_itself(version: str, home: AgentHome) -> None:
    name = "fallback-same"
    with FakeProvider(otherwise=answers.status(401)) as fake:
        configure(home, name, version, fake)
        with home.open() as engine:
            engine.sync("demand")
            provider = engine.status().provider
        assert len(fake.requests) == 1
    wanted = status_of(name, version)
    assert (provider.provider, provider.model) == (wanted["provider"], wanted["model"])
    assert provider.fallback is None
    assert "fallback" not in wanted


@pytest.mark.parametrize("version", VERSIONS)
def test_a_local_model_that_cannot_be_run(version: str, home: AgentHome) -> None:
    name = "provider-local"
    configure(home, name, version)
    with home.open() as engine:
        provider = engine.status().provider
        assert engine.scan()
    # LOCAL_IS_TOLD
    assert provider.requested == "local"
    # Where a binding is installed, it is the model that is not there.
    missing = provider.local is not None and provider.local.phase == "missing"
    assert missing or "install" in provider.error_hint
    assert "local binding missing" in measured(name, version)["error"]
