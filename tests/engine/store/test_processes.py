"""Two processes, one index (case "two-processes")."""

from __future__ import annotations

import threading

import pytest

from engine.errors import StoreError
from engine.store.lock import lock_path
from engine.store.store import Store
from tests.engine.store.child import rebuild
from tests.engine.store.desk import (
    Desk,
    assert_sound,
    cut,
    file_row,
    identity,
    publish,
    texts_found,
)
from tests.engine.store.processes import PATIENCE_S, holding, let_go


def test_a_reader_never_waits_and_a_writer_waits_for_the_other(desk: Desk) -> None:
    store = desk.open()
    publish(store, {"a.md": ["apples"]})
    with holding("hold-write", desk.path) as other:
        assert texts_found(store, '"apples"') == ["apples"]
        desk.open().close()

        writing = threading.Thread(target=_write, args=(store,))
        writing.start()
        let_go(other)
        writing.join(PATIENCE_S)

    assert not writing.is_alive()
    assert {f.path for f in store.reader.files()} == {"a.md", "held.md", "mine.md"}
    assert store.reader.revision() == 3


def test_one_rebuilds_and_the_other_is_told_who(desk: Desk) -> None:
    store = desk.open()
    publish(store, {"a.md": ["apples"]})
    with holding("hold-build", desk.path) as other:
        with pytest.raises(StoreError) as caught:
            rebuild(store, "mine")
        assert f"Process {other.pid} is rebuilding" in caught.value.message

        second = desk.open()  # sweeps nothing of the live build
        assert texts_found(second, '"apples"') == ["apples"]
        with store.write() as writer:
            writer.upsert(file_row("b.md"), cut("pears"))
        let_go(other)

    rebuild(store, "mine")
    assert_sound(desk.path)


def test_a_killed_holder_frees_the_lock(desk: Desk) -> None:
    store = desk.open()
    publish(store, {"a.md": ["apples"]})
    with holding("hold-build", desk.path) as other:
        other.kill()
        other.wait(PATIENCE_S)

        rebuild(store, "mine")

    assert lock_path(desk.path).exists(), "nothing has to be removed by hand"
    assert_sound(desk.path)


def test_two_stores_of_one_process_exclude_each_other_too(desk: Desk) -> None:
    first, second = desk.open(), desk.open()
    with first.build(identity()), pytest.raises(StoreError, match="This process"):
        second.build(identity())
    rebuild(second, "mine")


def _write(store: Store) -> None:
    with store.write() as writer:
        writer.upsert(file_row("mine.md"), cut("mine"))
