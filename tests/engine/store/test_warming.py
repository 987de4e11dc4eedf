"""What frequent searches keep in memory follows the index, for those who search often."""

from __future__ import annotations

import numpy as np

from engine.store.store import Store
from tests.engine.store.desk import SPACE, Desk, cut, digest, file_row, publish, random_vectors

TEXTS = [f"text {n}" for n in range(30)]
QUERY = np.ones(16, np.float32)


def in_memory(store: Store) -> bool:
    """Whether the next query is answered from a matrix."""
    return store.vector_state(SPACE).via == "in-process"


def filled(desk: Desk) -> Store:
    """An index with vectors."""
    store = desk.open()
    publish(store, {f"{n}.md": [text] for n, text in enumerate(TEXTS)}, random_vectors(TEXTS))
    return store


def search_often(store: Store) -> list[int]:
    """Ask until the answers come from memory; the best rows."""
    for _ in range(3):
        hits = store.reader.nearest(SPACE, QUERY, 5)
    return [hit.rowid for hit in hits]


def add(store: Store, text: str) -> None:
    """One more note with its vector."""
    with store.write() as writer:
        writer.put_vectors(SPACE, {digest(text): QUERY})
        writer.upsert(file_row(f"{text}.md"), cut(text))


def test_nobody_pays_who_has_not_searched_often(desk: Desk) -> None:
    store = filled(desk)
    store.reader.warm()
    assert not in_memory(store)
    store.reader.nearest(SPACE, QUERY, 5)
    store.reader.warm()
    assert not in_memory(store)


def test_after_a_change_the_new_state_is_in_memory_before_anybody_asks(desk: Desk) -> None:
    store = filled(desk)
    before = search_often(store)
    assert in_memory(store)
    add(store, "nearest of all")
    assert not in_memory(store)
    store.reader.warm()
    assert in_memory(store)
    after = [hit.rowid for hit in store.reader.nearest(SPACE, QUERY, 5)]
    assert after == [len(TEXTS) + 1, *before[:4]]


def test_who_searched_often_is_answered_from_memory_at_once_also_in_a_new_generation(
    desk: Desk,
) -> None:
    store = filled(desk)
    search_often(store)
    publish(store, {"new.md": TEXTS[:3]})
    assert len(store.reader.nearest(SPACE, QUERY, 5)) == 3
    assert in_memory(store)


def test_an_index_without_a_generation_has_nothing_to_warm(desk: Desk) -> None:
    desk.open().reader.warm()
