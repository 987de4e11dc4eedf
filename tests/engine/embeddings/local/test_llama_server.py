"""A memory on somebody else's OpenAI-compatible server: llama.cpp's, with a real model."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.tools.memory_search import memory_search
from tests.engine.agent_home import AgentHome
from tests.fakes.llama_server import llama_server
from tests.shared import shared


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with llama_server(shared("models", "all-MiniLM-L6-v2-Q8_0.gguf")) as address:
        yield address


def test_notes_are_indexed_and_searched(server: str, tmp_path: Path) -> None:
    home = AgentHome(tmp_path)
    home.write("memory/a.md", "# Network\nThe gateway listens on 18789.\n")
    home.write("memory/b.md", "# Kitchen\nAnna likes green tea with honey.\n")
    # Many short words: more tokens than the server takes, though not more than a chunk has.
    home.write("memory/long.md", f"# Long\n{'x, ' * 530}\n")
    remote = {"baseUrl": f"{server}/v1"}
    home.configure({"provider": "openai-compatible", "model": "minilm", "remote": remote})
    with home.open() as engine:
        report = engine.sync("demand")
        assert (report.embedding_error, report.not_embedded) == (None, 0)
        assert report.embedded == engine.status().chunks
        answer = memory_search(engine, "What does she enjoy drinking?", min_score=0.0)
        assert answer.mode == "hybrid"
        assert answer.results[0].ranked.candidate.path == "memory/b.md"
        assert engine.sync("demand").embedded == 0
        assert engine.status().provider.remote is False
