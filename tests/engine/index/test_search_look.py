"""The look at the disk that a search begins: seldom, alone, and of consequence only when due."""

from __future__ import annotations

import threading
from collections.abc import Iterable

from engine.clock import FixedClock
from engine.errors import SyncError
from engine.index.search_look import LOOK_EVERY_S, LOOK_SHARE, RETRY_EVERY_S, SearchLook
from engine.status import FileState, FileStateName

PATIENCE_S = 30.0


def file(state: FileStateName) -> FileState:
    """A file in that state."""
    return FileState("memory/a.md", "memory", 1, 1.0, None, state, 0)


class Stage:
    """What a look sees, how long it takes, and what follows."""

    def __init__(self, *states: FileStateName, sync: bool = True, takes_s: float = 0.0) -> None:
        self.clock = FixedClock(0.0)
        self.states, self.takes_s = states, takes_s
        self.looks = self.syncs = 0
        self.looker = SearchLook(self.look, self.sync if sync else None, self.clock)

    def look(self) -> Iterable[FileState]:
        self.looks += 1
        self.clock.seconds += self.takes_s
        return [file(state) for state in self.states]

    def sync(self) -> None:
        self.syncs += 1

    def search(self, after_s: float = 0.0) -> tuple[int, int]:
        """Search after so many seconds; looks and syncs so far."""
        self.clock.seconds += after_s
        self.looker.begin()
        self.looker.wait(PATIENCE_S)
        return self.looks, self.syncs


def test_a_dirty_file_is_synced_a_clean_memory_is_not() -> None:
    assert Stage("new").search() == (1, 1)
    assert Stage("indexed", "skipped").search() == (1, 0)
    assert Stage("changed", sync=False).search() == (1, 0)


def test_searches_in_quick_succession_share_a_look() -> None:
    stage = Stage("changed")
    assert stage.search() == (1, 1)
    assert stage.search(LOOK_EVERY_S - 0.1) == (1, 1)
    assert stage.search(0.1) == (2, 2)


def test_looks_that_take_long_become_seldom() -> None:
    stage = Stage("indexed", takes_s=1.0)
    stage.search()
    pause = 1.0 / LOOK_SHARE
    assert stage.search(pause - 1.5) == (1, 0)
    assert stage.search(1.0) == (2, 0)


def test_what_the_provider_has_just_refused_is_not_asked_with_every_search() -> None:
    stage = Stage("failed")
    assert stage.search() == (1, 1)
    assert stage.search(LOOK_EVERY_S) == (2, 1)
    assert stage.search(RETRY_EVERY_S) == (3, 2)


def test_a_lost_workspace_is_no_matter_for_the_search() -> None:
    def look() -> Iterable[FileState]:
        raise SyncError("Workspace not found", "It is gone.", "")

    looker = SearchLook(look, lambda: None, FixedClock(0.0))
    looker.begin()
    looker.wait(PATIENCE_S)
    looker.close()


def test_one_look_at_a_time_and_none_after_closing() -> None:
    go_on, looks = threading.Event(), []

    def look() -> Iterable[FileState]:
        looks.append(1)
        assert go_on.wait(PATIENCE_S)
        return ()

    clock = FixedClock(0.0)
    looker = SearchLook(look, None, clock)
    looker.begin()
    clock.seconds += 100.0
    looker.begin()
    looker.wait(0.0)
    go_on.set()
    looker.close()
    clock.seconds += 100.0
    looker.begin()
    assert len(looks) == 1
