"""What frequent searches keep in memory follows the index, for those who search often."""

from __future__ import annotations

import threading

import numpy as np

from engine.store.generation import load_generation
from engine.store.store import Store
from tests.engine.store.desk import SPACE, Desk, cut, digest, file_row, publish, random_vectors

WAIT_S = 60.0
TEXTS = [f"text {n}" for n in range(30)]
QUERY = np.ones(16, np.float32)


class Door:
    """Stops the query of another thread until it is opened."""

    def __init__(self) -> None:
        self.reached = threading.Event()
        self.open = threading.Event()

    def __call__(self) -> bool:
        if threading.current_thread() is not threading.main_thread():
            self.reached.set()
            assert self.open.wait(WAIT_S)
        return False


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


def test_a_new_generation_is_followed_too(desk: Desk) -> None:
    store = filled(desk)
    search_often(store)
    publish(store, {"new.md": TEXTS[:3]})
    store.reader.warm()
    assert in_memory(store)
    assert len(store.reader.nearest(SPACE, QUERY, 5)) == 3


def test_what_nobody_searched_since_is_not_read_at_every_change(desk: Desk) -> None:
    store = filled(desk)
    search_often(store)
    for text, follows in (("first", True), ("second", False)):
        add(store, text)
        store.reader.warm()
        assert in_memory(store) is follows
    assert len(search_often(store)) == 5
    assert in_memory(store)


def test_a_search_while_the_matrix_is_read_does_not_wait_for_it(desk: Desk) -> None:
    """Held at the door of the very file: the reading stands while the search answers."""
    store = filled(desk)
    search_often(store)
    add(store, "nearest of all")
    door = Door()
    cache = store.reader.matrices.cache()
    with store.reader.connection("searching") as connection:
        connection.set_progress_handler(door, 1)
        generation = store.reader.generation()
        key = (generation, store.reader.revision(), SPACE)
        thread = threading.Thread(
            target=cache.load, args=(connection, load_generation(connection, generation), key)
        )
        thread.start()
        assert door.reached.wait(WAIT_S)
        for _ in range(5):
            assert [hit.rowid for hit in store.reader.nearest(SPACE, QUERY, 1)] == [len(TEXTS) + 1]
            assert not in_memory(store)
        door.open.set()
        thread.join(WAIT_S)
        connection.set_progress_handler(None)
    assert in_memory(store)


def test_an_index_without_a_generation_has_nothing_to_warm(desk: Desk) -> None:
    desk.open().reader.warm()
