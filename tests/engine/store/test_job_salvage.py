"""Batch jobs of a damaged index are still looked after."""

from __future__ import annotations

from tests.engine.store.desk import SPACE, Desk, publish
from tests.engine.store.test_salvage import spoil


def test_jobs_and_their_texts_are_carried_over(desk: Desk) -> None:
    store = desk.open()
    publish(store, {"a.md": ["apples"]})
    row = store.jobs.reserve(SPACE, "openai", ["a", "b"], 7, 1000.0)
    assert row is not None
    store.jobs.uploaded(row.number, "file-1")
    created = store.jobs.created(row.number, "batch_1")
    desk.close()
    spoil(desk, "pointer", 1.0)
    store = desk.open()
    assert store.jobs.jobs(SPACE) == (created,)
    assert store.jobs.out(SPACE) == {"a", "b"}
    assert "1 batch jobs of the damaged index are still looked after." in desk.notices


def test_a_table_that_is_gone_costs_only_itself(desk: Desk) -> None:
    store = desk.open()
    publish(store, {"a.md": ["apples"]})
    store.jobs.reserve(SPACE, "openai", [f"hash {n}" for n in range(2000)], 7, 1000.0)
    desk.close()
    spoil(desk, "pointer", 1.0)
    spoil(desk, "batch_texts", 1.0)
    store = desk.open()
    assert (store.jobs.jobs(SPACE), store.jobs.out(SPACE)) == ((), set())
    publish(store, {"a.md": ["apples"]})
    assert store.check().sound
