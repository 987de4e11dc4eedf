"""The full check: sound indexes pass, and each kind of damage is counted."""

from __future__ import annotations

import apsw
import numpy as np
import pytest
import sqlite_vec

from engine.store.generation import published
from engine.store.vectors import encode
from tests.engine.store.desk import (
    SPACE,
    Desk,
    cut,
    digest,
    file_row,
    publish,
    random_vectors,
    texts_found,
    vectors,
)

TEXTS = ["alder", "birch", "cedar", "dogwood"]


def tamper(desk: Desk, sql: str, *bound: object) -> None:
    """Change the file behind the store's back; ``{g}`` is the published generation."""
    connection = apsw.Connection(str(desk.path))
    connection.enable_load_extension(True)
    connection.load_extension(sqlite_vec.loadable_path())
    generation = published(connection)
    assert generation is not None
    connection.execute(sql.format(g=generation.number, vec=generation.vec_table), bound)
    connection.close()


def filled(desk: Desk) -> None:
    """Four notes with vectors."""
    notes = {f"{text}.md": [text] for text in TEXTS}
    publish(desk.open(), notes, random_vectors(TEXTS, 3))


def test_a_sound_index(desk: Desk) -> None:
    store = desk.open()
    assert store.check().sound
    filled(desk)
    with store.write() as writer:
        writer.delete(["birch.md"])
        writer.upsert(file_row("elm.md"), cut("elm without a vector"))
    health = store.check()
    assert health.sound
    assert (health.chunks, health.embedded, health.vector_rows) == (4, 3, 3)
    assert set(health.keyword_rows.values()) == {4}


def test_unusable_vectors_take_no_place_are_counted_and_can_be_made_anew(desk: Desk) -> None:
    """Row 1 is zero, row 3 holds a NaN, as sqlite-vec would put before all others."""
    store = desk.open()
    made = vectors(alder=[1, 0, 0], birch=[1, 1, 0], cedar=[0.9, 0.1, 0], dogwood=[1, 0, 1])
    publish(store, {f"{text}.md": [text] for text in TEXTS}, made)
    for text, bad in (("birch", [0.0, 0.0, 0.0]), ("dogwood", [np.nan, 0.0, 0.0])):
        blob = encode(np.array(bad, np.float32))
        tamper(desk, "update vectors set vector = ? where hash = ?", blob, digest(text))
        tamper(
            desk,
            "update {vec} set embedding = ? "
            "where rowid = (select id from chunks_g{g} where hash = ?)",
            blob,
            digest(text),
        )

    hits = store.reader.nearest(SPACE, np.array([1, 0, 0], np.float32), 2)
    rows = store.reader.rows([hit.rowid for hit in hits])
    assert [rows[hit.rowid].text for hit in hits] == ["alder", "cedar"]
    health = store.check()
    assert not health.sound
    assert [(bad.path, bad.why) for bad in health.unusable] == [
        ("birch.md", "only zeros"),
        ("dogwood.md", "a value that is not a finite number"),
    ]

    assert store.mend() == ["2 unusable vectors were removed; the next sync makes them anew."]
    assert {row.path for row in store.reader.unembedded(SPACE)} == {"birch.md", "dogwood.md"}
    assert store.check().sound
    with store.write() as writer:
        writer.put_vectors(SPACE, vectors(birch=[1, 1, 0], dogwood=[1, 0, 1]))
    health = store.check()
    assert health.sound
    assert (health.embedded, health.vector_rows) == (4, 4)
    assert store.mend() == []


def test_a_vector_of_another_length_is_named(desk: Desk) -> None:
    filled(desk)
    store = desk.open()
    tamper(desk, "update vectors set vector = ? where hash = ?", b"\0" * 20, digest("cedar"))
    (bad,) = store.check().unusable
    assert (bad.path, bad.why) == ("cedar.md", "5 numbers where 3 are expected")
    for _ in range(4):  # by sqlite-vec first, then from memory
        hits = store.reader.nearest(SPACE, random_vectors(["query"], 3)[digest("query")], 9)
        found = {row.text for row in store.reader.rows([hit.rowid for hit in hits]).values()}
        assert found == {"alder", "birch", "dogwood"}


@pytest.mark.parametrize("table", ["documented", "tuned"])
def test_a_keyword_table_that_has_lost_a_row(desk: Desk, table: str) -> None:
    filled(desk)
    store = desk.open()
    tamper(desk, f"delete from {table}_g{{g}}_docsize where id = 2")
    health = store.check()
    assert not health.sound
    assert health.damage is None
    assert health.keyword_faults == (f"{table}_g1",)
    assert health.keyword_rows[f"{table}_g1"] == 3
    assert store.mend() == ["The keyword tables were made anew from the stored text."]
    assert store.check().sound
    assert texts_found(store, '"birch"', table) == ["birch"]


def test_text_changed_beneath_the_keyword_tables(desk: Desk) -> None:
    filled(desk)
    store = desk.open()
    tamper(desk, "update chunks_g{g} set body = 'yew' where id = 2")
    assert set(store.check().keyword_faults) == {"documented_g1", "tuned_g1"}


def test_a_lost_vector_row_orphans_and_an_unfinished_rebuild(desk: Desk) -> None:
    filled(desk)
    store = desk.open()
    tamper(desk, "delete from {vec} where rowid = 2")
    tamper(desk, "delete from files_g{g} where path = 'cedar.md'")
    tamper(desk, "create table chunks_g77(x)")
    health = store.check()
    assert not health.sound
    assert (health.embedded, health.vector_rows) == (4, 3)
    assert (health.orphans, health.unfinished) == (1, 1)
    desk.close()

    store = desk.open()  # sweeps the unfinished rebuild
    assert len(store.mend()) == 2
    health = store.check()
    assert health.sound
    assert (health.chunks, health.embedded, health.vector_rows) == (3, 3, 3)
