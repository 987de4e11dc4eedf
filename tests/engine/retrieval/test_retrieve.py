"""The pool of a query: which legs, which scores, and what is said when something is missing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.clock import FixedClock
from engine.errors import CancelledError, ProviderError
from engine.ranking.profiles import DOCUMENTED, MARCH, TUNED
from engine.ranking.rank import rank
from engine.retrieval.legs import VectorLeg
from engine.retrieval.retrieve import retrieve
from engine.store.store import Store
from tests.engine.retrieval.memory import NOW_MS, SPACE, Memory, Note, build, rows_of
from tests.fakes.bow192 import bow_192

NOTES = [
    Note("memory/router.md", "router VLAN 30 smart plugs", mtime_ms=5_000.5),
    Note("memory/2026-02-10.md", "The router lost its settings; vlan is back."),
    Note("memory/garden.md", "Watering plan for the balcony tomatoes."),
    Note("sessions/one.jsonl", "we talked about the router", source="sessions"),
]


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    built = build(tmp_path / "index.sqlite", NOTES, bow_192)
    yield built
    built.store.close()


def test_every_candidate_has_both_scores(memory: Memory) -> None:
    pool = memory.pool("router VLAN", TUNED)
    assert {c.path for c in pool.candidates} == {note.path for note in NOTES}
    assert all(c.cosine is not None for c in pool.candidates)
    by_path = {c.path: c for c in pool.candidates}
    assert by_path["memory/router.md"].legs["or"].position == 0
    assert by_path["memory/garden.md"].legs == {}
    assert by_path["memory/router.md"].mtime_ms == 5_000.5
    assert (pool.mode, pool.provider, pool.identity, pool.revision) == (
        "hybrid",
        "test",
        SPACE,
        memory.store.reader.revision(),
    )
    assert {"embed", "vector", "keyword", "complete", "rows"} <= set(pool.timings_ms)


def test_scores_beyond_a_list_of_200_are_filled_in(tmp_path: Path) -> None:
    many = [
        Note(f"memory/n{n:03}.md", f"router number {n} " + "filler " * (n % 7)) for n in range(260)
    ]
    built = build(tmp_path / "many.sqlite", many, bow_192)
    pool = built.pool("router number 255", TUNED)
    leg = pool.leg("or")
    assert leg is not None
    assert leg.hits == 200
    filled = [c for c in pool.candidates if c.legs["or"].position is None]
    beyond = [c for c in pool.candidates if c.vector_position is None]
    assert filled
    assert beyond
    assert all(c.cosine is not None for c in pool.candidates)
    worst = max(c.legs["or"].bm25 for c in pool.candidates if c.legs["or"].position is not None)
    assert all(c.legs["or"].bm25 >= worst for c in filled)


def test_legs_are_those_of_the_profile(memory: Memory) -> None:
    assert [leg.name for leg in memory.pool("router VLAN", TUNED).legs] == ["vector", "or"]
    assert [leg.name for leg in memory.pool("router VLAN", MARCH).legs] == ["vector", "and"]
    alone = Memory(memory.store, None)
    legs = alone.pool("the router VLAN", MARCH).legs
    assert [leg.name for leg in legs] == ["keyword:router", "keyword:vlan"]


def test_one_source_only(memory: Memory) -> None:
    pool = memory.pool("router", replace(TUNED, source="sessions"))
    assert [c.path for c in pool.candidates] == ["sessions/one.jsonl"]
    assert pool.source == "sessions"


def test_a_failing_provider_leaves_the_keywords_and_says_so(memory: Memory) -> None:
    def fail(query: str) -> NDArray[np.float32] | None:
        raise ProviderError("Key refused", "openai answered 401.", "Check the key.")

    for recipe in (TUNED, DOCUMENTED):
        pool = retrieve(
            memory.store.reader, "router", recipe, VectorLeg(fail, SPACE, "openai", "m")
        )
        leg = pool.leg("vector")
        assert leg is not None
        assert leg.error == "Key refused: openai answered 401."
        assert pool.mode == "keyword"
        assert pool.notices == (
            "Key refused: openai answered 401. Only keywords were searched. Check the key.",
        )
        assert rank(pool, recipe, NOW_MS).kept


def test_a_cancelled_embedding_is_not_a_failed_leg(memory: Memory) -> None:
    def cancel(query: str) -> NDArray[np.float32] | None:
        raise CancelledError("The search")

    with pytest.raises(CancelledError):
        retrieve(memory.store.reader, "router", TUNED, VectorLeg(cancel, SPACE, "p", "m"))


def test_no_provider_tells_why_when_there_is_a_reason(memory: Memory) -> None:
    absent = VectorLeg(None, "", "openai", "m", absent="Enter sends the query to openai.")
    pool = retrieve(memory.store.reader, "router", TUNED, absent)
    assert (pool.mode, pool.leg("vector")) == ("keyword", None)
    assert pool.notices == ("Enter sends the query to openai.",)


def test_a_query_without_usable_vector_keeps_both_legs_in_the_pool(memory: Memory) -> None:
    nothing = VectorLeg(lambda query: None, SPACE, "test", "toy")
    pool = retrieve(memory.store.reader, "router", TUNED, nothing)
    assert (pool.mode, pool.query_vector) == ("hybrid", False)
    assert pool.notices == ("This query has no usable vector; only keywords were searched.",)
    assert rank(pool, TUNED, NOW_MS).mode == "keyword"


def test_vectors_of_another_provider_are_not_compared(memory: Memory) -> None:
    other = VectorLeg(memory.vector, "another-space", "voyage", "v3")
    pool = retrieve(memory.store.reader, "router", TUNED, other)
    assert all(c.cosine is None for c in pool.candidates)
    assert pool.notices == (
        "The index holds no vectors of voyage/v3 yet; only keywords were searched.",
    )


def test_nothing_to_search_for_and_nothing_indexed_are_said(memory: Memory, tmp_path: Path) -> None:
    for query in ("", "   ", "...", "()"):
        pool = memory.pool(query, TUNED)
        assert pool.candidates == ()
        assert pool.notices == ("Nothing to search for: the query holds no word.",)
    empty = Store.open(tmp_path / "e.sqlite", events=lambda event: None, clock=FixedClock(0))
    pool = Memory(empty, bow_192).pool("router", TUNED)
    assert (pool.candidates, pool.notices) == ((), ("Nothing is indexed yet.",))
    empty.close()


def test_all_reads_see_one_state(memory: Memory) -> None:
    """A change that is published while the query is embedded is seen wholly or not at all."""
    added = Note("memory/new.md", "router brand new")

    def embed_and_change(query: str) -> NDArray[np.float32] | None:
        with memory.store.write() as writer:
            writer.upsert(*rows_of(added))
        return memory.vector(query)

    before = memory.store.reader.revision()
    vectors = VectorLeg(embed_and_change, SPACE, "test", "toy")
    pool = retrieve(memory.store.reader, "router", TUNED, vectors)
    assert pool.revision > before
    assert "memory/new.md" in {c.path for c in pool.candidates}


def test_a_larger_pool_needs_no_new_retrieval(memory: Memory) -> None:
    pool = memory.pool("router VLAN", TUNED)
    small = rank(pool, replace(TUNED, max_results=1, candidate_multiplier=1), NOW_MS)
    large = rank(pool, replace(TUNED, max_results=4, candidate_multiplier=20), NOW_MS)
    assert len(small.kept) == 1
    again = rank(memory.pool("router VLAN", large.settings), large.settings, NOW_MS)
    assert [r.candidate.chunk_id for r in large.kept] == [r.candidate.chunk_id for r in again.kept]


def test_halves_of_characters_do_not_reach_provider_or_index(memory: Memory) -> None:
    asked: list[str] = []

    def note(query: str) -> NDArray[np.float32] | None:
        asked.append(query)
        return memory.vector(query)

    retrieve(
        memory.store.reader, " router \ud83d\ude80\ud800 ", TUNED, VectorLeg(note, SPACE, "t", "t")
    )
    assert asked == ["router 🚀\ufffd"]
