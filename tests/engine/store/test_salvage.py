"""What a damaged index still holds of its vectors is not paid for again."""

from __future__ import annotations

import os

import apsw
import numpy as np
import pytest

from engine.store.asking import rows
from engine.store.store import Store
from tests.engine.store.desk import SPACE, Desk, digest, publish, random_vectors

TEXTS = [f"text {n} " + "of some length " * 20 for n in range(600)]
SIZE = 64


def unit_vectors() -> dict[str, np.ndarray[tuple[int, ...], np.dtype[np.float32]]]:
    """A vector of unit length for each text."""
    made = random_vectors(TEXTS, SIZE)
    return {key: (v / np.linalg.norm(v)).astype(np.float32) for key, v in made.items()}


@pytest.fixture
def filled(desk: Desk) -> Desk:
    """An index with 600 vectors, closed."""
    store = desk.open()
    publish(store, {f"{n}.md": [text] for n, text in enumerate(TEXTS)}, unit_vectors())
    store.add_tokens(SPACE, 4711)
    desk.close()
    return desk


def known(store: Store) -> set[str]:
    """Which of the texts have a vector."""
    return store.known_vectors(SPACE, map(digest, TEXTS))


def spoil(desk: Desk, table: str, share: float) -> None:
    """Overwrite a share of the leaf pages of a table with rubbish."""
    connection = apsw.Connection(str(desk.path))
    size = int(connection.pragma("page_size"))
    sql = "select pageno from dbstat where name = ? and pagetype = 'leaf' order by pageno"
    pages = [page for (page,) in rows(connection, sql, (table,))]
    connection.close()
    handle = os.open(desk.path, os.O_WRONLY)
    for page in pages[: max(1, int(len(pages) * share))]:
        os.pwrite(handle, b"\x5a" * size, (page - 1) * size)
    os.close(handle)


def test_an_index_whose_own_tables_are_gone_keeps_its_vectors(filled: Desk) -> None:
    spoil(filled, "pointer", 1.0)
    store = filled.open()
    assert store.identity() is None
    assert len(known(store)) == 600
    assert store.counts().tokens[SPACE] == 4711
    assert filled.notices[1] == "600 vectors of the damaged index could be carried over."
    held = store.vectors_for(SPACE, [digest(TEXTS[5])])
    assert held[digest(TEXTS[5])].tolist() == unit_vectors()[digest(TEXTS[5])].tolist()


def test_a_part_of_the_vectors_is_carried_over_and_only_sound_ones(filled: Desk) -> None:
    spoil(filled, "pointer", 1.0)
    spoil(filled, "vectors", 0.3)
    store = filled.open()
    carried = known(store)
    assert 0 < len(carried) < 600
    wanted = unit_vectors()
    for key, vector in store.vectors_for(SPACE, carried).items():
        assert vector.tolist() == wanted[key].tolist()
    assert store.check().sound


def test_a_vector_that_is_no_longer_of_unit_length_is_left_behind(filled: Desk) -> None:
    connection = apsw.Connection(str(filled.path))
    blob = (np.ones(SIZE, np.float32) * 3).tobytes()
    connection.execute("update vectors set vector = ? where hash = ?", (blob, digest(TEXTS[7])))
    connection.close()
    spoil(filled, "pointer", 1.0)
    store = filled.open()
    assert len(known(store)) == 599


def test_a_file_cut_in_half_gives_what_it_can(filled: Desk) -> None:
    whole = filled.path.read_bytes()
    filled.path.write_bytes(whole[: len(whole) // 2])
    store = filled.open()
    assert store.identity() is None
    assert store.check().sound
    publish(store, {"a.md": [TEXTS[0]]})
    assert store.check().sound
