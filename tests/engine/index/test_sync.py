"""One sync on real files and a real store."""

from __future__ import annotations

import os
import shutil

import pytest

from engine.embeddings.builtin.provider import BuiltinProvider
from engine.errors import CancelledError, SyncError
from engine.events import IndexChanged, SyncProgress, SyncStarted
from tests.engine.index.desk import Desk
from tests.engine.index.toy_provider import ToyProvider


def paths(desk: Desk) -> list[str]:
    return [row.path for row in desk.store.reader.files()]


def finds(desk: Desk, word: str) -> list[str]:
    hits = desk.store.reader.keyword("tuned", f'"{word}"', 10)
    rows = desk.store.reader.rows([hit.rowid for hit in hits])
    return sorted(row.path for row in rows.values())


def test_a_first_index_holds_everything_and_says_so(desk: Desk) -> None:
    desk.write("MEMORY.md", "The heron stands at the pond.")
    desk.write("memory/2026-02-09.md", "A plover was seen.\n\nAnd a dunlin.")
    report = desk.sync(BuiltinProvider())
    assert paths(desk) == ["MEMORY.md", "memory/2026-02-09.md"]
    assert (report.files_indexed, report.chunks_added, report.embedded) == (2, 2, 2)
    assert (report.cached, report.not_embedded, report.skipped) == (0, 0, ())
    assert [(c.path, c.change, c.embedded) for c in report.changes] == [
        ("MEMORY.md", "added", 1),
        ("memory/2026-02-09.md", "added", 1),
    ]
    assert finds(desk, "plover") == ["memory/2026-02-09.md"]
    (started,) = desk.told(SyncStarted)
    assert (started.reason, started.forced, started.bulk, started.files) == (
        "demand", False, False, 2,
    )  # fmt: skip
    last = desk.told(SyncProgress)[-1]
    assert (last.files_done, last.files_total, last.chunks_done, last.embedded) == (2, 2, 2, 2)
    assert desk.told(IndexChanged)[-1].revision == desk.store.reader.revision()
    assert desk.store.last_sync() == report


def test_nothing_changed_means_nothing_read_or_sent(desk: Desk) -> None:
    file = desk.write("MEMORY.md", "heron")
    provider = ToyProvider()
    desk.sync(provider)
    before = file.stat()
    file.write_text("egret", encoding="utf-8")  # of the same size, and dated back
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    revision = desk.store.reader.revision()
    report = desk.sync(provider)
    assert (report.files_indexed, report.embedded, report.cached) == (0, 0, 0)
    assert (report.changes, report.skipped) == ((), ())
    assert len(provider.calls) == 1
    assert desk.store.reader.revision() == revision


def test_a_changed_file_replaces_its_chunks_and_only_those(desk: Desk) -> None:
    desk.configure(rules=desk.settings.rules.__class__(10, 0))
    desk.write("memory/a.md", "heron by the pond and more\nplover on the shore and on")
    desk.write("memory/b.md", "dunlin")
    provider = ToyProvider()
    desk.sync(provider)
    desk.write("memory/a.md", "heron by the pond and more\nturnstone on the old pier")
    report = desk.sync(provider, "watch")
    assert provider.calls[1] == ["turnstone on the old pier"]
    (change,) = report.changes
    assert (change.path, change.change) == ("memory/a.md", "changed")
    assert (change.chunks_added, change.chunks_removed) == (2, 2)
    assert (change.embedded, change.cached) == (1, 1)
    assert finds(desk, "plover") == []
    assert finds(desk, "turnstone") == ["memory/a.md"]


def test_a_touched_file_costs_a_look_and_nothing_more(desk: Desk) -> None:
    desk.write("memory/a.md", "heron")
    provider = ToyProvider()
    desk.sync(provider)
    desk.touch("memory/a.md")
    report = desk.sync(provider)
    assert (report.files_indexed, report.changes) == (0, ())
    assert len(provider.calls) == 1
    row = desk.store.reader.files()[0]
    assert row.mtime_ms == (desk.workspace / "memory/a.md").stat().st_mtime_ns / 1e6


def test_files_are_embedded_together_not_one_by_one(desk: Desk) -> None:
    for number in range(12):
        desk.write(f"memory/{number}.md", f"note number {number}")
    provider = ToyProvider(inputs_per_request=5)
    desk.sync(provider)
    assert [len(call) for call in provider.calls] == [5, 5, 2]


def test_the_same_text_is_sent_once(desk: Desk) -> None:
    desk.write("memory/a.md", "heron")
    desk.write("memory/b.md", "heron")
    provider = ToyProvider()
    report = desk.sync(provider)
    assert provider.texts == ["heron"]
    assert (report.embedded, report.cached) == (1, 1)
    assert desk.store.reader.unembedded(provider.identity.key()) == []


def test_without_a_provider_keywords_are_indexed(desk: Desk) -> None:
    desk.write("MEMORY.md", "heron")
    report = desk.sync()
    assert (report.chunks_added, report.embedded, report.not_embedded) == (1, 0, 0)
    assert finds(desk, "heron") == ["MEMORY.md"]
    assert desk.store.reader.identity() is not None


def test_an_empty_workspace_is_an_index_too(desk: Desk) -> None:
    report = desk.sync(BuiltinProvider())
    assert (report.files_indexed, report.chunks_added) == (0, 0)
    desk.write("MEMORY.md", "\n\n\n")
    report = desk.sync(BuiltinProvider())
    assert (report.files_indexed, report.chunks_added) == (1, 0)
    assert desk.sync(BuiltinProvider()).files_indexed == 0


def test_a_missing_workspace_removes_nothing(desk: Desk) -> None:
    desk.write("MEMORY.md", "heron")
    desk.sync()
    shutil.move(desk.workspace, desk.folder / "elsewhere")
    with pytest.raises(SyncError) as failed:
        desk.sync()
    assert "does not exist" in failed.value.message
    assert finds(desk, "heron") == ["MEMORY.md"]


def test_a_file_that_vanishes_between_scan_and_reading_is_listed(desk: Desk) -> None:
    first = desk.write("memory/a.md", "heron " * 400)
    desk.write("memory/b.md", "plover")

    def when_started(event: object) -> None:
        if isinstance(event, SyncStarted):
            first.unlink()

    desk.bus.subscribe(when_started)
    report = desk.sync()
    assert [skip.path for skip in report.skipped] == ["memory/a.md"]
    assert paths(desk) == ["memory/b.md"]


def test_a_file_that_can_no_longer_be_read_keeps_its_old_text(desk: Desk) -> None:
    file = desk.write("memory/a.md", "heron")
    desk.sync()
    desk.write("memory/a.md", "plover")

    def when_started(event: object) -> None:
        if isinstance(event, SyncStarted):
            file.unlink()
            file.symlink_to(desk.folder)

    desk.bus.subscribe(when_started)
    report = desk.sync()
    assert [skip.path for skip in report.skipped] == ["memory/a.md"]
    assert finds(desk, "heron") == ["memory/a.md"]


def test_cancel_between_batches_keeps_what_was_paid_for(desk: Desk) -> None:
    for number in range(9):
        desk.write(f"memory/{number}.md", f"note number {number}")
    provider = ToyProvider(inputs_per_request=3)
    with pytest.raises(CancelledError):
        desk.sync(provider, cancelled=lambda: len(provider.calls) == 2)
    assert len(finds(desk, "note")) == 9
    report = desk.sync(provider)
    assert report.embedded == 6
    assert sorted(provider.texts[-6:] + provider.texts[:3]) == sorted(set(provider.texts))
    assert desk.sync(provider, force=True).cached == 9


def test_cancel_leaves_the_published_index_alone(desk: Desk) -> None:
    desk.write("memory/a.md", "heron")
    desk.sync(BuiltinProvider())
    desk.write("memory/a.md", "plover")
    revision = desk.store.reader.revision()
    with pytest.raises(CancelledError):
        desk.sync(BuiltinProvider(), force=True, cancelled=lambda: True)
    with pytest.raises(CancelledError):
        desk.sync(BuiltinProvider(), cancelled=lambda: True)
    assert desk.store.reader.revision() == revision
    assert finds(desk, "heron") == ["memory/a.md"]


def test_tokens_are_summed(desk: Desk) -> None:
    for number in range(6):
        desk.write(f"memory/{number}.md", f"note number {number}")
    provider = ToyProvider(inputs_per_request=2, tokens=520)
    assert desk.sync(provider).tokens == 3 * 520
    assert desk.store.counts().tokens[provider.identity.key()] == 3 * 520
