"""New generations: forced, by another chunking, and what happens to the old one."""

from __future__ import annotations

import threading

import pytest

from engine.chunking.chunk import ChunkingRules
from engine.embeddings.builtin.provider import BuiltinProvider
from engine.errors import StoreError, SyncError
from engine.events import EngineEvent, IndexChanged, StageReached
from tests.engine.index.desk import Desk, open_store
from tests.engine.index.test_sync import finds
from tests.engine.index.toy_provider import ToyProvider


def test_a_forced_reindex_reads_all_and_embeds_nothing_known(desk: Desk) -> None:
    desk.write("memory/a.md", "heron")
    desk.write("memory/b.md", "plover")
    provider = ToyProvider()
    desk.sync(provider)
    desk.write("memory/b.md", "turnstone")
    (desk.workspace / "memory/a.md").unlink()
    generation = desk.store.counts().generation
    report = desk.sync(provider, force=True)
    assert report.forced
    assert (report.files_indexed, report.files_removed) == (1, 1)
    assert (report.chunks_added, report.chunks_removed) == (1, 2)
    assert [(c.path, c.change) for c in report.changes] == [
        ("memory/b.md", "changed"),
        ("memory/a.md", "removed"),
    ]
    assert provider.texts == ["heron", "plover", "turnstone"]
    assert desk.store.counts().generation > generation


def test_a_forced_reindex_without_cache_embeds_every_text_once(desk: Desk) -> None:
    for number in range(6):
        desk.write(f"memory/{number}.md", f"note {number % 4}")
    desk.sync(provider := ToyProvider())
    provider.calls.clear()
    desk.configure(cache_enabled=False)
    report = desk.sync(provider, force=True)
    assert sorted(provider.texts) == [f"note {number}" for number in range(4)]
    assert (report.embedded, report.cached) == (4, 2)


def test_another_chunking_builds_beside_the_old_index(desk: Desk) -> None:
    desk.write("memory/a.md", "\n".join(f"line {n} of a long note about herons" for n in range(99)))
    desk.sync(BuiltinProvider())
    few = desk.store.counts().chunks
    desk.configure(rules=ChunkingRules(50, 0))
    answers = []

    def during(event: EngineEvent) -> None:
        if isinstance(event, StageReached) and event.name == "batch-committed":
            answers.append((desk.store.counts().chunks, finds(desk, "herons")))

    desk.bus.subscribe(during)
    report = desk.sync(BuiltinProvider(), "start")
    assert answers == [(few, ["memory/a.md"] * few)]
    assert report.chunks_removed == few
    assert desk.store.counts().chunks == report.chunks_added > few
    identity = desk.store.reader.identity()
    assert identity is not None
    assert identity.chunking == "2026.3:50/0"


def test_a_first_index_is_published_in_one_step(desk: Desk) -> None:
    for number in range(3):
        desk.write(f"memory/{number}.md", "heron " * 70_000)  # more than one batch
    desk.sync(BuiltinProvider())
    assert len(desk.told(IndexChanged)) == 1


def test_a_rebuild_that_fails_leaves_the_old_index(desk: Desk) -> None:
    for number in range(6):
        desk.write(f"memory/{number}.md", f"heron {number}")
    desk.sync(good := ToyProvider())
    desk.configure(cache_enabled=False)
    revision = desk.store.reader.revision()
    bad = ToyProvider(inputs_per_request=2, fails=range(3, 99))
    with pytest.raises(SyncError) as failed:
        desk.sync(bad, force=True)
    assert "boom" in failed.value.message
    assert len(bad.calls) == 3
    assert desk.store.reader.revision() == revision
    assert len(finds(desk, "heron")) == 6
    assert desk.store.reader.unembedded(good.identity.key()) == []
    desk.reopen()
    assert len(finds(desk, "heron")) == 6


def test_while_another_store_builds_a_rebuild_is_refused_and_says_by_whom(desk: Desk) -> None:
    desk.write("memory/a.md", "heron")
    desk.sync()
    identity = desk.store.reader.identity()
    assert identity is not None
    other = open_store(desk.store.path, desk.bus)
    build = other.build(identity)
    with pytest.raises(StoreError) as refused:
        desk.sync(force=True)
    assert "rebuilding" in refused.value.message
    desk.write("memory/b.md", "plover")
    assert desk.sync().files_indexed == 1
    build.abandon()
    other.close()
    assert desk.sync(force=True).files_indexed == 2


def test_two_writers_on_one_file_end_with_one_truth(desk: Desk) -> None:
    desk.write("memory/a.md", "heron")
    desk.sync()
    for number in range(40):
        desk.write(f"memory/{number}.md", f"plover {number}")
    other = open_store(desk.store.path, desk.bus)
    first, second = desk.indexer(), desk.indexer(store=other)
    threads = [threading.Thread(target=each.run, args=("demand",)) for each in (first, second)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    counts = desk.store.counts()
    assert (counts.files, counts.chunks) == (41, 41)
    second.close()
    other.close()
    assert desk.sync().files_indexed == 0
