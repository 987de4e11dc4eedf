"""Drafts of index files: left by a kill, swept when they are old, never anybody else's."""

from __future__ import annotations

import os
from pathlib import Path

from engine.store.drafts import OLD_MS, draft_path
from tests.engine.store.desk import Desk, publish, texts_found

DAY_MS = 24 * 3600 * 1000.0


def _draft(desk: Desk, number: int, age_ms: float) -> Path:
    desk.path.parent.mkdir(exist_ok=True)
    file = desk.path.with_name(f"{desk.path.name}.new-{number}")
    file.touch()
    seconds = (desk.clock.now_ms() - age_ms) / 1000.0
    os.utime(file, (seconds, seconds))
    return file


def test_an_old_draft_is_removed_with_its_log_and_a_fresh_one_is_kept(desk: Desk) -> None:
    publish(desk.open(), {"a.md": ["apples"]})
    desk.close()
    old, fresh = _draft(desk, 11, 2 * DAY_MS), _draft(desk, 12, 60_000)
    log = old.with_name(old.name + "-wal")
    log.touch()

    store = desk.open()

    assert not old.exists()
    assert not log.exists()
    assert fresh.exists()
    assert desk.notices == [f"Removed {old.name}: a left-over of an interrupted start."]
    assert texts_found(store, '"apples"') == ["apples"]


def test_only_our_own_names_count_and_no_link(desk: Desk) -> None:
    publish(desk.open(), {"a.md": ["apples"]})
    desk.close()
    others = [f"other.sqlite.new-{n}" for n in (1, 2)] + [f"{desk.path.name}.new-mine"]
    for name in others:
        file = desk.path.with_name(name)
        file.touch()
        os.utime(file, (0, 0))
    link = desk.path.with_name(f"{desk.path.name}.new-77")
    link.symlink_to(desk.path)

    desk.open()

    assert all(desk.path.with_name(name).exists() for name in others)
    assert link.is_symlink()
    assert desk.path.exists()


def test_a_clock_that_jumps_back_keeps_drafts(desk: Desk) -> None:
    publish(desk.open(), {"a.md": ["apples"]})
    desk.close()
    draft = _draft(desk, 11, -OLD_MS)
    desk.open()
    assert draft.exists()


def test_a_draft_of_this_process_number_is_made_anew(desk: Desk) -> None:
    desk.path.parent.mkdir()
    draft_path(desk.path).write_text("of an earlier process with this number")
    publish(desk.open(), {"a.md": ["apples"]})
    assert not draft_path(desk.path).exists()
