"""The demo's notes indexed and searched through the fake host of each hosted adapter."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.demo.install import install_demo
from tests.engine.agent_home import AgentHome
from tests.fakes.gemini_host import KEY as GEMINI_KEY
from tests.fakes.gemini_host import GeminiHost
from tests.fakes.mistral_host import MistralHost
from tests.fakes.openai_host import OpenAIHost
from tests.fakes.strict_host import KEY
from tests.fakes.voyage_host import VoyageHost

Host = OpenAIHost | VoyageHost | MistralHost | GeminiHost
QUERY = "door controller relay"
ADAPTERS: list[tuple[str, type[Host], dict[str, Any]]] = [
    ("openai", OpenAIHost, {}),
    ("openai-compatible", OpenAIHost, {"model": "nomic"}),
    ("deepinfra", OpenAIHost, {}),
    ("voyage", VoyageHost, {"outputDimensionality": 512}),
    ("mistral", MistralHost, {}),
    ("gemini", GeminiHost, {"outputDimensionality": 768}),
    ("gemini", GeminiHost, {"model": "gemini-embedding-2", "outputDimensionality": 768}),
]


@pytest.mark.parametrize(
    ("provider", "host", "keys"),
    ADAPTERS,
    ids=[f"{p}-{k.get('model', '')}" for p, _, k in ADAPTERS],
)
def test_the_demo_through(
    provider: str, host: type[Host], keys: dict[str, Any], tmp_path: Path
) -> None:
    home = AgentHome(tmp_path / "home", elsewhere=install_demo(tmp_path / "data"))
    with host() as fake:
        key = GEMINI_KEY if provider == "gemini" else KEY
        remote = {"baseUrl": fake.base_url, "apiKey": key}
        home.configure({"provider": provider, "remote": remote, **keys})
        with home.open() as engine:
            report = engine.sync("demand")
            assert (report.embedding_error, report.not_embedded) == (None, 0)
            assert report.embedded == report.chunks_added > 50
            assert len(fake.texts) == len(set(fake.texts)) == report.embedded
            indexed = len(fake.requests)
            pool = engine.retrieve(QUERY, engine.rank_settings())
            assert pool.mode == "hybrid"
            best = max(pool.candidates, key=lambda each: each.cosine or -1.0)
            assert best.path == "memory/projects/door-controller.md"
            assert (best.cosine or 0.0) > 0.3
            assert len(fake.requests) == indexed + 1
            state = engine.status()
        assert state.provider.provider == provider
        assert state.vector.vectors == report.embedded
    written = "".join(
        file.read_bytes().decode("utf-8", "replace")
        for file in (tmp_path / "home").rglob("*")
        if file.is_file() and file != home.config_file
    )
    assert key not in written + repr(state) + repr(home.heard)


@pytest.mark.parametrize(("provider", "host"), [("voyage", VoyageHost), ("gemini", GeminiHost)])
def test_a_client_that_forgets_what_its_texts_are_for_would_be_seen(
    provider: str, host: type[VoyageHost] | type[GeminiHost], tmp_path: Path
) -> None:
    """The cosine of a query with its own text shows the hosts' asymmetry, and nothing worse."""
    home = AgentHome(tmp_path)
    home.write("memory/a.md", "kestrel gateway router\n")
    with host() as fake:
        key = GEMINI_KEY if provider == "gemini" else KEY
        home.configure({"provider": provider, "remote": {"baseUrl": fake.base_url, "apiKey": key}})
        with home.open() as engine:
            engine.sync("demand")
            pool = engine.retrieve("kestrel gateway router", engine.rank_settings())
    (only,) = pool.candidates
    assert only.cosine == pytest.approx(1.0 / (1.0 + 0.25**2) ** 0.5, abs=0.02)
