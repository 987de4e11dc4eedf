"""Clocks that jump: file times in the future, and a now that lies before the last sync."""

from __future__ import annotations

import os

import pytest

from engine.clock import FixedClock
from engine.embeddings.builtin.provider import BuiltinProvider
from engine.errors import StoreError
from tests.engine.index.desk import Desk, by_path, open_store
from tests.engine.index.test_sync import finds
from tests.engine.index.toy_provider import ToyProvider

NOW_MS = 1_770_000_000_000.0
DAY_MS = 24 * 3600 * 1000.0


@pytest.fixture
def clock(desk: Desk) -> FixedClock:
    """The desk's clock, which stands until it is moved."""
    desk.clock = FixedClock(NOW_MS)
    return desk.clock


def date(desk: Desk, path: str, moment_ms: float) -> None:
    """Give a file a time."""
    os.utime(desk.workspace / path, (moment_ms / 1000.0, moment_ms / 1000.0))


@pytest.mark.parametrize("offset_ms", [400 * DAY_MS, -20_000 * DAY_MS, -NOW_MS - DAY_MS])
def test_a_file_of_any_time_is_indexed_once(
    desk: Desk, clock: FixedClock, offset_ms: float
) -> None:
    desk.write("memory/a.md", "heron")
    date(desk, "memory/a.md", NOW_MS + offset_ms)
    provider = ToyProvider()
    assert desk.sync(provider).files_indexed == 1
    indexer = desk.indexer(provider)
    assert by_path(indexer.scan_now())["memory/a.md"].state == "indexed"
    assert desk.sync(provider, "watch").files_indexed == 0
    assert len(provider.calls) == 1


def test_a_file_dated_back_is_seen_as_changed(desk: Desk, clock: FixedClock) -> None:
    desk.write("memory/a.md", "heron")
    date(desk, "memory/a.md", NOW_MS)
    desk.sync(BuiltinProvider())
    desk.write("memory/a.md", "egret")
    date(desk, "memory/a.md", NOW_MS - DAY_MS)
    assert desk.sync(BuiltinProvider(), "watch").files_indexed == 1
    assert finds(desk, "egret") == ["memory/a.md"]


@pytest.mark.parametrize("jump_ms", [-365 * DAY_MS, 365 * DAY_MS])
def test_syncs_before_and_after_a_jump(desk: Desk, clock: FixedClock, jump_ms: float) -> None:
    desk.write("memory/a.md", "heron")
    indexer = desk.indexer(BuiltinProvider())
    first = indexer.run("demand")
    clock.epoch_ms += jump_ms
    desk.write("memory/b.md", "plover")
    assert [state.path for state in indexer.scan_now() if state.dirty] == ["memory/b.md"]
    second = indexer.run("watch")
    assert second.files_indexed == 1
    assert second.duration_ms >= 0.0
    assert second.started_ms == first.started_ms + jump_ms
    assert indexer.state().last == second
    desk.reopen()
    assert desk.indexer(BuiltinProvider()).state().last == second
    assert indexer.scanned_at_ms == clock.epoch_ms


@pytest.mark.parametrize("jump_ms", [-DAY_MS, DAY_MS])
def test_which_process_synced_last_does_not_hang_on_the_clock(
    desk: Desk, clock: FixedClock, jump_ms: float
) -> None:
    """We fail, the clock jumps, another process succeeds: that is the state of now."""
    desk.write("memory/a.md", "heron")
    desk.sync()
    identity = desk.store.reader.identity()
    assert identity is not None
    other = open_store(desk.store.path, desk.bus)
    build = other.build(identity)
    indexer = desk.indexer()
    with pytest.raises(StoreError):
        indexer.run("demand", force=True)
    assert indexer.state().phase == "failed"
    build.abandon()
    other.close()
    clock.epoch_ms += jump_ms
    desk.sync(force=True)
    assert indexer.state().phase == "idle"
    assert indexer.state().error is None


def test_our_failure_after_their_success_counts_though_the_clock_went_back(
    desk: Desk, clock: FixedClock
) -> None:
    desk.write("memory/a.md", "heron")
    desk.sync(ToyProvider())
    clock.epoch_ms -= DAY_MS
    desk.write("memory/b.md", "plover")
    indexer = desk.indexer(ToyProvider(fails=[1]))
    indexer.run("watch")
    assert indexer.state().phase == "failed"


def test_the_cache_after_a_jump_back_drops_nothing_in_use(desk: Desk, clock: FixedClock) -> None:
    provider = ToyProvider()
    desk.write("memory/a.md", "heron")
    desk.sync(provider)
    clock.epoch_ms -= 1000 * DAY_MS
    desk.write("memory/b.md", "plover")
    desk.sync(provider, "watch")
    desk.sync(provider, force=True)
    assert provider.texts == ["heron", "plover"]
