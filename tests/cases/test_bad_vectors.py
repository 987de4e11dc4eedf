"""Case bad-vectors: nothing unusable is stored, compared or shown; keywords stay.

How the store keeps bad rows of an older file out of the nearest ones is tested there.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
import numpy as np
import pytest

from engine.memory import MemoryEngine
from engine.tools.memory_search import memory_search
from tests.cases.searching import case_json
from tests.engine.agent_home import AgentHome, remote
from tests.fakes.answers import Answer, with_vector
from tests.fakes.provider_server import FakeProvider

BODIES = {body["name"]: body for body in case_json("bad-vectors/bodies.json")}
CAUSES = {
    "empty": "an empty vector",
    "text": "something that is no vector",
    "null": "a vector with gaps",
    "zero": "a vector of zeros",
    "too few": "0 vectors for 1 texts",
    "not json": "it is not JSON",
}
TOY = {"r0": [1.0, 0.0, 0.0], "r1": [0.0, 1.0, 0.0], "r2": [0.9, 0.1, 0.0], "r3": [0.0, 0.0, 1.0]}


def toy(text: str) -> list[float]:
    """The vector of the row that a text names; a query is near r0."""
    return next((vector for name, vector in TOY.items() if name in text), [1.0, 0.0, 0.0])


@pytest.fixture
def fake() -> Iterator[FakeProvider]:
    with FakeProvider(toy) as fake:
        yield fake


@pytest.fixture
def home(tmp_path: Path, fake: FakeProvider) -> AgentHome:
    home = AgentHome(tmp_path)
    home.configure(remote(fake.base_url), meta={"lastTouchedVersion": "2026.3.13"})
    return home


def _body(name: str) -> Answer:
    body: Any = BODIES[name]["body"]
    return Answer((body if isinstance(body, str) else json.dumps(body)).encode())


def _vectors(engine: MemoryEngine) -> dict[str, list[float]]:
    """What is stored, by path."""
    space = engine.provider.space
    assert space is not None
    chunks = engine.store.reader.chunks()
    held = engine.store.vectors_for(space, [chunk.hash for chunk in chunks])
    return {chunk.path: held[chunk.hash].tolist() for chunk in chunks if chunk.hash in held}


@pytest.mark.parametrize("name", CAUSES)
def test_an_unusable_answer_is_named_with_its_file(
    name: str, home: AgentHome, fake: FakeProvider
) -> None:
    home.write("memory/a.md", "heron\n")
    fake.otherwise = lambda received: _body(name)
    with home.open() as engine:
        report = engine.sync("demand")
        assert (report.embedded, report.not_embedded) == (0, 1)
        assert _vectors(engine) == {}
        (state,) = engine.scan()
        assert state.path == "memory/a.md"
        assert CAUSES[name] in (state.reason or "")
        (gap,) = engine.status().vector.missing
        assert (gap.chunks, gap.files) == (1, 1)
        assert CAUSES[name] in (gap.cause or "")
        answer = memory_search(engine, "heron", min_score=0)
        assert [r.ranked.candidate.path for r in answer.results] == ["memory/a.md"]
        assert answer.notices


def test_swapped_vectors_go_to_the_right_inputs(home: AgentHome, fake: FakeProvider) -> None:
    home.write("memory/a.md", "heron\n")
    home.write("memory/b.md", "plover\n")
    fake.otherwise = lambda received: _body("swapped")
    with home.open() as engine:
        assert engine.sync("demand").embedded == 2
        first, second = fake.texts
        assert (first, second) == ("heron\n", "plover\n")
        assert _vectors(engine) == {"memory/a.md": [1.0, 0.0, 0.0], "memory/b.md": [0.0, 1.0, 0.0]}


def test_bad_rows_of_a_prepared_index_take_no_place(home: AgentHome) -> None:
    for name in TOY:
        home.write(f"memory/{name}.md", f"{name} heron\n")
    with home.open() as engine:
        engine.sync("demand")
        file = engine.config.store_path
        hashes = {chunk.path: chunk.hash for chunk in engine.store.reader.chunks()}
    bad = {"memory/r1.md": [0.0, 0.0, 0.0], "memory/r3.md": [float("nan"), 0.0, 0.0]}
    connection = apsw.Connection(str(file))
    for path, values in bad.items():
        blob = np.asarray(values, "<f4").tobytes()
        connection.execute("update vectors set vector = ? where hash = ?", (blob, hashes[path]))
    connection.close()
    with home.open("query.hybrid.enabled=false") as engine:
        answer = memory_search(engine, "bird", max_results=2, min_score=0)
        assert [r.ranked.candidate.path for r in answer.results] == ["memory/r0.md", "memory/r2.md"]
        shown = [r.ranked.vector_score for r in answer.results]
        assert shown == pytest.approx([1.0, 0.9 / np.hypot(0.9, 0.1)])


def test_a_query_of_zeros_is_answered_by_keywords_and_says_so(
    home: AgentHome, fake: FakeProvider
) -> None:
    home.write("memory/a.md", "heron\n")
    with home.open() as engine:
        engine.sync("demand")
        fake.otherwise = with_vector([0.0, 0.0, 0.0])
        answer = memory_search(engine, "heron", min_score=0)
        (result,) = answer.results
        assert result.ranked.vector_score is None
        assert np.isfinite(result.ranked.score)
        assert any("no usable vector" in notice for notice in answer.notices)
        assert engine.probe().problem == "It answered, but with no usable vector."
