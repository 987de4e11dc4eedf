"""Case failed-reindex: a rebuild that fails, or is killed, loses nothing."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.embeddings.builtin.provider import BuiltinProvider
from engine.embeddings.contract import ProviderLimits
from engine.errors import SyncError
from engine.events import EngineEvent, Notice, SyncProgress
from tests.cases.desk import case_desk, lines_with
from tests.cases.inputs import DATA
from tests.engine.embeddings.bench import provider_on
from tests.engine.index.desk import Desk
from tests.fakes.answers import status, vectors
from tests.fakes.provider_server import FakeProvider

HERON = [("MEMORY.md", 1)]
ONE_INPUT = ProviderLimits(inputs_per_request=1, bytes_per_request=300_000, bytes_per_input=8192)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = case_desk("failed-reindex", tmp_path)
    desk.write("memory/b.md", "A third note, for the third call.")
    yield desk
    desk.close()


def test_a_provider_that_fails_on_the_third_call(desk: Desk) -> None:
    last = json.loads((DATA / "failed-reindex/provider.json").read_text("utf-8"))["script"][1]
    with FakeProvider() as fake, provider_on(fake, limits=ONE_INPUT) as provider:
        desk.sync(provider)
        before = desk.store.reader.revision()
        fake.otherwise = status(last["status"], last["body"])
        fake.script(vectors, vectors)
        desk.configure(cache_enabled=False)
        with pytest.raises(SyncError) as failed:
            desk.sync(provider, force=True)
        assert "old index still answers" in failed.value.message
        assert lines_with(desk, "Heron") == HERON
        assert desk.store.reader.revision() == before
        assert desk.store.reader.unembedded(provider.identity.key()) == []
        hashes = [row.hash for row in desk.store.reader.chunks()]
        assert len(desk.store.vectors_for(provider.identity.key(), hashes)) == 3


def test_old_drafts_beside_the_index_go_and_fresh_ones_stay(desk: Desk) -> None:
    """What memlens leaves behind when it is killed while it makes an index file."""
    desk.sync(BuiltinProvider())
    aged, fresh = (desk.store.path.with_name(f"index.sqlite.new-{n}") for n in (4711, 4712))
    for file in (aged, fresh):
        file.touch()
    two_days_ago = time.time() - 2 * 24 * 3600
    os.utime(aged, (two_days_ago, two_days_ago))
    desk.reopen()
    assert not aged.exists()
    assert fresh.exists()
    assert [notice.text for notice in desk.told(Notice)] == [
        "Removed index.sqlite.new-4711: a left-over of an interrupted start."
    ]
    assert lines_with(desk, "Heron") == HERON


def test_a_rebuild_that_is_killed_hard(desk: Desk) -> None:
    for number in range(60):
        desk.write(f"memory/note-{number}.md", f"Note {number} of the marsh.\n" * 300)
    indexer = desk.indexer(BuiltinProvider(), child=True)
    indexer.run("demand")
    present = desk.store.path.stat().st_size
    killed = threading.Event()

    def heard(event: EngineEvent) -> None:
        assert desk.store.path.stat().st_size >= present
        if isinstance(event, SyncProgress) and event.chunks_done and not killed.is_set():
            killed.set()
            assert indexer.child_pid is not None
            os.kill(indexer.child_pid, signal.SIGKILL)

    desk.bus.subscribe(heard)
    with pytest.raises(SyncError):
        indexer.run("demand", force=True)
    assert killed.is_set()
    assert lines_with(desk, "Heron") == HERON
    desk.reopen()
    assert lines_with(desk, "Heron") == HERON
    assert desk.sync(BuiltinProvider()).files_indexed == 0
    assert desk.sync(BuiltinProvider(), force=True).files_indexed == 63
