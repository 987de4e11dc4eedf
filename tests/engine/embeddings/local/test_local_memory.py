"""A whole memory on a real model in its own process: indexed, searched, downloaded, killed."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from engine.events import EngineEvent, ModelDownload, SyncProgress
from engine.memory import MemoryEngine
from engine.tools.memory_search import memory_search
from tests.engine.agent_home import AgentHome
from tests.fakes.fake_hub import FakeHub
from tests.shared import shared

ADDRESS = "hf:acme/all-MiniLM-L6-v2-GGUF/all-MiniLM-L6-v2-Q8_0.gguf"
NAME = "hf_acme_all-MiniLM-L6-v2-Q8_0.gguf"


@pytest.fixture(scope="module")
def model() -> Path:
    return shared("models", "all-MiniLM-L6-v2-Q8_0.gguf")


@pytest.fixture
def home(tmp_path: Path) -> AgentHome:
    home = AgentHome(tmp_path)
    home.write("memory/a.md", "# Network\nThe gateway listens on 18789.\n")
    home.write("memory/b.md", "# Kitchen\nAnna likes green tea with honey.\n")
    home.write("memory/c.md", "# Money\nThe budget for the trip is 900 euros.\n")
    return home


def first_path(engine: MemoryEngine, query: str) -> str:
    answer = memory_search(engine, query, min_score=0.0)
    assert answer.mode in ("hybrid", "vector")
    return answer.results[0].ranked.candidate.path


def test_a_model_file_is_indexed_and_searched(home: AgentHome, model: Path) -> None:
    home.configure({"local": {"modelPath": str(model)}})
    with home.open() as engine:
        state = engine.status().provider
        assert (state.provider, state.model) == ("local", model.name)
        assert state.local is not None and state.local.phase == "stopped"
        assert not engine.pays_for_indexing
        report = engine.sync("start")
        assert (report.embedded, report.embedding_error) == (3, None)
        assert first_path(engine, "What does she enjoy drinking?") == "memory/b.md"
        typed = engine.retrieve("journey costs", engine.rank_settings(), send_query=False)
        assert typed.mode == "hybrid"  # a query costs nothing here
        local = engine.status().provider.local
        assert local is not None
        assert (local.phase, local.dimensions, local.window) == ("ready", 384, 512)
        assert (local.binding or "").startswith("xllamacpp")
        assert engine.sync("demand").embedded == 0
        pid = local.pid
    assert pid is not None
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_the_first_sync_downloads_and_typing_does_not(home: AgentHome, model: Path) -> None:
    home.configure({"provider": "local", "local": {"modelPath": ADDRESS}})
    with FakeHub() as hub:
        hub.put("acme/all-MiniLM-L6-v2-GGUF", "all-MiniLM-L6-v2-Q8_0.gguf", model.read_bytes())
        home.environ["HF_ENDPOINT"] = hub.endpoint
        with home.open() as engine:
            local = engine.status().provider.local
            assert local is not None and local.phase == "missing"
            engine.retrieve("tea", engine.rank_settings(), send_query=False)
            engine.retrieve("tea", engine.rank_settings())
            assert hub.requests == []
            report = engine.sync("demand")
            assert (report.embedded, report.embedding_error) == (3, None)
            assert first_path(engine, "beverage") == "memory/b.md"
            assert engine.status().provider.mode == "active"
    stages = [event.stage for event in home.heard if isinstance(event, ModelDownload)]
    assert stages[-2:] == ["verifying", "done"]
    assert [path.name for path in (home.root / "home/.node-llama-cpp/models").iterdir()] == [NAME]


def test_the_fallback_answers_while_the_model_cannot_be_downloaded(home: AgentHome) -> None:
    home.configure({"provider": "local", "local": {"modelPath": ADDRESS}, "fallback": "builtin"})
    home.environ["HF_HUB_OFFLINE"] = "1"
    with home.open() as engine:
        report = engine.sync("demand")
        assert "HF_HUB_OFFLINE" in (report.embedding_error or "")
        assert report.stood_in == 3
        state = engine.status().provider
        assert (state.mode, state.provider) == ("fallback-active", "builtin")
        assert state.fallback is not None and state.fallback.from_ == "local"
        assert first_path(engine, "green tea") == "memory/b.md"


def test_a_killed_process_costs_no_vector_twice(home: AgentHome, model: Path) -> None:
    for number in range(40):
        home.write(f"memory/n{number}.md", f"# Note {number}\nOn day {number} it rained a lot.\n")
    home.configure({"local": {"modelPath": str(model)}})
    killed: list[int] = []
    with home.open() as engine:

        def kill(event: EngineEvent) -> None:
            local = engine.provider.state(None).local
            running = isinstance(event, SyncProgress) and event.embedded > 0
            if running and not killed and local is not None and local.pid is not None:
                killed.append(local.pid)
                os.kill(local.pid, signal.SIGKILL)

        engine.events.subscribe(kill)
        report = engine.sync("demand")
        assert killed
        assert (report.embedded, report.not_embedded) == (43, 0)
        assert report.embedding_error is None
        assert engine.status().vector.vectors == 43


def test_a_model_that_is_cut_off_leaves_keywords_and_a_reason(
    home: AgentHome, model: Path, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(model.read_bytes()[:10_000_000])
    home.configure({"provider": "local", "local": {"modelPath": str(broken)}})
    with home.open() as engine:
        report = engine.sync("demand")
        assert "is cut off" in (report.embedding_error or "")
        answer = memory_search(engine, "green tea", min_score=0.0)
        assert (answer.mode, answer.results[0].ranked.candidate.path) == ("keyword", "memory/b.md")
        state = engine.status().provider
        assert state.mode == "degraded"
        assert "is cut off" in (state.error or "")
