"""One text that the provider refuses: named with its file and lines, while the rest is embedded."""

from __future__ import annotations

from pathlib import Path

from engine.status import ChunkPlace
from tests.engine.agent_home import AgentHome, remote
from tests.fakes.answers import Answer, Received, status, vectors
from tests.fakes.provider_server import FakeProvider


def refuse_poison(received: Received) -> Answer:
    if any("poison" in text for text in received.inputs):
        return status(400, {"error": {"message": "invalid input"}})(received)
    return vectors(received)


def test_a_refused_text_is_listed_with_its_file_and_lines(tmp_path: Path) -> None:
    home = AgentHome(tmp_path)
    for number in range(12):
        home.write(f"memory/{number:02}.md", f"kestrel {number} is the gateway host\n")
    paragraphs = ["line about routers and ridges " * 20 for _ in range(12)]
    paragraphs[8] = "poison " * 60
    home.write("memory/long.md", "\n".join(paragraphs))
    with FakeProvider(otherwise=refuse_poison) as fake:
        home.configure(remote(fake.base_url, chunking={"tokens": 200, "overlap": 0}))
        with home.open() as engine:
            report = engine.sync("demand")
            state = engine.status()
            (file,) = (each for each in engine.scan() if each.path == "memory/long.md")
            chunks = engine.chunks("memory/long.md")
    (bad,) = (chunk for chunk in chunks if "poison" in chunk.text)
    assert (report.not_embedded, report.embedding_error) == (1, None)
    assert report.embedded + report.cached == len(chunks) - 1 + 12
    (gap,) = state.vector.missing
    assert (gap.chunks, gap.files, gap.final) == (1, 1, True)
    assert gap.places == (ChunkPlace("memory/long.md", bad.start_line, bad.end_line),)
    lines = f"lines {bad.start_line}-{bad.end_line}"
    assert file.reason is not None
    assert f"1 of {len(chunks)} chunks found by keywords only ({lines})" in file.reason
    assert "invalid input" in file.reason
    told = [caution for caution in state.warnings if caution.title == "Without a vector"]
    assert [f"memory/long.md {lines}" in caution.message for caution in told] == [True]
