"""Nearest chunks: sqlite-vec and the matrix in memory must be one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.errors import StoreError
from engine.store.extension import probe
from engine.store.nearest import COLD_QUERIES
from engine.store.store import Store
from tests.engine.store.desk import (
    OTHER_SPACE,
    SPACE,
    Desk,
    cut,
    digest,
    file_row,
    identity,
    look_inside,
    publish,
    random_vectors,
    vectors,
)


def _reference(embedded: dict[str, np.ndarray], query: np.ndarray) -> list[tuple[str, float]]:
    """Plain cosines in float64, best first."""
    wide = query.astype(np.float64)
    scores = {
        key: float(v.astype(np.float64) @ wide / np.linalg.norm(v.astype(np.float64)))
        for key, v in embedded.items()
    }
    unit = float(np.linalg.norm(wide))
    return sorted(((k, s / unit) for k, s in scores.items()), key=lambda pair: -pair[1])


def _hashes(store: Store, query: np.ndarray, limit: int, space: str = SPACE) -> list[str]:
    hits = store.reader.nearest(space, query, limit)
    rows = store.reader.rows([hit.rowid for hit in hits])
    return [rows[hit.rowid].hash for hit in hits]


def test_the_order_and_the_cosines_are_those_of_plain_arithmetic(desk: Desk) -> None:
    texts = [f"text {n}" for n in range(300)]
    embedded = random_vectors(texts, 32)
    store = desk.open()
    publish(store, {"a.md": texts}, embedded)
    query = random_vectors(["query"], 32, seed=7)[digest("query")]

    expected = _reference(embedded, query)[:20]

    assert _hashes(store, query, 20) == [key for key, _ in expected]
    found = [hit.cosine for hit in store.reader.nearest(SPACE, query, 20)]
    assert found == pytest.approx([score for _, score in expected], abs=1e-12)


def test_cold_warm_and_without_extension_give_the_same_to_the_last_bit(desk: Desk) -> None:
    texts = [f"text {n}" for n in range(400)]
    store = desk.open()
    publish(store, {"a.md": texts}, random_vectors(texts, 24))
    query = random_vectors(["query"], 24, seed=3)[digest("query")]

    cold = store.reader.nearest(SPACE, query, 50)
    assert store.vector_state(SPACE).via == "sqlite-vec"
    for _ in range(COLD_QUERIES):
        warm = store.reader.nearest(SPACE, query, 50)
    assert store.vector_state(SPACE).via == "in-process"
    without = desk.open(vector_enabled=False).reader.nearest(SPACE, query, 50)

    assert cold == warm == without
    assert len(cold) == 50


_NUMBERS = st.floats(-4, 4, width=32).map(lambda x: round(x, 1))


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    rows=st.lists(st.tuples(_NUMBERS, _NUMBERS, _NUMBERS), min_size=1, max_size=60),
    query=st.tuples(_NUMBERS, _NUMBERS, _NUMBERS),
    limit=st.integers(1, 40),
)
def test_both_ways_agree_on_any_vectors_ties_included(
    desk: Desk,
    rows: list[tuple[float, float, float]],
    query: tuple[float, float, float],
    limit: int,
) -> None:
    usable = [row for row in rows if any(row)] or [(1.0, 0.0, 0.0)]
    texts = [f"t{at}" for at in range(len(usable))]
    store = desk.open()
    publish(store, {"a.md": texts}, vectors(**dict(zip(texts, usable, strict=True))))
    asked = np.asarray(query, dtype=np.float32)

    native = store.reader.nearest(SPACE, asked, limit)
    other = desk.open(vector_enabled=False)
    in_process = other.reader.nearest(SPACE, asked, limit)

    assert native == in_process
    assert len(native) == (min(limit, len(usable)) if any(query) else 0)
    store.close()
    other.close()


def test_more_than_sqlite_vec_can_give_is_given_all_the_same(desk: Desk) -> None:
    texts = [f"text {n}" for n in range(4200)]
    store = desk.open()
    publish(store, {"a.md": texts}, random_vectors(texts, 4))
    query = random_vectors(["query"], 4, seed=3)[digest("query")]

    assert len(store.reader.nearest(SPACE, query, 4150)) == 4150


def test_many_equals_at_the_border_are_taken_in_order_of_rows(desk: Desk) -> None:
    texts = [f"text {n}" for n in range(60)]
    same = {digest(text): np.asarray([1, 1], np.float32) for text in texts}
    store = desk.open()
    publish(store, {"a.md": texts}, same)

    hits = store.reader.nearest(SPACE, np.asarray([1, 0], np.float32), 5)

    assert [hit.rowid for hit in hits] == [1, 2, 3, 4, 5]


def test_a_source_limits_before_the_limit_counts(desk: Desk) -> None:
    texts = [f"text {n}" for n in range(40)]
    store = desk.open()
    with store.build(identity()) as build:
        with build.batch() as writer:
            writer.put_vectors(SPACE, random_vectors(texts, 8))
            for at, text in enumerate(texts):
                source = "sessions" if at % 4 == 0 else "memory"
                writer.upsert(file_row(f"{at}.md", source), cut(text))
        build.publish()
    query = random_vectors(["query"], 8, seed=2)[digest("query")]
    other = desk.open(vector_enabled=False)

    native = store.reader.nearest(SPACE, query, 10, "sessions")

    assert native == other.reader.nearest(SPACE, query, 10, "sessions")
    assert len(native) == 10
    assert {row.source for row in store.reader.rows([h.rowid for h in native]).values()} == {
        "sessions"
    }
    assert store.reader.nearest(SPACE, query, 10, "nowhere") == []


@pytest.mark.parametrize("enabled", [True, False])
def test_unusable_queries_find_nothing(desk: Desk, enabled: bool) -> None:
    store = desk.open(vector_enabled=enabled)
    publish(store, {"a.md": ["one"]}, vectors(one=[1, 0, 0]))

    for query in ([0, 0, 0], [float("nan"), 1, 0], [float("inf"), 0, 0], [1, 0], [1, 0, 0, 0]):
        asked = np.asarray(query, np.float32)
        assert store.reader.nearest(SPACE, asked, 5) == []
        assert store.reader.cosines(SPACE, asked, [1]) == {}
    assert store.reader.nearest(SPACE, np.asarray([1, 0, 0], np.float32), 0) == []
    assert store.reader.nearest("never-seen", np.asarray([1, 0, 0], np.float32), 5) == []


@pytest.mark.parametrize("warm", [False, True])
def test_completion_agrees_with_the_search(desk: Desk, warm: bool) -> None:
    texts = [f"text {n}" for n in range(50)]
    store = desk.open()
    publish(store, {"a.md": texts, "b.md": ["no vector"]}, random_vectors(texts, 8))
    query = random_vectors(["query"], 8, seed=2)[digest("query")]
    for _ in range(COLD_QUERIES + 1 if warm else 1):
        hits = store.reader.nearest(SPACE, query, 50)

    assert store.reader.cosines(SPACE, query, [*range(1, 52), 999]) == {
        hit.rowid: hit.cosine for hit in hits
    }


@pytest.mark.parametrize(
    ("vector", "cause"),
    [
        ([0, 0, 0], "only zeros"),
        ([float("nan"), 1, 0], "not a finite number"),
        ([1, float("inf"), 0], "not a finite number"),
        ([1, 0], "2 numbers where 3 are expected"),
        ([], "0 numbers where 3 are expected"),
    ],
)
def test_unusable_vectors_are_never_stored(desk: Desk, vector: list[float], cause: str) -> None:
    store = desk.open()
    publish(store, {"a.md": ["one", "two"]}, vectors(one=[1, 0, 0]))

    with pytest.raises(StoreError) as caught, store.write() as writer:
        writer.put_vectors(SPACE, vectors(two=vector))

    assert cause in caught.value.message
    assert digest("two") in caught.value.message
    assert store.known_vectors(SPACE, [digest("one"), digest("two")]) == {digest("one")}


def test_bad_rows_in_the_file_take_no_place(desk: Desk) -> None:
    """Case "bad-vectors": a prepared index with a zero and a NaN row, k = 2."""
    store = desk.open()
    publish(
        store,
        {"a.md": ["r0", "r1", "r2", "r3"]},
        vectors(r0=[1, 0, 0], r1=[0.1, 1, 0], r2=[0.9, 0.1, 0], r3=[0, 1, 0]),
    )
    bad = {1: [0.0, 0.0, 0.0], 3: [float("nan"), 0.0, 0.0]}
    connection = look_inside(desk.path)
    probe(True, None).load_into(connection)
    for at, values in bad.items():
        blob = np.asarray(values, "<f4").tobytes()
        row = (at + 1, "memory", blob)
        connection.execute("update vectors set vector = ? where hash = ?", (blob, digest(f"r{at}")))
        connection.execute("delete from vectors_g1_s1 where rowid = ?", row[:1])
        connection.execute(
            "insert into vectors_g1_s1(rowid, source, embedding) values (?, ?, ?)", row
        )
    connection.close()
    query = np.asarray([1, 0, 0], np.float32)

    for reader in (store.reader, desk.open(vector_enabled=False).reader):
        hits = reader.nearest(SPACE, query, 2)
        assert [hit.rowid for hit in hits] == [1, 3]
        assert hits[0].cosine == 1.0
        assert set(reader.cosines(SPACE, query, [1, 2, 3, 4])) == {1, 3}


def test_a_broken_vec0_table_leaves_the_answer_to_the_matrix(desk: Desk) -> None:
    store = desk.open()
    publish(store, {"a.md": ["one", "two"]}, vectors(one=[1, 0], two=[0, 1]))
    connection = look_inside(desk.path)
    connection.execute("delete from vectors_g1_s1_vector_chunks00")
    connection.close()

    assert _hashes(store, np.asarray([1, 0], np.float32), 1) == [digest("one")]
    assert store.vector_state(SPACE).via == "in-process"


def test_spaces_stand_side_by_side(desk: Desk) -> None:
    store = desk.open()
    publish(store, {"a.md": ["one", "two"]}, vectors(one=[1, 0, 0], two=[0, 1, 0]))
    with store.write() as writer:
        writer.put_vectors(OTHER_SPACE, vectors(one=[0, 1], two=[1, 0]))

    assert _hashes(store, np.asarray([1, 0, 0], np.float32), 1) == [digest("one")]
    assert _hashes(store, np.asarray([1, 0], np.float32), 1, OTHER_SPACE) == [digest("two")]
    assert store.vector_state(OTHER_SPACE).via == "in-process"
    assert store.vector_state(OTHER_SPACE).dimensions == 2
    assert store.counts().vectors == {SPACE: 2, OTHER_SPACE: 2}


def test_a_replaced_vector_counts_at_once(desk: Desk) -> None:
    store = desk.open()
    publish(store, {"a.md": ["one", "two"]}, vectors(one=[1, 0], two=[0, 1]))
    with store.write() as writer:
        writer.put_vectors(SPACE, vectors(one=[0, 1], two=[1, 0]))

    query = np.asarray([1, 0.1], np.float32)
    assert _hashes(store, query, 2) == [digest("two"), digest("one")]
    assert desk.open(vector_enabled=False).reader.nearest(SPACE, query, 2) == (
        store.reader.nearest(SPACE, query, 2)
    )


def test_known_vectors_serve_new_chunks_of_the_same_text(desk: Desk) -> None:
    store = desk.open()
    publish(store, {"a.md": ["one"]}, vectors(one=[1, 0]))
    with store.write() as writer:
        writer.upsert(file_row("copy.md"), cut("one"))

    hits = store.reader.nearest(SPACE, np.asarray([1, 0], np.float32), 5)
    assert [hit.rowid for hit in hits] == [1, 2]
    assert store.vector_state(SPACE).vectors == 2
    [(key, vector)] = store.vectors_for(SPACE, [digest("one"), digest("never")]).items()
    assert key == digest("one")
    assert vector.tolist() == [1.0, 0.0]


def test_a_warm_matrix_follows_changes(desk: Desk) -> None:
    store = desk.open()
    publish(store, {"a.md": ["one"]}, vectors(one=[1, 0]))
    query = np.asarray([0, 1], np.float32)
    for _ in range(COLD_QUERIES + 1):
        store.reader.nearest(SPACE, query, 5)
    with store.write() as writer:
        writer.put_vectors(SPACE, vectors(two=[0, 1]))
        writer.upsert(file_row("b.md"), cut("two"))

    assert _hashes(store, query, 5) == [digest("two"), digest("one")]


def test_a_bad_extension_path_is_told_and_does_not_matter(desk: Desk, tmp_path: Path) -> None:
    library = tmp_path / "vec0.so"
    library.write_bytes(b"not a library")
    store = desk.open(extension_path=str(library))
    publish(store, {"a.md": ["one"]}, vectors(one=[1, 0]))

    state = store.vector_state(SPACE)

    assert (state.enabled, state.available, state.via) == (True, False, "in-process")
    assert state.load_error is not None
    assert str(library) in state.load_error
    assert state.extension_path == str(library)
    assert _hashes(store, np.asarray([1, 0], np.float32), 1) == [digest("one")]


def test_a_switched_off_extension_is_told(desk: Desk) -> None:
    store = desk.open(vector_enabled=False)
    state = store.vector_state(None)
    assert (state.enabled, state.available, state.via) == (False, False, "none")
    assert "store.vector.enabled" in str(state.load_error)


def test_writing_without_extension_and_reading_with_it(desk: Desk) -> None:
    """The vec0 table must not answer once it has missed a change."""
    publish(desk.open(), {"a.md": ["one"]}, vectors(one=[1, 0]))
    desk.close()
    without = desk.open(vector_enabled=False)
    with without.write() as writer:
        writer.put_vectors(SPACE, vectors(two=[0, 1]))
        writer.upsert(file_row("b.md"), cut("two"))
        writer.delete(["a.md"])
    without.close()

    store = desk.open()
    query = np.asarray([0, 1], np.float32)
    assert _hashes(store, query, 5) == [digest("two")]
    assert store.vector_state(SPACE).via == "in-process"

    with store.write() as writer:
        writer.upsert(file_row("c.md"), cut("two"))
    assert store.vector_state(SPACE).via == "sqlite-vec"
    assert _hashes(store, query, 5) == [digest("two"), digest("two")]
