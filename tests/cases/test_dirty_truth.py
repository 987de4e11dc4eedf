"""Case dirty-truth: the state says what is so, in the next process too."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cases.desk import case_desk
from tests.cases.inputs import DATA
from tests.engine.index.desk import Desk
from tests.engine.index.toy_provider import ToyProvider


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """The case, indexed by a process that has ended."""
    desk = case_desk("dirty-truth", tmp_path)
    desk.indexer(ToyProvider()).run("demand")
    desk.reopen()
    yield desk
    desk.close()


def states(desk: Desk, provider: ToyProvider) -> dict[str, str]:
    return {state.path: state.state for state in desk.indexer(provider).scan_now()}


def test_clean_after_a_full_run(desk: Desk) -> None:
    indexer = desk.indexer(ToyProvider())
    indexed = [state.path for state in indexer.scan_now() if state.state == "indexed"]
    assert indexed == ["MEMORY.md", "memory/2026-02-09.md"]
    assert not any(state.dirty for state in indexer.coverage())


def test_a_file_that_came_unnoticed_is_named(desk: Desk) -> None:
    shutil.copy(DATA / "dirty-truth/late/2026-02-10.md", desk.workspace / "memory")
    indexer = desk.indexer(ToyProvider())
    assert [state.path for state in indexer.scan_now() if state.dirty] == ["memory/2026-02-10.md"]
    assert len(indexer.coverage()) == 3


def test_a_touch_is_not_a_change(desk: Desk) -> None:
    desk.touch("MEMORY.md")
    provider = ToyProvider()
    indexer = desk.indexer(provider)
    assert not any(state.dirty for state in indexer.scan_now())
    assert indexer.run("watch").files_indexed == 0
    assert provider.calls == []


def test_failed_and_pending_are_two_things(desk: Desk) -> None:
    desk.write("memory/2026-02-10.md", "The provider is down.")
    assert states(desk, ToyProvider())["memory/2026-02-10.md"] == "new"
    indexer = desk.indexer(ToyProvider(fails=[1]))
    indexer.run("watch")
    assert indexer.state().phase == "failed"
    failed = [state for state in indexer.coverage() if state.dirty]
    assert [(state.path, state.state) for state in failed] == [("memory/2026-02-10.md", "failed")]
    assert "boom" in (failed[0].reason or "")
    desk.reopen()
    again = desk.indexer(ToyProvider())
    assert again.state().phase == "failed"
    assert [s.state for s in again.scan_now() if s.dirty] == ["failed"]
    again.run("watch")
    assert again.state().phase == "idle"
    assert not any(state.dirty for state in again.coverage())
