"""Annotations of chunks: kept, read back, and brought to files of an older version."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.chunking.annotations import INVALID_PROJECT, NO_ANNOTATIONS, Annotations
from engine.store.annotated import COLUMNS
from engine.store.contract import NewChunk
from engine.store.schema import STEPS, migrate
from engine.store.store import Store
from tests.engine.store.desk import (
    SPACE,
    Desk,
    assert_sound,
    cut,
    digest,
    file_row,
    identity,
    look_inside,
    publish,
    texts_found,
    vectors,
)

BEFORE = 2
"""The version of a file whose chunks carry no annotations yet."""

SAID = (
    Annotations(importance=9),
    Annotations(triggers=("budget", "crane cost")),
    Annotations(projects=("acme/crane", "acme/other")),
    Annotations(1, ("one",), (INVALID_PROJECT,)),
    NO_ANNOTATIONS,
)


def _annotated(*said: Annotations) -> list[NewChunk]:
    return [
        replace(chunk, annotations=one)
        for chunk, one in zip(cut(*(f"note {n}" for n in range(len(said)))), said, strict=True)
    ]


def _said(store: Store, path: str = "MEMORY.md") -> list[Annotations]:
    return [row.annotations for row in store.reader.chunks(path)]


def test_annotations_come_back_as_they_were_stored(desk: Desk) -> None:
    store = desk.open()
    with store.build(identity()) as build:
        with build.batch() as writer:
            writer.upsert(file_row("MEMORY.md"), _annotated(*SAID))
        build.publish()

    assert _said(store) == list(SAID)
    rowids = [row.rowid for row in store.reader.chunks()]
    assert [row.annotations for row in store.reader.rows(rowids).values()] == list(SAID)


def test_a_changed_file_has_its_new_annotations(desk: Desk) -> None:
    store = desk.open()
    publish(store, {"MEMORY.md": ["old"]})
    assert _said(store) == [NO_ANNOTATIONS]

    with store.write() as writer:
        writer.upsert(file_row("MEMORY.md"), _annotated(SAID[0]))

    assert _said(store) == [SAID[0]]
    assert_sound(desk.path)


@pytest.mark.parametrize("vec0", [True, False])
def test_an_index_of_an_older_version_gets_the_columns(desk: Desk, vec0: bool) -> None:
    embedded = vectors(apples=[1, 0], pears=[0, 1])
    publish(desk.open(), {"MEMORY.md": ["apples"], "b.md": ["pears"]}, embedded)
    desk.close()
    connection = look_inside(desk.path)
    for column in COLUMNS:
        connection.execute(f"alter table chunks_g1 drop column {column.split()[0]}")
    connection.pragma("user_version", BEFORE)
    connection.close()

    store = desk.open(vector_enabled=vec0)
    assert _said(store) == [NO_ANNOTATIONS]
    with store.write() as writer:
        writer.upsert(file_row("MEMORY.md"), _annotated(*SAID))

    assert _said(store) == list(SAID)
    assert texts_found(store, "pears") == ["pears"]
    (near,) = store.reader.nearest(SPACE, embedded[digest("pears")], 5)
    assert store.reader.rows([near.rowid])[near.rowid].text == "pears"
    assert_sound(desk.path)


def test_the_step_leaves_a_file_without_generations_alone(desk: Desk) -> None:
    desk.path.parent.mkdir()
    desk.path.touch()
    connection = look_inside(desk.path)
    migrate(connection, desk.path, lambda _: None, STEPS[:BEFORE])
    before = connection.execute("select name from sqlite_schema").fetchall()

    migrate(connection, desk.path, lambda _: None, STEPS[: BEFORE + 1])

    assert connection.execute("select name from sqlite_schema").fetchall() == before
    connection.close()
