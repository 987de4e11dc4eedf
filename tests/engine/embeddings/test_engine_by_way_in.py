"""Ollama, LM Studio, Copilot and Bedrock through the whole engine, each on its fake."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from engine.demo.install import install_demo
from engine.tools.memory_search import memory_search
from tests.engine.agent_home import AgentHome
from tests.fakes.answers import status
from tests.fakes.bedrock import BEARER, SECRET, FakeBedrock, keys_of
from tests.fakes.copilot import LOGIN, FakeCopilot
from tests.fakes.lmstudio import FakeLMStudio
from tests.fakes.ollama import FakeOllama

Fake = FakeOllama | FakeLMStudio | FakeCopilot | FakeBedrock
OLLAMA_KEY, LMSTUDIO_KEY = "ollama-key-5Rw8bN2x", "lmstudio-key-3Vf6qL9z"
SECRETS = (OLLAMA_KEY, LMSTUDIO_KEY, LOGIN, BEARER, SECRET)
DOWN = status(503, {"error": "down"})
COHERE = "cohere.embed-english-v3"


@dataclass(frozen=True)
class Service:
    """A provider, its fake with a key that is needed, and where that key is found.

    ``keyless`` makes a fake that wants none, for servers on a person's own machine.
    """

    provider: str
    locked: Callable[[], Fake]
    environ: Mapping[str, str]
    place: str
    keyless: Callable[[], Fake] | None = None
    entry: Mapping[str, Any] = field(default_factory=dict)
    keys: Mapping[str, Any] = field(default_factory=dict)

    def home(self, root: Path, fake: Fake, **more: Any) -> AgentHome:
        """An agent whose entry for the provider says where it is."""
        home = AgentHome(root / "home", environ=dict(self.environ))
        self.configure(home, fake, **more)
        return home

    def configure(self, home: AgentHome, fake: Fake, **more: Any) -> None:
        """Name the provider, and say in its entry where it is."""
        entries = {self.provider: {"baseUrl": fake.origin, **self.entry}}
        entries.update(more.pop("entries", {}))
        search = {"provider": self.provider, **self.keys, **more}
        home.configure(search, models={"providers": entries})

    def with_wrong_key(self, home: AgentHome, fake: Fake) -> None:
        """The same, with a key that nobody knows at the same place."""
        for name in self.environ:
            if not name.endswith("_ID"):
                home.environ[name] = "a-wrong-key"
        if self.entry:
            self.configure(
                home, fake, entries={self.provider: {"baseUrl": fake.origin, "apiKey": "wrong"}}
            )


SERVICES = {
    "ollama": Service(
        "ollama",
        lambda: FakeOllama(key=OLLAMA_KEY),
        {"OLLAMA_API_KEY": OLLAMA_KEY},
        "environment variable OLLAMA_API_KEY",
        FakeOllama,
    ),
    "ollama-older": Service(
        "ollama",
        lambda: FakeOllama(key=OLLAMA_KEY, older=True),
        {"OLLAMA_API_KEY": OLLAMA_KEY},
        "environment variable OLLAMA_API_KEY",
        lambda: FakeOllama(older=True),
    ),
    "lmstudio": Service(
        "lmstudio",
        lambda: FakeLMStudio(key=LMSTUDIO_KEY),
        {},
        "models.providers.lmstudio.apiKey",
        FakeLMStudio,
        {"apiKey": LMSTUDIO_KEY},
    ),
    "github-copilot": Service(
        "github-copilot",
        FakeCopilot,
        {"COPILOT_GITHUB_TOKEN": LOGIN},
        "environment variable COPILOT_GITHUB_TOKEN",
    ),
    "bedrock": Service(
        "bedrock",
        FakeBedrock,
        keys_of(),
        "environment variables AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
        keys={"outputDimensionality": 256},
    ),
    "bedrock-bearer": Service(
        "bedrock",
        FakeBedrock,
        {"AWS_BEARER_TOKEN_BEDROCK": BEARER},
        "environment variable AWS_BEARER_TOKEN_BEDROCK",
        keys={"model": COHERE},
    ),
}


@pytest.fixture(params=SERVICES)
def service(request: pytest.FixtureRequest) -> Service:
    return SERVICES[request.param]


def assert_silent(home: AgentHome, *said: Any) -> None:
    """No key in what was told, and in no file but the configuration."""
    text = " ".join(map(repr, (*said, home.heard)))
    for file in home.root.rglob("*"):
        if file.is_file() and file != home.config_file:
            text += file.read_bytes().decode("utf-8", "replace")
    assert not [secret for secret in SECRETS if secret in text]


def test_the_demo_is_indexed_and_searched(service: Service, tmp_path: Path) -> None:
    with service.locked() as fake:
        home = service.home(tmp_path, fake)
        home.elsewhere = install_demo(tmp_path / "data")
        service.configure(home, fake)
        with home.open() as engine:
            assert fake.requests == []
            report = engine.sync("demand")
            assert (report.embedding_error, report.not_embedded) == (None, 0)
            assert report.embedded == report.chunks_added > 50
            answer = memory_search(engine, "door controller relay", min_score=0)
            state = engine.status()
        assert answer.mode == "hybrid"
        assert answer.results[0].ranked.candidate.path == "memory/projects/door-controller.md"
        assert state.provider.provider == service.provider
        assert state.provider.key_source == service.place
        assert state.provider.remote
        assert state.vector.vectors == report.embedded
        assert_silent(home, report, answer, state)
        sent = len(fake.requests)
        with home.open() as engine:
            assert engine.sync("demand").embedded == 0
        assert len(fake.requests) == sent


def test_a_wrong_key_leaves_keywords_and_says_where_it_came_from(
    service: Service, tmp_path: Path
) -> None:
    with service.locked() as fake:
        home = service.home(tmp_path, fake)
        service.with_wrong_key(home, fake)
        home.write("MEMORY.md", "kestrel is the gateway host\n")
        with home.open() as engine:
            report = engine.sync("demand")
            answer = memory_search(engine, "kestrel", min_score=0)
            state = engine.status()
        assert service.place in (report.embedding_error or "")
        assert report.embedding_hint
        assert (answer.mode, len(answer.results)) == ("keyword", 1)
        assert state.provider.mode == "degraded"
        assert service.place in (state.provider.error or "")
        assert "a-wrong-key" not in repr([report, answer, state, home.heard])


def test_a_text_that_is_too_long_is_found_all_the_same(service: Service, tmp_path: Path) -> None:
    with service.locked() as fake:
        home = service.home(tmp_path, fake, chunking={"tokens": 4000, "overlap": 0})
        words = " ".join(f"filler{i}" for i in range(1500))
        home.write("MEMORY.md", f"{words} kestrel\n\n# Other\n\nThe tea is green.\n")
        with home.open() as engine:
            report = engine.sync("demand")
            answer = memory_search(engine, "kestrel", min_score=0)
        assert (report.embedding_error, report.not_embedded) == (None, 0)
        assert answer.mode == "hybrid"
        assert answer.results[0].ranked.vector_score is not None


def test_during_an_outage_the_fallback_answers(service: Service, tmp_path: Path) -> None:
    with service.locked() as fake:
        home = service.home(tmp_path, fake, fallback="builtin")
        home.write("MEMORY.md", "kestrel is the gateway host\n")
        with home.open() as engine:
            assert engine.sync("demand").embedded == 1
            fake.otherwise = DOWN
            home.write("memory/new.md", "The tea kettle is blue.\n")
            report = engine.sync("watch")
            assert (report.embedded, report.stood_in) == (0, 2)
            answer = memory_search(engine, "blue kettle", min_score=0)
            assert (answer.provider, answer.mode) == ("builtin", "hybrid")
            assert answer.fallback is not None
            assert answer.fallback.from_ == service.provider
            assert "503" in answer.fallback.reason
            assert engine.status().provider.mode == "fallback-active"
            assert_silent(home, report, answer, engine.status())


@pytest.mark.parametrize("name", ["ollama", "ollama-older", "lmstudio"])
def test_a_server_on_this_machine_without_a_key_needs_no_consent(name: str, tmp_path: Path) -> None:
    service = SERVICES[name]
    assert service.keyless is not None
    with service.keyless() as fake:
        home = AgentHome(tmp_path)
        entries = {service.provider: {"baseUrl": fake.origin}}
        home.configure({"provider": service.provider}, models={"providers": entries})
        home.write("MEMORY.md", "kestrel is the gateway host\n")
        with home.open() as engine:
            assert not engine.pays_for_indexing
            assert engine.sync("start").embedded == 1
            pool = engine.retrieve("gateway", engine.rank_settings(), send_query=False)
            assert pool.mode == "hybrid"
            state = engine.status().provider
            assert (state.remote, state.key_source) == (False, None)


def test_a_model_in_ollamas_cloud_asks_first_and_says_so(tmp_path: Path) -> None:
    with FakeOllama(models=["embedder:cloud"]) as fake:
        home = AgentHome(tmp_path)
        entries = {"ollama": {"baseUrl": fake.origin}}
        search = {"provider": "ollama", "model": "embedder:cloud"}
        home.configure(search, models={"providers": entries})
        home.write("MEMORY.md", "kestrel is the gateway host\n")
        with home.open() as engine:
            assert engine.pays_for_indexing
            assert engine.sync("start").not_embedded == 1
            assert "texts leave this one" in engine.status().provider.reason
            assert engine.status().sync.awaits_consent
            assert fake.requests == []
            assert engine.sync("demand").embedded == 1
