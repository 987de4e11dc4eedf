"""Syncs of the original programs, repeated in their order through the facade.

Jobs of one store share one index here too. Wherever we deviate on purpose, the measured
value stands beside ours, under the name of the reason:

PACKED         texts of several files share a request: as many texts are sent, in fewer requests
SLASH          a slash at the end of baseUrl is no other address, so nothing is embedded anew
IN_USE_STAYS   maxEntries bounds vectors out of use; what the index holds is never paid again
ONE_ROW        pieces of one line with the same text are stored once, in the keyword table too
OUR_FILE       the file has tables of its own, a write-ahead log and a version number
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from engine.memory import MemoryEngine
from engine.tools.memory_search import memory_search
from tests.engine.agent_home import AgentHome
from tests.fakes.provider_server import FakeProvider
from tests.golden.vectors import vectors

pytestmark = pytest.mark.golden

MEASURED = vectors("sync.json")
CASES = {case["id"]: case for case in MEASURED["cases"]}
VERSIONS = ("2026.2.26", "2026.3.13")
OUR_FILE = {"schema"}

INPUTS: dict[str, dict[int, tuple[str, int]]] = {
    "trig-4-baseurl": {2: ("SLASH", 0)},
    "cache-max1": {6: ("IN_USE_STAYS", 0)},
}
"""Texts sent where they differ: by case and number of the op, the reason and our number."""
ENTRIES: dict[str, dict[int, tuple[str, int]]] = {
    "trig-7-chunk": {3: ("SLASH", 12)},
    "cache-max1": {3: ("IN_USE_STAYS", 4), 9: ("IN_USE_STAYS", 5)},
}
"""Vectors in the cache where they differ."""


@dataclass
class Repeated:
    """What one job did here, op by op."""

    outcomes: list[Any] = field(default_factory=list)


class Machine:
    """The measured machine: one workspace, one store per name, one provider that counts."""

    def __init__(self, root: Path, fake: FakeProvider) -> None:
        self.home = AgentHome(root)
        self.fake = fake
        self._counted = 0
        for path, text in MEASURED["small_workspace"].items():
            self.home.write(path, text)

    def run(self, case: dict[str, Any], version: str) -> Repeated:
        """One job, as a process of its own."""
        search = json.loads(
            json.dumps(case["config"]["agents"]["defaults"]["memorySearch"])
            .replace("http://127.0.0.1:18765", self.fake.origin)
            .replace("<root>", str(self.home.root))
        )
        self.home.configure(search, meta={"lastTouchedVersion": version})
        done = Repeated()
        with self.home.open() as engine:
            for call in case["calls"]:
                done.outcomes.append(self._op(engine, call))
        return done

    def _op(self, engine: MemoryEngine, call: dict[str, Any]) -> Any:
        match call["op"]:
            case "http":
                return self._http(call["path"])
            case "sync":
                return engine.sync("demand", force=call.get("force", False))
            case "write":
                self.home.write(call["path"].removeprefix("ws/"), call["text"])
            case "rm":
                (self.home.workspace / call["path"].removeprefix("ws/")).unlink()
            case "dump":
                return dump(engine)
            case "status":
                return engine.status()
            case "search":
                return memory_search(
                    engine,
                    call["query"],
                    min_score=call["minScore"],
                    max_results=call["maxResults"],
                )
            case "sql":
                return engine.store.reader.identity()
        return None

    def _http(self, path: str) -> dict[str, int]:
        """Requests and texts since the last reset."""
        if path == "/reset":
            self._counted = len(self.fake.requests)
        since = self.fake.requests[self._counted :]
        return {"requests": len(since), "inputs": sum(len(r.inputs) for r in since)}


def dump(engine: MemoryEngine) -> dict[str, Any]:
    """Files, chunks with the ids that the agent gives them, and the size of the cache."""
    chunks = engine.store.reader.chunks()
    return {
        "files": [
            {"path": f.path, "source": f.source, "hash": f.hash, "size": f.size}
            for f in engine.store.reader.files()
        ],
        "chunks": [
            {
                "id": engine.chunk_id(c),
                "path": c.path,
                "source": c.source,
                "start_line": c.start_line,
                "end_line": c.end_line,
                "hash": c.hash,
                "model": engine.provider.model,
            }
            for c in chunks
        ],
        "cache": engine.store.counts().cache_entries,
    }


@pytest.fixture(scope="module", params=VERSIONS)
def repeated(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, dict[str, Repeated]]]:
    """All jobs, in the order in which they were measured."""
    version: str = request.param
    with FakeProvider() as fake:
        machine = Machine(tmp_path_factory.mktemp("sync"), fake)
        yield (
            version,
            {
                name: machine.run(case, version)
                for name, case in CASES.items()
                if name not in OUR_FILE
            },
        )


def measured(name: str, version: str) -> list[dict[str, Any]]:
    """The ops of a case as the original answered them."""
    expected = CASES[name]["expected"]
    ops: list[dict[str, Any]] = expected.get(version, expected)["ops"]
    return ops


@pytest.mark.parametrize("name", [name for name in CASES if name not in OUR_FILE])
def test_the_sync_does_what_the_original_did(
    name: str, repeated: tuple[str, dict[str, Repeated]]
) -> None:
    version, done = repeated
    compared = 0
    for number, (was, ours) in enumerate(
        zip(measured(name, version), done[name].outcomes, strict=True)
    ):
        match was["op"]:
            case "http":
                sent = was["body"].get("ok", {"requests": 0, "inputs": 0})
                inputs = expected_number(INPUTS, name, number, sent["inputs"])
                assert ours == {"requests": min(1, inputs), "inputs": inputs}  # PACKED
            case "dump":
                compare_dump(was, ours, expected_number(ENTRIES, name, number, was["cache"]))
            case "status":
                compare_status(was["status"], ours, name, number)
            case "sql" if "value" in (was.get("rows") or [{}])[0]:
                compare_identity(json.loads(was["rows"][0]["value"]), ours)
            case _:
                continue
        compared += 1
    assert compared or name == "collide"


def expected_number(
    table: dict[str, dict[int, tuple[str, int]]], name: str, number: int, was: int
) -> int:
    """Ours where we deviate, which must then be another number; else the measured one."""
    deviation = table.get(name, {}).get(number)
    if deviation is None:
        return was
    assert deviation[1] != was
    return deviation[1]


def compare_dump(was: dict[str, Any], ours: dict[str, Any], entries: int) -> None:
    """The same files, the same chunks under the same ids."""
    order = ("path", "start_line", "id")
    for kind in ("files", "chunks"):
        key = [name for name in order if name in was[kind][0]]
        assert sorted(ours[kind], key=lambda row: [row[k] for k in key]) == sorted(
            was[kind], key=lambda row: [row[k] for k in key]
        )
    assert ours["cache"] == entries


def compare_status(was: dict[str, Any], ours: Any, name: str, number: int) -> None:
    """The fields that both have."""
    assert (ours.files, ours.chunks, bool(ours.dirty)) == (
        was["files"],
        was["chunks"],
        was["dirty"],
    )
    assert (ours.provider.requested, ours.provider.provider, ours.provider.model) == (
        was["requestedProvider"], was["provider"], was["model"],
    )  # fmt: skip
    assert list(ours.sources) == was["sources"]
    assert [
        {"source": s.source, "files": s.files, "chunks": s.chunks} for s in ours.source_counts
    ] == (was["sourceCounts"])
    assert (ours.fts.enabled, ours.fts.available) == (
        was["fts"]["enabled"],
        was["fts"]["available"],
    )
    assert (ours.vector.enabled, ours.vector.dimensions) == (
        was["vector"]["enabled"], was["vector"]["dims"],
    )  # fmt: skip
    assert ours.search_mode == was["custom"]["searchMode"]
    cache = was["cache"]
    assert ours.cache.enabled == cache["enabled"]
    if cache["enabled"]:
        assert ours.cache.max_entries == cache["maxEntries"]
        assert ours.cache.entries == expected_number(ENTRIES, name, number, cache["entries"])


def compare_identity(was: dict[str, Any], ours: Any) -> None:
    """What the index was built with."""
    assert (ours.provider, ours.model) == (was["provider"], was["model"])
    assert ours.chunking.endswith(f":{was['chunkTokens']}/{was['chunkOverlap']}")
    assert ours.tokenizer == "unicode61"


def test_pieces_of_one_line_with_the_same_text_are_stored_once(
    repeated: tuple[str, dict[str, Repeated]],
) -> None:
    """ONE_ROW: its keyword table keeps all ten rows of the line, ours one like its chunks."""
    version, done = repeated
    ops = measured("collide", version)
    assert (ops[2]["rows"], ops[3]["rows"]) == ([{"n": 1, "d": 1}], [{"n": 10, "d": 1}])
    answer = done["collide"].outcomes[5]
    first, *others = ops[5]["results"]
    best = answer.results[0].ranked
    place = (best.candidate.path, best.candidate.start_line, best.candidate.end_line)
    assert place == (first["path"], first["startLine"], first["endLine"])
    assert answer.results[0].snippet == first["snippet"]
    found = [r.ranked.candidate.path for r in answer.results[1:]]
    assert sorted(found) == sorted(result["path"] for result in others)
    assert [r.ranked.score for r in answer.results[1:]] == [0.0] * len(others)


def test_every_measured_case_is_repeated_or_named() -> None:
    assert CASES.keys() >= OUR_FILE
    assert INPUTS.keys() | ENTRIES.keys() <= CASES.keys()
