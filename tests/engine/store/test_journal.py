"""What syncs did, for whoever opens the index next."""

from __future__ import annotations

from dataclasses import replace

from engine.events import RecentChange, SkippedFile, SyncReport
from engine.status import SourceCount
from tests.engine.store.desk import SPACE, Desk, identity, publish, random_vectors


def report(*changes: RecentChange) -> SyncReport:
    """A report with those changes."""
    return SyncReport(
        reason="demand", forced=False, files_indexed=len(changes), files_removed=0,
        chunks_added=1, chunks_removed=2, embedded=3, cached=4, not_embedded=5,
        skipped=(SkippedFile("big.md", "too big"),), changes=changes,
        started_ms=1.5, duration_ms=2.25,
    )  # fmt: skip


def change(path: str) -> RecentChange:
    """An added file."""
    return RecentChange(path, "added", 12.5, 1, 0, 1, 0)


def test_the_last_report_is_read_by_the_next_process(desk: Desk) -> None:
    store = desk.open()
    assert store.last_sync() is None
    store.record_sync(report(change("a.md")))
    store.record_sync(report(change("b.md")))
    desk.close()

    assert desk.open().last_sync() == report(change("b.md"))


def test_recent_changes_come_newest_first_and_are_kept_to_200(desk: Desk) -> None:
    store = desk.open()
    store.record_sync(report(*(change(f"{n}.md") for n in range(150))))
    store.record_sync(report(*(change(f"{n}.md") for n in range(150, 300))))

    recent = store.recent_changes(1000)

    assert [each.path for each in recent] == [f"{n}.md" for n in range(299, 99, -1)]
    assert store.recent_changes(2) == [change("299.md"), change("298.md")]


def test_recording_a_sync_changes_no_revision(desk: Desk) -> None:
    store = desk.open()
    publish(store, {"a.md": ["one"]})
    store.record_sync(report())
    assert store.reader.revision() == 1


def test_counts(desk: Desk) -> None:
    store = desk.open()
    publish(store, {"a.md": ["one", "two"], "empty.md": []}, random_vectors(["one"]))
    store.add_tokens(SPACE, 30)
    store.add_tokens(SPACE, 12)

    counts = store.counts()

    assert (counts.files, counts.chunks) == (2, 2)
    assert counts.sources == (SourceCount("memory", 2, 2),)
    assert counts.vectors == {SPACE: 1}
    assert counts.tokens == {SPACE: 42}
    assert (counts.cache_entries, counts.generation, counts.revision) == (1, 1, 1)
    assert counts.file_bytes > 0
    assert store.fts_state().tokenizer == identity().tokenizer


def test_syncs_are_counted_and_those_that_needed_vectors_are_listed(desk: Desk) -> None:
    store = desk.open()
    assert (store.sync_count(), store.cache_hits()) == (0, ())
    for number in range(25):
        store.record_sync(replace(report(), started_ms=float(number), cached=number))
    store.record_sync(replace(report(), embedded=0, cached=0))
    desk.close()

    store = desk.open()
    assert store.sync_count() == 26
    hits = store.cache_hits()
    assert len(hits) == 20
    assert (hits[0].started_ms, hits[0].hits, hits[0].misses) == (24.0, 24, 3)
    assert hits[0].hit_rate == 24 / 27
