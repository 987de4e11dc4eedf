"""The thread that warms: one at a time, again after a change meanwhile, none after closing."""

from __future__ import annotations

import threading

import pytest

from engine.embeddings.builtin.provider import BuiltinProvider
from engine.errors import CancelledError
from engine.index.warming import Warming
from tests.engine.index.desk import WAIT_S, Desk


class Counted:
    """Counts runs; each waits until it may go on."""

    def __init__(self) -> None:
        self.begun = threading.Semaphore(0)
        self.go_on = threading.Semaphore(0)
        self.runs = 0

    def __call__(self) -> None:
        self.runs += 1
        self.begun.release()
        assert self.go_on.acquire(timeout=WAIT_S)


def test_changes_during_a_run_make_one_more() -> None:
    counted = Counted()
    warming = Warming(counted)
    warming.changed()
    assert counted.begun.acquire(timeout=WAIT_S)
    for _ in range(5):
        warming.changed()
    counted.go_on.release()
    assert counted.begun.acquire(timeout=WAIT_S)
    counted.go_on.release()
    warming.close()
    assert counted.runs == 2
    warming.changed()
    warming.close()
    assert counted.runs == 2


def test_an_interrupted_run_is_no_failure() -> None:
    done = threading.Event()

    def interrupted() -> None:
        done.set()
        raise CancelledError("The search")

    warming = Warming(interrupted)
    warming.changed()
    assert done.wait(WAIT_S)
    warming.close()


def test_no_error_stops_later_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    ran, told = threading.Semaphore(0), threading.Event()
    monkeypatch.setattr(threading, "excepthook", lambda _: told.set())
    errors: list[Exception] = [MemoryError(), ValueError("a bug")]

    def fails() -> None:
        ran.release()
        if errors:
            raise errors.pop(0)

    warming = Warming(fails)
    for _ in range(3):
        warming.changed()
        assert ran.acquire(timeout=WAIT_S)
    assert told.wait(WAIT_S)
    warming.close()


def test_a_sync_of_a_memory_that_is_searched_often_leaves_it_warm(desk: Desk) -> None:
    desk.write("memory/a.md", "heron")
    provider = BuiltinProvider()
    indexer = desk.indexer(provider)
    indexer.run("demand")
    query = provider.embed_query("heron")
    assert query is not None
    space = provider.identity.key()
    for _ in range(3):
        desk.store.reader.nearest(space, query, 5)
    desk.write("memory/b.md", "plover")
    indexer.run("watch")
    thread = next((t for t in threading.enumerate() if t.name == "memlens-warm"), None)
    if thread is not None:
        thread.join(WAIT_S)
    indexer.close()
    assert desk.store.vector_state(space).via == "in-process"
    assert len(desk.store.reader.nearest(space, query, 5)) == 2
