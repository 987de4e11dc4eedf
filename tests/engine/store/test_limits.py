"""No room, no permission."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.errors import StoreError
from tests.engine.store.desk import (
    Desk,
    assert_sound,
    cut,
    file_row,
    identity,
    publish,
    random_vectors,
    texts_found,
)
from tests.engine.store.processes import ROOT


def _many(count: int = 400) -> list[str]:
    return [f"{n} " + " ".join(f"word{n * k % 4001}" for k in range(150)) for n in range(count)]


def test_a_full_disk_stops_a_rebuild_with_its_true_cause(desk: Desk) -> None:
    publish(desk.open(), {"a.md": ["apples"]})
    desk.close()
    store = desk.open(max_bytes=600_000)

    with pytest.raises(StoreError) as caught, store.build(identity()) as build:
        for text in _many():
            with build.batch() as writer:
                writer.upsert(file_row(f"{text[:4]}.md"), cut(text))
        build.publish()

    assert caught.value.title == "Disk full"
    assert "no room" in caught.value.message
    assert texts_found(store, '"apples"') == ["apples"]
    store.close()
    store = desk.open()
    assert_sound(desk.path)
    publish(store, {"a.md": _many()})
    assert_sound(desk.path)


def test_a_full_disk_stops_a_sync_and_undoes_it(desk: Desk) -> None:
    publish(desk.open(), {"a.md": ["apples"]})
    desk.close()
    store = desk.open(max_bytes=500_000)
    texts = _many()

    with pytest.raises(StoreError, match="no room"), store.write() as writer:
        writer.put_vectors("space-a", random_vectors(texts, 64))
        writer.upsert(file_row("big.md"), cut(*texts))

    assert [file.path for file in store.reader.files()] == ["a.md"]
    with store.write() as writer:
        writer.upsert(file_row("small.md"), cut("pears"))
    assert texts_found(store, '"pears"') == ["pears"]
    assert_sound(desk.path)


_AS_NOBODY = """
import os, sys
from pathlib import Path
from engine.clock import SystemClock
from engine.errors import StoreError
from engine.events import SyncReport
from engine.store.store import Store
path = Path(sys.argv[1])
import apsw, numpy  # loaded before the rights go
if os.geteuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
try:
    store = Store.open(path, events=print, clock=SystemClock())
except StoreError as error:
    print("REFUSED", error.message, "|", error.hint)
else:
    print("MODE", store.mode)
    print("FOUND", [hit.rowid for hit in store.reader.keyword("tuned", '"apples"', 5)])
    try:
        with store.write() as writer:
            writer.delete(["a.md"])
    except StoreError as error:
        print("WRITE", error.message)
    try:
        store.build(store.identity())
    except StoreError as error:
        print("BUILD", error.title)
    store.record_sync(SyncReport("interval", False, 0, 0, 0, 0, 0, 0, 0, (), (), 1.0, 1.0))
    print("RECORDED", store.last_sync())
    store.close()
"""


def _as_nobody(path: Path) -> str:
    """Open the index in a process without the rights of root."""
    done = subprocess.run(
        [sys.executable, "-P", "-c", _AS_NOBODY, str(path)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def public_desk() -> Iterator[Desk]:
    """A desk in a folder that other users may pass; pytest closes its own again and again."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o711)
        desk = Desk(Path(folder, "agent", "main.sqlite"))
        yield desk
        desk.close()


@pytest.mark.parametrize("log", ["no log", "a log of a live writer"])
def test_an_index_that_may_not_be_written_is_opened_for_reading(
    public_desk: Desk, log: str
) -> None:
    desk = public_desk
    store = desk.open()
    publish(store, {"a.md": ["apples"]})
    if log == "no log":
        store.close()
    for part in desk.path.parent.iterdir():
        part.chmod(0o444)
    desk.path.parent.chmod(0o555)

    said = _as_nobody(desk.path)
    desk.path.parent.chmod(0o755)

    assert "MODE read-only" in said
    assert "FOUND [1]" in said
    assert "WRITE" in said
    assert "cannot be written" in said
    assert "BUILD Index is read-only" in said
    assert "RECORDED None" in said, "a sync that changes nothing is no failure"


def test_no_index_in_a_folder_that_may_not_be_written(public_desk: Desk) -> None:
    desk = public_desk
    desk.path.parent.mkdir()
    desk.path.parent.chmod(0o555)

    said = _as_nobody(desk.path)

    desk.path.parent.chmod(0o755)
    assert "REFUSED There is no index" in said
    assert "--store" in said
