"""The facade through its public door: what it opens when, reads, and refuses."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.errors import EngineError, PathError, SearchUnavailableError
from engine.events import SyncFinished
from engine.tools.agent_answer import answer_for_agent
from engine.tools.memory_get import get_for_agent
from engine.tools.memory_search import memory_search
from tests.engine.agent_home import AgentHome, remote
from tests.fakes.answers import status, vectors, with_vector
from tests.fakes.limits import Limits
from tests.fakes.provider_server import FakeProvider

NOTES = {
    "MEMORY.md": "# Root\nkestrel is the gateway host\n",
    "memory/a.md": "router VLAN 30 smart plugs\n",
    "memory/b.md": "alpha beta gamma\n\ndelta\n",
}
WAIT_S = 30.0


@pytest.fixture
def home(tmp_path: Path) -> AgentHome:
    home = AgentHome(tmp_path)
    for path, text in NOTES.items():
        home.write(path, text)
    return home


@pytest.fixture
def fake() -> Iterator[FakeProvider]:
    with FakeProvider() as fake:
        yield fake


# -- what is opened when


def test_opening_writes_nothing_starts_nothing_and_sends_nothing(
    home: AgentHome, fake: FakeProvider
) -> None:
    home.configure(remote(fake.base_url))
    before = set(home.root.rglob("*"))
    threads = threading.active_count()
    with home.open() as engine:
        assert engine.has_memory
        assert not engine.indexed
        state = engine.status()
        assert (state.files, state.identity.status, state.scanned_at_ms) == (0, "missing", None)
        assert state.provider.provider == "openai"
        assert engine.read_text("MEMORY.md") == NOTES["MEMORY.md"]
        engine.interrupt()
        engine.cancel_sync()
        assert threading.active_count() == threads
    assert set(home.root.rglob("*")) == before
    assert fake.requests == []


def test_a_closed_memory_stays_closed(home: AgentHome) -> None:
    home.configure({"provider": "none"})
    with home.open() as engine:
        engine.sync("demand")
        engine.close()
        engine.close()
    with home.open() as engine:
        engine.close()
        with pytest.raises(EngineError, match="Closed"):
            engine.sync("demand")


def test_the_index_answers_in_the_next_process(home: AgentHome) -> None:
    home.configure({"provider": "builtin"})
    with home.open() as engine:
        engine.sync("demand")
    with home.open() as engine:
        assert engine.indexed
        assert engine.status().files == 3
        assert memory_search(engine, "router").results[0].ranked.candidate.path == "memory/a.md"


def test_chunks_carry_the_id_of_the_agents_own_index(home: AgentHome, fake: FakeProvider) -> None:
    home.configure(remote(fake.base_url), meta={"lastTouchedVersion": "2026.3.13"})
    with home.open() as engine:
        engine.sync("demand")
        (chunk,) = engine.chunks("memory/a.md")
        measured = "7d69ce602fcbe7222b8bf3a9e50744d504e66cb838cd94b22484360b9916e98b"
        assert engine.chunk_id(chunk) == measured


def test_reading_keeps_to_the_memory(home: AgentHome) -> None:
    home.configure({"provider": "none"})
    outside = home.root / "outside.md"
    outside.write_text("private", "utf-8")
    with home.open() as engine:
        assert engine.get("memory/b.md", 3, 1).text == "delta"
        assert engine.absolute_path("MEMORY.md") == home.workspace / "MEMORY.md"
        for path in ("../outside.md", str(outside), "memory/../../outside.md", "a\0b.md"):
            with pytest.raises(PathError):
                engine.read_text(path)


# -- where the index lies


def test_the_store_path_names_the_agent(home: AgentHome) -> None:
    store = {"path": str(home.root / "db" / "{agentId}-index.sqlite")}
    home.configure({"provider": "none", "store": store})
    with home.open() as engine:
        engine.sync("demand")
        path = engine.config.store_path
    assert path == home.root / "db" / "main-index.memlens.sqlite"
    assert path.exists()
    assert not path.with_name("main-index.sqlite").exists()
    with home.open(f"store.path={home.root}/own/{{agentId}}.db") as engine:
        assert engine.config.store_path == home.root / "own" / "main.db"


# -- switched off

OFF: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "enabled": ({"enabled": False}, {}, "memorySearch.enabled is false (openclaw.json, line 6)"),
    "slot": (
        {"provider": "builtin"},
        {"plugins": {"slots": {"memory": "none"}}},
        'plugins.slots.memory is "none" (openclaw.json, line 12)',
    ),
}


@pytest.mark.parametrize("switch", OFF)
def test_switched_off_the_tools_say_where_and_the_screens_still_browse(
    switch: str, home: AgentHome
) -> None:
    search, others, place = OFF[switch]
    home.configure(search, **others)
    with home.open() as engine:
        engine.sync("demand")
        assert {state.path for state in engine.scan()} == NOTES.keys()
        assert engine.get("memory/b.md").text.startswith("alpha")
        assert len(engine.chunks("memory/a.md")) == 1
        state = engine.status()
        assert not state.enabled
        assert any(place in caution.message for caution in state.warnings)
        with pytest.raises(SearchUnavailableError) as caught:
            memory_search(engine, "router")
        assert place in caught.value.message
        for answer in (
            answer_for_agent(engine, {"query": "router"}),
            get_for_agent(engine, {"path": "memory/b.md"}),
        ):
            assert answer["disabled"] is True
            assert place in answer["error"]
            assert "alpha" not in str(answer)
    with home.open("enabled=false") as engine, pytest.raises(SearchUnavailableError) as caught:
        memory_search(engine, "router")
    assert "false (by --set)" in caught.value.message or switch == "slot"


# -- a provider that costs money


def test_typing_sends_nothing_until_the_query_is_sent(home: AgentHome, fake: FakeProvider) -> None:
    home.configure(remote(fake.base_url))
    with home.open() as engine:
        engine.sync("demand")
        settings = engine.rank_settings()
        sent = len(fake.requests)
        typed = engine.retrieve("router VLAN", settings, send_query=False)
        assert (typed.mode, len(fake.requests)) == ("keyword", sent)
        assert typed.notices == ("Keywords only until Enter sends the query to openai.",)
        assert engine.retrieve("router VLAN", settings).mode == "hybrid"
        again = engine.retrieve("router VLAN", settings, send_query=False)
        assert (again.mode, len(fake.requests)) == ("hybrid", sent + 1)


def test_an_estimate_sends_nothing(home: AgentHome, fake: FakeProvider) -> None:
    home.configure(remote(fake.base_url))
    with home.open() as engine:
        estimate = engine.estimate_rebuild()
        assert (estimate.files, estimate.to_embed, estimate.remote) == (3, 3, True)
    assert fake.requests == []


def test_without_a_word_of_consent_keywords_answer(home: AgentHome, fake: FakeProvider) -> None:
    home.configure(remote(fake.base_url))
    with home.open() as engine:
        assert engine.pays_for_indexing
        engine.sync("start")
        assert fake.requests == []
        state = engine.status()
        assert state.sync.awaits_consent
        assert state.search_mode == "keyword"
        answer = memory_search(engine, "router VLAN", min_score=0)
        assert answer.mode == "keyword"
        assert [r.ranked.candidate.path for r in answer.results] == ["memory/a.md"]


# -- a provider that fails


def test_a_failure_in_the_middle_of_a_call_is_worth_another_attempt(home: AgentHome) -> None:
    limits = Limits(inputs=2, error_status=413)
    with FakeProvider(limits=limits) as fake:
        home.configure(remote(fake.base_url))
        fake.script(vectors, status(500), status(500), status(500))  # after the one refused
        with home.open() as engine:
            report = engine.sync("demand")
            assert (report.embedded, report.not_embedded) == (1, 2)
            assert "an error of its own (500)" in (report.embedding_error or "")
            (gap,) = engine.status().vector.missing
            assert (gap.chunks, gap.final) == (2, False)
            report = engine.sync("watch")
            assert (report.embedded, report.not_embedded, report.embedding_error) == (2, 0, None)
            assert engine.status().vector.missing == ()


def test_what_a_provider_refuses_is_counted_by_cause(home: AgentHome, fake: FakeProvider) -> None:
    home.configure(remote(fake.base_url))
    fake.otherwise = with_vector([0.0] * 192)
    with home.open() as engine:
        engine.sync("demand")
        (gap,) = engine.status().vector.missing
        assert (gap.chunks, gap.files, gap.final) == (3, 3, True)
        assert "a vector of zeros" in (gap.cause or "")
        sent = len(fake.requests)
        engine.sync("demand")
        assert len(fake.requests) == sent
        fake.otherwise = vectors
        engine.sync("demand", force=True)
        assert engine.status().vector.missing == ()


@pytest.mark.parametrize("reason", ["watch", "demand"])
def test_a_fallback_that_costs_money_waits_for_a_person(
    reason: str, home: AgentHome, fake: FakeProvider
) -> None:
    with FakeProvider() as second:
        entry = {"baseUrl": second.base_url, "apiKey": "second-key", "models": [{"id": "m"}]}
        home.configure(
            remote(fake.base_url, fallback="second"), models={"providers": {"second": entry}}
        )
        with home.open() as engine:
            engine.sync("demand")
            fake.otherwise = status(500)
            home.write("memory/new.md", "the kettle is blue\n")
            report = engine.sync("demand" if reason == "demand" else "watch")
            assert report.stood_in == (4 if reason == "demand" else 0)
            assert bool(second.requests) == (reason == "demand")
            # Nothing lacks a vector that answers: that is no failed sync.
            assert engine.status().sync.phase == ("idle" if reason == "demand" else "failed")


def test_a_fallback_that_cannot_be_used_is_named(home: AgentHome, fake: FakeProvider) -> None:
    home.configure(remote(fake.base_url, fallback="mistral"))
    with home.open() as engine:
        state = engine.status().provider
        assert state.provider == "openai"
        (passed,) = state.passed_over
        assert passed.provider == "mistral"
        assert "no use as fallback" in passed.reason
        assert engine.provider.standby is None


def test_while_somebody_watches_the_fallback_gets_its_vectors_by_itself(
    home: AgentHome, fake: FakeProvider
) -> None:
    home.configure(remote(fake.base_url, fallback="builtin", sync={"watch": False}))
    with home.open() as engine:
        engine.sync("demand")
        filled = threading.Event()
        engine.events.subscribe(
            lambda event: (
                filled.set() if isinstance(event, SyncFinished) and event.report.stood_in else None
            )
        )
        engine.watch()
        fake.otherwise = status(500)
        assert memory_search(engine, "smart plugs").provider == "builtin"
        assert filled.wait(WAIT_S)
        answer = memory_search(engine, "smart sockets")
        assert (answer.provider, answer.mode) == ("builtin", "hybrid")


def test_a_one_shot_search_starts_no_sync(home: AgentHome, fake: FakeProvider) -> None:
    home.configure(remote(fake.base_url, fallback="builtin"))
    with home.open() as engine:
        engine.sync("demand")
        fake.otherwise = status(500)
        memory_search(engine, "smart plugs")
        assert engine.status().sync.phase == "idle"
        assert sorted(engine.store.counts().vectors.values(), reverse=True)[:2] == [3, 0]


# -- without sqlite-vec


@pytest.mark.parametrize("how", ["disabled", "missing", "broken"])
def test_a_store_made_with_sqlite_vec_is_searched_without_it(
    how: str, home: AgentHome, fake: FakeProvider
) -> None:
    library = home.root / "vec0.so"
    if how == "broken":
        library.write_text("no library", "utf-8")
    vector = {"enabled": False} if how == "disabled" else {"extensionPath": str(library)}
    home.configure(remote(fake.base_url))
    with home.open() as engine:
        engine.sync("demand")
        with_extension = memory_search(engine, "gateway router", min_score=0)
        assert engine.status().vector.via == "sqlite-vec"
    home.configure(remote(fake.base_url, store={"vector": vector}))
    with home.open() as engine:
        without = memory_search(engine, "gateway router", min_score=0)
        state = engine.status().vector
        assert (state.via, state.available) == ("in-process", False)
        told = "store.vector.enabled" if how == "disabled" else "could not be loaded"
        assert told in (state.load_error or "")
    assert [(r.ranked.candidate.path, r.ranked.score) for r in without.results] == [
        (r.ranked.candidate.path, r.ranked.score) for r in with_extension.results
    ]
