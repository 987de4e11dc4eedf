"""Case two-processes: one index, two engines; nobody waits who need not, nothing is lost."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from engine.errors import StoreError
from engine.events import SyncReport
from engine.memory import MemoryEngine
from engine.tools.memory_search import memory_search
from tests.cases.inputs import case_copy
from tests.cases.second_engine import PATIENCE_S, another_at, engine_on, let_go


@dataclass
class Shared:
    """The workspace and the index that both engines use, and the engine of this process."""

    workspace: Path
    index: Path
    engine: MemoryEngine

    def finds(self, word: str) -> set[str]:
        """Files that a search finds for a word that stands in them."""
        results = memory_search(self.engine, word, min_score=0).results
        return {r.ranked.candidate.path for r in results if word in r.snippet}


@pytest.fixture
def shared(tmp_path: Path) -> Iterator[Shared]:
    workspace = case_copy("two-processes", tmp_path) / "workspace"
    index = tmp_path / "index.sqlite"
    with engine_on(workspace, index) as engine:
        engine.sync("demand")
        yield Shared(workspace, index, engine)


def test_a_search_answers_at_once_and_a_sync_waits_for_the_other_writer(shared: Shared) -> None:
    word = (shared.workspace / "MEMORY.md").read_text("utf-8").split()[-1].strip(".")
    reports: list[SyncReport] = []
    with another_at("batch-written", shared.workspace, shared.index) as other:
        assert shared.finds(word) == {"MEMORY.md"}
        (shared.workspace / "MEMORY.md").write_text("A wagtail was seen.\n", "utf-8")
        syncing = threading.Thread(target=lambda: reports.append(shared.engine.sync("watch")))
        syncing.start()
        assert shared.finds(word) == {"MEMORY.md"}
        let_go(other)
        syncing.join(PATIENCE_S)
    shared.engine.sync("watch")
    assert [report.files_indexed for report in reports] == [1]
    assert shared.finds("wagtail") == {"MEMORY.md"}
    assert not any(state.dirty for state in shared.engine.scan())


def test_one_rebuilds_and_the_other_shows_who_and_goes_on_searching(shared: Shared) -> None:
    with another_at("build-begun", shared.workspace, shared.index) as other:
        with pytest.raises(StoreError) as refused:
            shared.engine.sync("demand", force=True)
        assert f"Process {other.pid} is rebuilding this index" in refused.value.message
        status = shared.engine.status()
        assert status.sync.phase == "failed"
        assert str(other.pid) in (status.sync.error or "")
        (shared.workspace / "memory").mkdir()
        (shared.workspace / "memory/late.md").write_text("A wagtail came late.\n", "utf-8")
        assert shared.engine.sync("watch").files_indexed == 1
        assert shared.finds("wagtail") == {"memory/late.md"}
        let_go(other)
    shared.engine.sync("watch")
    assert shared.finds("wagtail") == {"memory/late.md"}
    assert shared.engine.status().sync.phase == "idle"
    assert shared.engine.sync("demand", force=True).files_indexed == 2
    assert shared.engine.store.check().sound


def test_who_is_killed_with_the_lock_leaves_nothing_to_remove_by_hand(shared: Shared) -> None:
    with another_at("batch-committed", shared.workspace, shared.index) as other:
        other.kill()
        other.wait(PATIENCE_S)
        assert shared.engine.sync("demand", force=True).files_indexed == 1
    with another_at("batch-committed", shared.workspace, shared.index) as other:
        other.kill()
        other.wait(PATIENCE_S)
    with engine_on(shared.workspace, shared.index) as later:
        health = later.store.check()
        assert health.sound
        assert health.unfinished == 0
        assert later.sync("demand", force=True).files_indexed == 1
