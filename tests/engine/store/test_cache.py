"""How long vectors stay."""

from __future__ import annotations

import pytest

from tests.engine.store.desk import (
    OTHER_SPACE,
    SPACE,
    Desk,
    cut,
    digest,
    file_row,
    identity,
    publish,
    random_vectors,
)
from tests.engine.store.test_journal import report


def test_vectors_out_of_use_stay_without_a_limit(desk: Desk) -> None:
    store = desk.open()
    publish(store, {"a.md": ["one", "two"]}, random_vectors(["one", "two"]))
    publish(store, {"a.md": ["three"]}, random_vectors(["three"]))
    assert store.counts().cache_entries == 3


def test_beyond_the_limit_the_longest_out_of_use_go(desk: Desk) -> None:
    store = desk.open(cache_max=3)
    texts = ["one", "two", "three", "four", "five"]
    publish(store, {f"{text}.md": [text] for text in texts}, random_vectors(texts))
    assert store.counts().cache_entries == 5, "all in use"

    for gone in ("four", "one", "two"):
        desk.clock.epoch_ms += 1000
        with store.write() as writer:
            writer.delete([f"{gone}.md"])
    store.record_sync(report())

    left = store.known_vectors(SPACE, [digest(text) for text in texts])
    assert left == {digest("three"), digest("five"), digest("two")}


def test_a_rebuild_begins_the_disuse_of_what_it_leaves_out(desk: Desk) -> None:
    store = desk.open(cache_max=2)
    publish(store, {"a.md": ["one"]}, random_vectors(["one", "never used"]))
    desk.clock.epoch_ms += 1000

    publish(store, {"a.md": ["two"]}, random_vectors(["two"]))

    known = store.known_vectors(SPACE, map(digest, ["one", "two", "never used"]))
    assert known == {digest("two"), digest("one")}


def test_texts_that_are_gone_go_before_other_spaces(desk: Desk) -> None:
    store = desk.open(cache_max=3)
    publish(store, {"a.md": ["one"]}, random_vectors(["one"]))
    with store.write() as writer:
        writer.put_vectors(OTHER_SPACE, random_vectors(["one"]))
    desk.clock.epoch_ms += 1000
    with store.write() as writer:
        writer.put_vectors(SPACE, random_vectors(["gone 1", "gone 2"]))

    store.record_sync(report())

    assert store.known_vectors(OTHER_SPACE, [digest("one")]) == {digest("one")}
    assert store.counts().cache_entries == 3


def test_without_a_cache_texts_that_are_gone_are_forgotten_and_other_spaces_stay(
    desk: Desk,
) -> None:
    store = desk.open(cache_max=0)
    publish(store, {"a.md": ["one"], "b.md": ["two"]}, random_vectors(["one", "two"]))
    with store.write() as writer:
        writer.put_vectors(OTHER_SPACE, random_vectors(["one"]))
        writer.delete(["b.md"])

    store.record_sync(report())

    assert store.known_vectors(OTHER_SPACE, [digest("one")]) == {digest("one")}
    assert store.known_vectors(SPACE, map(digest, ["one", "two"])) == {digest("one")}


@pytest.mark.parametrize("limit", [0, 1])
def test_what_a_running_build_has_stored_is_left_to_it(desk: Desk, limit: int) -> None:
    store = desk.open(cache_max=limit)
    publish(store, {"a.md": ["one"]}, random_vectors(["one"]))
    with store.build(identity(chunking="other")) as build:
        with build.batch() as writer:
            writer.put_vectors(SPACE, random_vectors(["two"]))
        store.record_sync(report())
        with build.batch() as writer:
            writer.upsert(file_row("a.md"), cut("two"))
        build.publish()

    assert store.vector_state(SPACE).vectors == 1
    assert store.known_vectors(SPACE, [digest("one"), digest("two")]) == {digest("two")}
