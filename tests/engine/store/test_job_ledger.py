"""What the index file remembers of batch jobs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import apsw
import pytest

from engine.errors import StoreError
from engine.store.connections import FileAccess
from engine.store.extension import probe
from engine.store.schema import STEPS, migrate
from engine.store.store import Store
from tests.engine.store.desk import Desk, identity, look_inside, publish

SPACE, OTHER = "space-a", "space-b"


@pytest.fixture
def store(desk: Desk) -> Store:
    return desk.open()


def reserve(store: Store, *hashes: str, space: str = SPACE) -> int:
    row = store.jobs.reserve(space, "openai", hashes, 7, 1000.0)
    assert row is not None
    return row.number


def test_a_job_goes_from_step_to_step_and_survives_the_process(desk: Desk, store: Store) -> None:
    number = reserve(store, "a", "b", "a")
    (row,) = store.jobs.jobs(SPACE)
    assert (row.phase, row.file, row.job, row.total, row.tokens) == ("preparing", "", "", 2, 7)
    assert row.label.startswith("memlens-")
    store.jobs.uploaded(number, "file-1")
    created = store.jobs.created(number, "batch_1")
    assert created is not None
    assert (created.file, created.job, created.phase) == ("file-1", "batch_1", "queued")
    desk.close()
    again = desk.open()
    assert again.jobs.jobs(SPACE) == (created,)
    assert again.jobs.texts(number) == {"a", "b"}
    seen = again.jobs.looked(number, "in_progress", 1, 0, 2000.0)
    assert seen == replace(created, phase="in_progress", done=1, looked_ms=2000.0)
    again.jobs.settle(number)
    assert (again.jobs.jobs(SPACE), again.jobs.out(SPACE)) == ((), set())
    assert again.jobs.looked(number, "in_progress", 1, 0, 2000.0) is None
    assert again.jobs.created(number, "batch_1") is None


def test_no_text_is_in_two_jobs_of_a_space(store: Store) -> None:
    reserve(store, "a", "b")
    second = reserve(store, "b", "c")
    assert store.jobs.texts(second) == {"c"}
    assert store.jobs.reserve(SPACE, "openai", ["a", "c"], 0, 1000.0) is None
    other = reserve(store, "a", space=OTHER)
    assert store.jobs.texts(other) == {"a"}
    assert (store.jobs.out(SPACE), store.jobs.out(OTHER)) == ({"a", "b", "c"}, {"a"})


def test_labels_are_never_used_again(store: Store) -> None:
    labels = set()
    for _ in range(5):
        number = reserve(store, "a")
        labels |= {row.label for row in store.jobs.jobs(SPACE)}
        store.jobs.settle(number)
    assert len(labels) == 5


def test_only_one_begins_jobs_at_a_time(desk: Desk, store: Store) -> None:
    with store.jobs.submitting() as mine:
        assert mine
        with Store.open(
            desk.path, events=lambda _: None, clock=desk.clock
        ).jobs.submitting() as too:
            assert not too
    with store.jobs.submitting() as mine:
        assert mine


def test_an_agreement_is_remembered_and_taken_back(desk: Desk, store: Store) -> None:
    wanted = identity()
    assert store.jobs.agreed() is None
    store.jobs.agree(wanted)
    store.jobs.agree(wanted)
    desk.close()
    store = desk.open()
    assert store.jobs.agreed() == wanted
    store.jobs.agree(None)
    assert store.jobs.agreed() is None


def test_a_file_of_an_earlier_version_that_is_only_read_has_no_jobs(desk: Desk) -> None:
    publish(desk.open(), {"a.md": ["apples"]})
    desk.close()
    _drop_the_step(desk.path)
    access = FileAccess(desk.path, writable=False, inode=desk.path.stat().st_ino)
    extension = probe(False, None)
    store = Store(
        access,
        access.connect(extension, writing=False),
        extension,
        tokenizer="unicode61",
        vector_enabled=False,
        cache_max=None,
        events=lambda _: None,
        clock=desk.clock,
    )
    assert not store.jobs.writable
    assert (store.jobs.jobs(SPACE), store.jobs.out(SPACE)) == ((), set())
    assert store.jobs.agreed() is None
    store.jobs.agree(None)
    with pytest.raises(StoreError):
        store.jobs.reserve(SPACE, "openai", ["a"], 0, 0.0)
    store.close()


def test_an_earlier_version_gets_the_tables(desk: Desk) -> None:
    publish(desk.open(), {"a.md": ["apples"]})
    desk.close()
    _drop_the_step(desk.path)
    store = desk.open()
    assert store.jobs.texts(reserve(store, "a")) == {"a"}


def _drop_the_step(path: Path) -> None:
    connection = look_inside(path)
    before = len(STEPS) - 1
    connection.execute("drop table batch_jobs; drop table batch_texts")
    connection.pragma("user_version", before)
    with pytest.raises(apsw.SQLError):
        connection.execute("select * from batch_jobs")
    migrate(connection, path, lambda _: None, STEPS[:before])
    connection.close()
