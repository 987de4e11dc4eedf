"""Building beside, publishing, adopting, sweeping."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from engine.errors import CancelledError, EngineError, StoreError
from engine.store.schema import STEPS
from engine.store.snapshot import Snapshot
from tests.engine.store.child import rebuild, sync
from tests.engine.store.desk import (
    OTHER_SPACE,
    SPACE,
    Desk,
    assert_sound,
    cut,
    digest,
    file_row,
    identity,
    look_inside,
    publish,
    random_vectors,
    texts_found,
    vectors,
)


def test_the_old_generation_answers_until_publish(desk: Desk) -> None:
    store = desk.open()
    publish(store, {"a.md": ["old"]})

    with store.build(identity(chunking="other")) as build:
        with build.batch() as writer:
            writer.upsert(file_row("a.md"), cut("new"))
        assert texts_found(store, '"old"') == ["old"]
        assert texts_found(store, '"new"') == []
        assert store.identity() == identity()
        assert build.publish() == 2

    assert texts_found(store, '"new"') == ["new"]
    assert texts_found(store, '"old"') == []
    assert store.identity() == identity(chunking="other")
    assert_sound(desk.path)


def test_a_snapshot_reads_its_generation_to_the_end(desk: Desk) -> None:
    store = desk.open()
    publish(store, {"a.md": ["old one", "old two"]}, random_vectors(["old one", "old two"]))
    query = random_vectors(["q"])[digest("q")]

    with store.reader.snapshot() as now:
        before = (now.revision(), now.chunks(), now.nearest(SPACE, query, 9))
        publish(store, {"a.md": ["new"]}, random_vectors(["new"]))
        with store.write() as writer:
            writer.delete(["a.md"])
        assert (now.revision(), now.chunks(), now.nearest(SPACE, query, 9)) == before
        assert [hit.rowid for hit in now.keyword("tuned", '"old"', 9)] == [1, 2]
        with now.snapshot() as same:
            assert same.revision() == now.revision()

    assert store.reader.revision() == 3
    assert store.reader.chunks() == []


def test_writes_meanwhile_go_to_the_published_generation(desk: Desk) -> None:
    store = desk.open()
    publish(store, {"a.md": ["old"]})
    with store.build(identity()) as build:
        with store.write() as writer:
            writer.upsert(file_row("b.md"), cut("meanwhile"))
        assert texts_found(store, '"meanwhile"') == ["meanwhile"]
        build.publish()
    assert store.reader.files() == []


def test_readers_during_rebuilds_see_one_generation_each(desk: Desk) -> None:
    store = desk.open()
    rebuild(store, "label0")
    query = random_vectors(["query"])[digest("query")]
    over, problems = threading.Event(), list[str]()
    seen = set[str]()

    def read() -> None:
        while not over.is_set():
            with store.reader.snapshot() as now:
                labels = {chunk.rowid: chunk.text.split()[0] for chunk in now.chunks()}
                hits = [hit.rowid for hit in now.keyword("tuned", '"chunk"', 999)]
                near = [hit.rowid for hit in now.nearest(SPACE, query, 999)]
            if len(set(labels.values())) != 1 or not set(hits) == set(near) == set(labels):
                problems.append(f"{set(labels.values())} {len(hits)} {len(near)} {len(labels)}")
            seen.update(labels.values())

    threads = [threading.Thread(target=read) for _ in range(3)]
    for thread in threads:
        thread.start()
    for turn in range(1, 6):
        rebuild(store, f"label{turn}")
        sync(store, f"label{turn}")
    over.set()
    for thread in threads:
        thread.join(60)

    assert problems == []
    assert seen
    assert_sound(desk.path)


def test_an_abandoned_build_leaves_nothing(desk: Desk) -> None:
    store = desk.open()
    publish(store, {"a.md": ["old"]})

    with store.build(identity()) as build, build.batch() as writer:
        writer.upsert(file_row("a.md"), cut("new"))
    build.abandon()

    assert texts_found(store, '"old"') == ["old"]
    assert store.reader.revision() == 1
    assert_sound(desk.path)
    with pytest.raises(StoreError, match="published or abandoned"):
        build.publish()


def test_the_stages_are_told_in_order(desk: Desk) -> None:
    store = desk.open()
    publish(store, {"a.md": ["old"]})
    assert desk.stages == [
        *["migration-step"] * len(STEPS),
        "draft-made",
        "build-begun",
        "batch-begun",
        "batch-written",
        "batch-committed",
        "publish-before",
        "publish-after",
        "drop-before",
        "old-generation-dropped",
    ]


def test_space_is_given_back_after_a_rebuild(desk: Desk) -> None:
    texts = [f"{n} " + "words and more words " * 60 for n in range(400)]
    store = desk.open()
    publish(store, {"a.md": texts}, random_vectors(texts, 64))
    full = store.counts().file_bytes

    publish(store, {"a.md": texts[:10]}, random_vectors(texts[:10], 64))
    assert store.counts().file_bytes < full / 2
    connection = look_inside(desk.path)
    assert connection.pragma("freelist_count") == 0
    connection.close()


def test_a_space_is_adopted_without_embedding_and_back(desk: Desk) -> None:
    store = desk.open()
    publish(store, {"a.md": ["one", "two"]}, vectors(one=[1, 0, 0], two=[0, 1, 0]))
    with store.write() as writer:
        writer.put_vectors(OTHER_SPACE, vectors(one=[1, 0]))

    store.adopt(identity(OTHER_SPACE))
    assert store.identity() == identity(OTHER_SPACE)
    assert store.vector_state(None).via == "sqlite-vec"
    assert [row.hash for row in store.reader.unembedded(OTHER_SPACE)] == [digest("two")]
    with store.write() as writer:
        writer.put_vectors(OTHER_SPACE, vectors(two=[0, 1]))
    hits = store.reader.nearest(OTHER_SPACE, np.asarray([0, 1], np.float32), 5)
    assert [hit.rowid for hit in hits] == [2, 1]

    store.adopt(identity())
    assert store.vector_state(None).via == "sqlite-vec"
    assert [h.rowid for h in store.reader.nearest(SPACE, np.asarray([0, 1, 0], np.float32), 1)] == [
        2
    ]
    assert_sound(desk.path)


def test_a_tokenizer_is_adopted_without_cutting_or_embedding(desk: Desk) -> None:
    store = desk.open()
    publish(store, {"a.md": ["the router"]}, vectors(**{"the router": [1, 0]}))
    assert texts_found(store, '"oute"', "documented") == []

    store.adopt(identity(tokenizer="trigram"))

    assert texts_found(store, '"oute"', "documented") == ["the router"]
    assert store.known_vectors(SPACE, [digest("the router")]) == {digest("the router")}
    assert_sound(desk.path)


def test_other_chunks_cannot_be_adopted(desk: Desk) -> None:
    store = desk.open()
    with pytest.raises(StoreError, match="no index"):
        store.adopt(identity())
    publish(store, {"a.md": ["one"]})
    with pytest.raises(StoreError, match="400/80"):
        store.adopt(identity(chunking="800/0"))


def test_a_rebuild_takes_known_vectors_and_embeds_nothing(desk: Desk) -> None:
    store = desk.open()
    publish(store, {"a.md": ["one"]}, vectors(one=[1, 0]))

    publish(store, {"a.md": ["one"]}, {})

    assert store.vector_state(SPACE).via == "sqlite-vec"
    assert len(store.reader.nearest(SPACE, np.asarray([1, 0], np.float32), 5)) == 1


def test_a_generation_dropped_without_the_extension_is_swept_with_it(desk: Desk) -> None:
    publish(desk.open(), {"a.md": ["one"]}, vectors(one=[1, 0]))
    desk.close()
    without = desk.open(vector_enabled=False)
    publish(without, {"a.md": ["two"]}, vectors(two=[0, 1]))
    assert texts_found(without, '"two"') == ["two"]
    without.close()
    assert _tables_of_generation(desk, 1)

    desk.open()

    assert _tables_of_generation(desk, 1) == []
    assert_sound(desk.path)


def test_what_a_snapshot_asks_can_be_stopped_from_elsewhere(desk: Desk) -> None:
    texts = [f"{n} " + " ".join(f"w{n * k % 997}" for k in range(200)) for n in range(2000)]
    store = desk.open()
    publish(store, {"a.md": texts})
    match = " OR ".join(f'"w{n}"' for n in range(997))
    running, snapshots, outcome = threading.Event(), list[Snapshot](), list[type[EngineError]]()

    def search() -> None:
        try:
            with store.reader.snapshot() as now:
                snapshots.append(now)
                running.set()
                while True:
                    now.keyword("tuned", match, 10)
        except CancelledError as error:
            outcome.append(type(error))

    thread = threading.Thread(target=search)
    thread.start()
    assert running.wait(30)
    while thread.is_alive():
        snapshots[0].interrupt()
        thread.join(0.01)

    assert outcome == [CancelledError]
    snapshots[0].interrupt()
    assert len(store.reader.keyword("tuned", '"w1"', 5)) == 5


def _tables_of_generation(desk: Desk, number: int) -> list[str]:
    connection = look_inside(desk.path)
    try:
        names = connection.execute("select name from sqlite_schema").fetchall()
        return [str(name) for (name,) in names if f"_g{number}" in str(name)]
    finally:
        connection.close()
