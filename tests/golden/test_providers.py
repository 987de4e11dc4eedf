"""Failing and odd providers against the original programs, repeated through the facade.

Wherever we deviate on purpose, the test asserts what the original did as well as what
happens here, and that the person is told:

KEYWORDS_STAY       a failure while indexing costs the original the whole index (no file, no
                    row); here files and keyword tables are stored, and each file says why
                    it has no vector
SEARCH_ANSWERS      a failing query embedding throws in the original although its keyword leg
                    has run; here keywords answer, with the reason
UNUSABLE_IS_REFUSED zeros, nulls and missing vectors are stored by the original; here never
NO_VECTOR_IS_A_FAILURE  an answer without a vector for the query counts as a failure, so the
                    keyword scores stand alone; the original mixes them with an empty vector
NOTHING_IS_WIPED    a sync without a provider empties the original's index; here it stays
TABLES_STAY         with hybrid.enabled false the original has no keyword table; here it is
                    kept but not asked, so that switching back builds nothing

How often a failure is tried again, and that texts of several files share a request, is
ours as well: the counts of requests are asserted on both sides.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from engine.memory import MemoryEngine
from engine.tools.memory_search import SearchAnswer, memory_search
from tests.engine.agent_home import KEY, AgentHome
from tests.fakes import answers
from tests.fakes.answers import Responder
from tests.fakes.provider_server import FakeProvider
from tests.golden.test_provider_choice import CHOICES
from tests.golden.vectors import vectors

pytestmark = pytest.mark.golden

MEASURED = vectors("providers.json")
CASES = {case["id"]: case for case in MEASURED["cases"]}
VERSIONS = ("2026.2.26", "2026.3.13")
FILES = ["MEMORY.md", "memory/a.md", "memory/b.md", "memory/sub/x.md"]
NO_PORT = "http://127.0.0.1:9/v1"
TOLERANCE = 2e-6

KEYWORDS_ALONE = {"2026.2.26": 1.0, "2026.3.13": 0.44765382824088473}
"""What the keyword-only mode of each version gives memory/a.md for "router VLAN" (wipe-2)."""


@dataclass(frozen=True, slots=True)
class Ours:
    """What happens here; ``answer`` is "measured" (as the original), or how it deviates.

    "keywords": the keyword-only mode. "no vector": keywords in the mix of the two legs, as
    the original answers a query of zeros. ``told`` is part of what the person reads.
    """

    fault: Responder
    requests: int
    stored: int
    answer: str
    told: str = ""


OURS = {
    "fault-e401": Ours(answers.status(401), 1, 0, "keywords", "refuses the key"),
    "fault-e429": Ours(answers.status(429), 5, 0, "keywords", "accepts no more requests"),
    "fault-e500": Ours(answers.status(500), 3, 0, "keywords", "an error of its own"),
    "fault-e400": Ours(answers.status(400), 4, 0, "keywords", "does not accept the request"),
    "fault-zero": Ours(answers.with_vector([0.0] * 192), 1, 0, "measured", "a vector of zeros"),
    "fault-short": Ours(answers.short, 1, 3, "keywords", "no vector for this text"),
    "fault-empty": Ours(
        lambda received: answers.envelope(received, []), 1, 0, "keywords", "0 vectors for 4 texts"
    ),
    "fault-nan": Ours(
        answers.with_vector([float("nan")] * 192), 1, 0, "no vector", "without finite numbers"
    ),
    "fault-nul": Ours(
        answers.with_vector([None] + [0.1] * 191), 1, 0, "no vector", "a vector with gaps"
    ),
    "fault-swap": Ours(answers.shuffled, 1, 4, "measured"),
    "fault-dims": Ours(answers.resized(64), 1, 2, "measured", "a vector of zeros"),
    "fault-html": Ours(answers.html, 1, 0, "keywords", "it is not JSON"),
}
ORIGINAL_THROWS = {"e401", "e429", "e500", "e400", "nan", "html", "refused"}
"""Faults with which the original indexes nothing."""


def _expected(name: str, version: str) -> list[dict[str, Any]]:
    """The measured operations of a case, in order."""
    case = CASES[name]
    measured = case["expected"] if case["same_in_both_versions"] else case["expected"][version]
    ops: list[dict[str, Any]] = measured["ops"]
    return ops


def _ops(name: str, version: str, kind: str) -> list[dict[str, Any]]:
    return [op for op in _expected(name, version) if op["op"] == kind]


@contextmanager
def _opened(
    home: AgentHome, name: str, version: str, fake: FakeProvider | None, **keys: Any
) -> Iterator[MemoryEngine]:
    """The case's configuration; its endpoint is the fake one, its folders are the test's."""
    measured = CASES[name]["config"]["agents"]["defaults"]["memorySearch"]
    search = {**measured, **keys}
    search["store"] = {**measured["store"], "path": str(home.root / "db" / "index.sqlite")}
    if "remote" in measured:
        base_url = fake.base_url if fake is not None else NO_PORT
        search["remote"] = {"baseUrl": base_url, "apiKey": KEY}
    home.configure(search, meta={"lastTouchedVersion": version})
    with home.open() as engine:
        yield engine


@pytest.fixture
def home(tmp_path: Path) -> AgentHome:
    """The small workspace of the measurement."""
    home = AgentHome(tmp_path)
    for path, text in MEASURED["small_workspace"].items():
        home.write(path, text)
    return home


def _search(engine: MemoryEngine, query: str = "router VLAN") -> SearchAnswer:
    return memory_search(engine, query, min_score=0)


def _rows(answer: SearchAnswer) -> list[tuple[str, int, int, str, str, float]]:
    """What an answer lists, chunks of equal score in order of their paths."""
    rows = []
    for result in answer.results:
        chunk = result.ranked.candidate
        place = (chunk.path, chunk.start_line, chunk.end_line, chunk.source, result.snippet)
        rows.append((*place, result.ranked.score))
    return sorted(rows, key=lambda row: (-round(row[-1], 5), row))


def _assert_measured(answer: SearchAnswer, op: dict[str, Any]) -> None:
    wanted = sorted(op["results"], key=lambda row: (-round(row["score"], 5), row["path"]))
    rows = _rows(answer)
    names = ("path", "startLine", "endLine", "source", "snippet")
    assert [row[:-1] for row in rows] == [tuple(row[name] for name in names) for row in wanted]
    assert [row[-1] for row in rows] == pytest.approx([r["score"] for r in wanted], abs=TOLERANCE)


def _assert_keywords(answer: SearchAnswer, version: str) -> None:
    """The keyword-only mode answers, and the answer says why."""
    ((path, *_, score),) = _rows(answer)
    assert path == "memory/a.md"
    assert score == pytest.approx(KEYWORDS_ALONE[version], abs=TOLERANCE)
    assert answer.mode == "keyword"
    assert answer.error is not None
    assert any("Only keywords were searched" in notice for notice in answer.notices)


def _reasons(engine: MemoryEngine) -> dict[str, str]:
    """Why files have no vector, as the files screen says it."""
    return {file.path: file.reason for file in engine.scan() if file.chunks and file.reason}


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("name", OURS)
def test_a_fault_while_indexing(name: str, version: str, home: AgentHome) -> None:
    ours = OURS[name]
    with FakeProvider(otherwise=ours.fault) as fake, _opened(home, name, version, fake) as engine:
        report = engine.sync("demand")
        assert len(fake.requests) == ours.requests
        status = engine.status()
        # KEYWORDS_STAY, UNUSABLE_IS_REFUSED
        assert [file.path for file in engine.store.reader.files()] == FILES
        assert (status.chunks, status.vector.vectors) == (4, ours.stored)
        assert (report.embedded, report.not_embedded) == (ours.stored, 4 - ours.stored)
        reasons = _reasons(engine)
        assert len(reasons) == 4 - ours.stored
        assert all(ours.told in reason for reason in reasons.values())
        assert sum(gap.chunks for gap in status.vector.missing) == 4 - ours.stored
        if reasons:
            assert any(ours.told in caution.message for caution in status.warnings)
        _check_search(engine, name, version, ours)
        _check_status_and_probe(engine, name, version)
    _check_what_the_original_did(name, version)


def _check_search(engine: MemoryEngine, name: str, version: str, ours: Ours) -> None:
    answer = _search(engine)
    (measured,) = _ops(name, version, "search")
    if ours.answer == "measured":
        _assert_measured(answer, measured)
    elif ours.answer == "keywords":  # SEARCH_ANSWERS, NO_VECTOR_IS_A_FAILURE
        _assert_keywords(answer, version)
        assert "error" in measured or name in ("fault-short", "fault-empty")
    else:
        _assert_measured(answer, _ops("fault-zero", version, "search")[0])
        assert any("no usable vector" in notice for notice in answer.notices)


def _check_status_and_probe(engine: MemoryEngine, name: str, version: str) -> None:
    status, measured = engine.status(), _ops(name, version, "status")[0]["status"]
    provider = status.provider
    assert (provider.provider, provider.model) == (measured["provider"], measured["model"])
    assert provider.requested == measured["requestedProvider"]
    assert list(status.sources) == measured["sources"]
    if measured["files"]:
        assert (status.files, status.chunks) == (measured["files"], measured["chunks"])
    (probed,) = _ops(name, version, "probe")
    problem = engine.probe().problem
    if not probed["emb"]["ok"]:
        assert problem is not None
    assert (problem is None) == (name in ("fault-swap", "fault-dims"))


def _check_what_the_original_did(name: str, version: str) -> None:
    """The other side of each deviation."""
    fault = name.removeprefix("fault-")
    (sync,) = _ops(name, version, "sync")
    vectors_sql, files_sql, _ = _ops(name, version, "sql")
    assert ("error" in sync) == (fault in ORIGINAL_THROWS)
    assert files_sql["rows"] == [{"c": 0 if fault in ORIGINAL_THROWS else 4}]
    counted = _ops(name, version, "http")[1]["body"][fault]
    assert counted["requests"] == (16 if fault in ("e429", "e500") else 4)
    stored = [row["e"] for row in vectors_sql["rows"]]
    if fault in ("zero", "dims"):
        assert any(set(text) <= set("[0,") for text in stored)
    if fault == "nul":
        assert all(text.startswith("[null") for text in stored)
    if fault in ("short", "empty"):
        assert stored == ["[]"] * 4


@pytest.mark.parametrize("version", VERSIONS)
def test_two_refusals_and_then_an_index(version: str, home: AgentHome) -> None:
    name = "fault-flaky429"
    script = [answers.status(429)] * 2
    with FakeProvider(script=script) as fake, _opened(home, name, version, fake) as engine:
        report = engine.sync("demand")
        assert len(fake.requests) == 3
        assert (report.embedded, report.embedding_error) == (4, None)
        _assert_measured(_search(engine), _ops(name, version, "search")[0])
        status, measured = engine.status(), _ops(name, version, "status")[0]["status"]
        assert engine.probe().problem is None
    assert status.vector.dimensions == measured["vector"]["dims"]
    assert (status.files, status.chunks) == (measured["files"], measured["chunks"])
    assert status.cache.entries == measured["cache"]["entries"]
    assert bool(status.dirty) == measured["dirty"]


@pytest.mark.parametrize("version", VERSIONS)
def test_nobody_at_that_address(version: str, home: AgentHome) -> None:
    name = "fault-refused"
    with _opened(home, name, version, None) as engine:
        report = engine.sync("demand")
        assert "cannot be reached" in (report.embedding_error or "")
        assert (report.files_indexed, report.not_embedded) == (4, 4)
        answer = _search(engine)
        _assert_keywords(answer, version)
        assert engine.status().provider.error is not None
    assert [op["error"] for op in _expected(name, version)] == ["fetch failed"] * 2


@pytest.mark.parametrize("version", VERSIONS)
def test_a_good_index_before_anything_fails(version: str, home: AgentHome) -> None:
    name = "fault-query-after-good-index"
    with FakeProvider() as fake, _opened(home, name, version, fake) as engine:
        engine.sync("demand")
        _assert_measured(_search(engine, "router"), _ops(name, version, "search")[0])


@pytest.mark.parametrize("version", VERSIONS)
def test_a_query_that_the_provider_refuses(version: str, home: AgentHome) -> None:
    name = "fault-query-e401"
    with FakeProvider() as fake, _opened(home, name, version, fake) as engine:
        engine.sync("demand")
        fake.otherwise = answers.status(401)
        sent = len(fake.requests)
        _assert_keywords(_search(engine), version)
        assert _search(engine, "zzz").results == ()
        assert len(fake.requests) == sent + 2
        status = engine.status()
        assert status.provider.mode == "degraded"
        assert "refuses the key" in (status.provider.error or "")
        assert not status.dirty
    assert all("error" in op for op in _ops(name, version, "search"))


@pytest.mark.parametrize("version", VERSIONS)
def test_a_query_vector_of_zeros(version: str, home: AgentHome) -> None:
    name = "fault-query-zero"
    with FakeProvider() as fake, _opened(home, name, version, fake) as engine:
        engine.sync("demand")
        fake.otherwise = answers.with_vector([0.0] * 192)
        for query, measured in zip(
            ("router VLAN", "zzz"), _ops(name, version, "search"), strict=True
        ):
            answer = _search(engine, query)
            _assert_measured(answer, measured)
            assert any("no usable vector" in notice for notice in answer.notices)


@pytest.mark.parametrize("version", VERSIONS)
def test_wipe_1_an_index_with_a_provider(version: str, home: AgentHome) -> None:
    name = "wipe-1"
    with FakeProvider() as fake, _opened(home, name, version, fake) as engine:
        engine.sync("demand")
        status, measured = engine.status(), _ops(name, version, "status")[0]["status"]
    assert (status.files, status.chunks) == (measured["files"], measured["chunks"])
    assert status.cache.entries == measured["cache"]["entries"]
    assert status.vector.dimensions == measured["vector"]["dims"]
    assert status.search_mode == measured["custom"]["searchMode"]


@pytest.mark.parametrize("version", VERSIONS)
def test_wipe_2_without_a_provider_the_index_stays(version: str, home: AgentHome) -> None:
    before, after = _ops("wipe-2", version, "search")
    with FakeProvider() as fake:
        with _opened(home, "wipe-1", version, fake) as engine:
            engine.sync("demand")
        sent = len(fake.requests)
        with _opened(home, "wipe-2", version, None, provider="none") as engine:
            _assert_measured(_search(engine), before)
            engine.sync("demand")
            _assert_measured(_search(engine), before)  # NOTHING_IS_WIPED
            engine.sync("demand", force=True)
            _assert_measured(_search(engine), before)
            status = engine.status()
            assert (status.files, status.chunks, status.cache.entries) == (4, 4, 4)
            assert (status.search_mode, status.provider.mode) == ("keyword", "keyword-only")
        with _opened(home, "wipe-1", version, fake) as engine:
            engine.sync("demand")
            assert engine.status().vector.vectors == 4
        assert len(fake.requests) == sent
    assert after["results"] == []
    assert _ops("wipe-2", version, "dump")[0]["files"] == []


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("name", ["vec-disabled", "vec-badext"])
def test_without_sqlite_vec_the_answer_is_the_same(
    name: str, version: str, home: AgentHome
) -> None:
    with FakeProvider() as fake, _opened(home, name, version, fake) as engine:
        engine.sync("demand")
        _assert_measured(_search(engine), _ops(name, version, "search")[0])
        status, measured = engine.status(), _ops(name, version, "status")[0]["status"]["vector"]
    vector = status.vector
    assert vector.enabled == measured["enabled"]
    assert (vector.available, vector.via) == (measured.get("available", False), "in-process")
    assert vector.extension_path == measured.get("extensionPath")
    why = "store.vector.enabled" if name == "vec-disabled" else "could not be loaded"
    assert why in (vector.load_error or "")
    assert any(why in caution.message for caution in status.warnings)


@pytest.mark.parametrize("version", VERSIONS)
def test_hybrid_off_asks_the_vectors_alone(version: str, home: AgentHome) -> None:
    name = "hybrid-off"
    with FakeProvider() as fake, _opened(home, name, version, fake) as engine:
        engine.sync("demand")
        answer = _search(engine)
        _assert_measured(answer, _ops(name, version, "search")[0])
        status, measured = engine.status(), _ops(name, version, "status")[0]["status"]
        assert answer.mode == status.search_mode == "vector"
        assert status.fts.enabled == measured["fts"]["enabled"]
        # TABLES_STAY
        assert status.fts.available
        assert engine.store.reader.keyword("documented", '"router"', 5)
    (tables,) = _ops(name, version, "sql")
    assert not any("fts" in row["name"] for row in tables["rows"])


def test_nothing_of_the_measurement_was_left_out() -> None:
    single = {"fault-flaky429", "fault-refused", "wipe-1", "wipe-2", "hybrid-off"}
    queries = {name for name in CASES if name.startswith("fault-query-")}
    extension = {"vec-disabled", "vec-badext"}
    told = OURS.keys() | single | queries | extension
    assert len(told) == 22
    assert told | CHOICES == CASES.keys()
