"""The watcher on real folders: every way in which a memory changes is noticed."""

from __future__ import annotations

import errno
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from engine.sources.found import SourceRoots
from engine.sources.native_watch import NativeWatch, PathChange, watch_folders
from engine.sources.watch import Watcher, WatchPace
from engine.status import WatchState
from tests.engine.sources.watching import GENEROUS_S, QUICK, Record, watching

BOTH_WAYS = pytest.mark.parametrize("polling", [False, True], ids=["native", "polling"])


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    top = tmp_path / "ws"
    (top / "memory/deep").mkdir(parents=True)
    (top / "MEMORY.md").write_text("root\n", "utf-8")
    (top / "memory/a.md").write_text("a\n", "utf-8")
    return top


def _save_atomically(file: Path, text: str) -> None:
    aside = file.with_name(f".{file.name}.new")
    aside.write_text(text, "utf-8")
    aside.replace(file)


@BOTH_WAYS
def test_files_that_come_change_and_go(workspace: Path, polling: bool) -> None:
    with watching(SourceRoots(workspace), force_polling=polling) as heard:
        assert heard.state.mode == ("polling" if polling else "native")
        with heard.change():
            (workspace / "memory/b.md").write_text("new\n", "utf-8")
        with heard.change():
            (workspace / "memory/b.md").write_text("longer than before\n", "utf-8")
        with heard.change():
            (workspace / "memory/b.md").unlink()
        with heard.change():
            (workspace / "memory.md").write_text("lower\n", "utf-8")
        heard.wait_for_state(lambda state: state.last_event_ms is not None)


@BOTH_WAYS
def test_atomic_saves_are_noticed_every_time(workspace: Path, polling: bool) -> None:
    with watching(SourceRoots(workspace), force_polling=polling) as heard:
        for number in range(3):
            for file in (workspace / "MEMORY.md", workspace / "memory/a.md"):
                with heard.change():
                    _save_atomically(file, "word " * (number + 2))


@BOTH_WAYS
def test_new_folders_and_what_comes_into_them(workspace: Path, polling: bool) -> None:
    with watching(SourceRoots(workspace), force_polling=polling) as heard:
        folders = heard.state.folders
        with heard.change():
            (workspace / "memory/x/y").mkdir(parents=True)
        heard.wait_for_state(lambda state: state.folders == folders + 2)
        with heard.change():
            (workspace / "memory/x/y/note.md").write_text("late\n", "utf-8")


@BOTH_WAYS
def test_a_folder_that_is_moved_in_and_out(workspace: Path, polling: bool) -> None:
    aside = workspace.parent / "aside"
    aside.mkdir()
    (aside / "note.md").write_text("note\n", "utf-8")
    with watching(SourceRoots(workspace), force_polling=polling) as heard:
        folders = heard.state.folders
        with heard.change():
            aside.rename(workspace / "memory/in")
        heard.wait_for_state(lambda state: state.folders == folders + 1)
        with heard.change():
            (workspace / "memory/in/note.md").write_text("changed note\n", "utf-8")
        with heard.change():
            (workspace / "memory/in").rename(aside)
        heard.wait_for_state(lambda state: state.folders == folders)


@BOTH_WAYS
def test_a_replaced_folder_is_watched_in_its_turn(workspace: Path, polling: bool) -> None:
    other = workspace.parent / "other"
    shutil.copytree(workspace / "memory", other)
    with watching(SourceRoots(workspace), force_polling=polling) as heard:
        with heard.change():
            (workspace / "memory").rename(workspace.parent / "old")
            other.rename(workspace / "memory")
        for number in range(3):
            with heard.change():
                (workspace / f"memory/deep/{number}.md").write_text("note\n", "utf-8")


@BOTH_WAYS
def test_a_workspace_that_is_deleted_and_made_again(workspace: Path, polling: bool) -> None:
    with watching(SourceRoots(workspace), force_polling=polling) as heard:
        with heard.change():
            shutil.rmtree(workspace)
        heard.wait_for_state(lambda state: state.folders == 0)
        with heard.change():
            (workspace / "memory").mkdir(parents=True)
        heard.wait_for_state(lambda state: state.folders == 2)
        with heard.change():
            (workspace / "memory/again.md").write_text("back\n", "utf-8")


@BOTH_WAYS
def test_a_workspace_that_is_missing_at_first(tmp_path: Path, polling: bool) -> None:
    workspace = tmp_path / "later"
    with watching(SourceRoots(workspace), force_polling=polling) as heard:
        assert heard.state.folders == 0
        with heard.change():
            workspace.mkdir()
        heard.wait_for_state(lambda state: state.folders == 1)
        with heard.change():
            (workspace / "MEMORY.md").write_text("first\n", "utf-8")


def test_the_files_at_the_top_are_those_of_the_era(workspace: Path) -> None:
    roots = SourceRoots(workspace, root_files=("MEMORY.md", "USER.md"))
    with watching(roots) as heard, heard.change():
        _save_atomically(workspace / "USER.md", "tea\n")


def test_extra_files_and_folders(workspace: Path) -> None:
    extra = workspace.parent / "extra"
    extra.mkdir()
    single = extra / "single.md"
    single.write_text("one\n", "utf-8")
    folder = workspace.parent / "folder"
    with watching(SourceRoots(workspace, ("../extra/single.md", "../folder"))) as heard:
        folders = heard.state.folders
        for number in range(2):
            with heard.change():
                _save_atomically(single, "more " * (number + 1))
        with heard.change():
            folder.mkdir()
        heard.wait_for_state(lambda state: state.folders == folders + 1)
        with heard.change():
            (folder / "n.md").write_text("n\n", "utf-8")


def test_a_plain_folder_without_its_vendor_folders(tmp_path: Path) -> None:
    (tmp_path / "notes/sub").mkdir(parents=True)
    (tmp_path / "notes/.git").mkdir()
    with watching(SourceRoots(tmp_path / "notes", plain_folder=True)) as heard:
        assert heard.state.folders == 2
        with heard.change():
            (tmp_path / "notes/sub/n.md").write_text("n\n", "utf-8")


def test_a_workspace_behind_a_link_is_watched_but_no_link_inside(workspace: Path) -> None:
    outside = workspace.parent / "outside"
    outside.mkdir()
    (workspace / "memory/out").symlink_to(outside)
    (workspace / "memory/loop").symlink_to(workspace)
    link = workspace.parent / "link"
    link.symlink_to(workspace)
    with watching(SourceRoots(link)) as heard:
        assert heard.state.folders == 3
        with heard.change():
            (workspace / "memory/deep/n.md").write_text("n\n", "utf-8")


def test_changes_are_held_back_until_it_is_quiet_but_not_for_ever(workspace: Path) -> None:
    pace = WatchPace(supervise_s=0.05, rescan_s=3600.0, longest_s=0.2, tick_s=0.01)
    with watching(SourceRoots(workspace), quiet_s=3600.0, pace=pace) as heard, heard.change():
        (workspace / "memory/b.md").write_text("b\n", "utf-8")


@BOTH_WAYS
def test_a_scan_is_asked_for_now_and_then_whatever_happens(workspace: Path, polling: bool) -> None:
    pace = WatchPace(supervise_s=0.05, rescan_s=0.05, poll_s=0.05, tick_s=0.01)
    with watching(SourceRoots(workspace), pace=pace, force_polling=polling) as heard:
        heard.wait(lambda: heard.changes >= 3)


def _failing(problem: Exception) -> NativeWatch:
    def native(
        folders: Sequence[str], stop: threading.Event, tick_s: float
    ) -> Iterator[list[PathChange]]:
        raise problem

    return native


@pytest.mark.parametrize(
    "problem",
    [
        OSError(errno.ENOSPC, "OS file watch limit reached"),
        OSError(errno.EMFILE, "Too many open files"),
        RuntimeError("an error of the library's own"),
        FileNotFoundError("again and again"),
    ],
    ids=lambda problem: type(problem).__name__,
)
def test_a_system_without_capacity_is_polled_and_says_why(
    workspace: Path, problem: Exception
) -> None:
    with watching(SourceRoots(workspace), native=_failing(problem)) as heard:
        heard.wait_for_state(lambda state: state.mode == "polling")
        assert str(problem) in heard.state.note
        heard.wait(lambda: heard.changes == 1)
        with heard.change():
            late = workspace / "memory/deep/late.md"
            late.write_text("bittern\n", "utf-8")


def test_native_watching_is_tried_again(workspace: Path) -> None:
    pace = WatchPace(supervise_s=0.05, rescan_s=0.1, poll_s=0.05, tick_s=0.01)
    tries = iter([_failing(OSError("no capacity"))])

    def native(
        folders: Sequence[str], stop: threading.Event, tick_s: float
    ) -> Iterator[list[PathChange]]:
        return next(tries, watch_folders)(folders, stop, tick_s)

    with watching(SourceRoots(workspace), pace=pace, native=native) as heard:
        heard.wait(lambda: "polling" in {state.mode for state in heard.states})
        heard.wait_for_state(lambda state: state.mode == "native")
        assert heard.state.note == ""


def test_a_failing_receiver_does_not_end_the_watch(workspace: Path) -> None:
    record = Record()

    def receiver() -> None:
        record.on_change()
        if record.changes == 1:
            raise ValueError("could not be handled")

    watcher = Watcher(SourceRoots(workspace), receiver, record.on_state, quiet_s=0.02, pace=QUICK)
    watcher.start()
    record.wait_for_state(lambda state: state.mode == "native")
    with record.change():
        (workspace / "memory/b.md").write_text("b\n", "utf-8")
    record.wait_for_state(lambda state: "could not be handled" in state.note)
    with record.change():
        (workspace / "memory/c.md").write_text("c\n", "utf-8")
    record.wait_for_state(lambda state: state.note == "")
    watcher.stop(GENEROUS_S)


def test_stop_is_safe_twice_before_start_and_from_a_callback(workspace: Path) -> None:
    never = Watcher(SourceRoots(workspace), lambda: None, lambda state: None)
    never.stop()
    record = Record()
    watcher = Watcher(
        SourceRoots(workspace), lambda: watcher.stop(), record.on_state, quiet_s=0.0, pace=QUICK
    )
    watcher.start()
    watcher.start()
    record.wait_for_state(lambda state: state.mode == "native")
    (workspace / "memory/b.md").write_text("b\n", "utf-8")
    record.wait_for_state(lambda state: state.mode == "off")
    watcher.stop(GENEROUS_S)
    watcher.stop(GENEROUS_S)


def test_no_handle_is_left_behind(workspace: Path) -> None:
    def handles() -> int:
        return len(list(Path("/proc/self/fd").iterdir()))

    with watching(SourceRoots(workspace)) as heard, heard.change():
        (workspace / "memory/b.md").write_text("b\n", "utf-8")
    before = handles()
    for number in range(5):
        with watching(SourceRoots(workspace)) as heard, heard.change():
            (workspace / "memory/b.md").write_text("b\n" * (number + 2), "utf-8")
    assert handles() < before + 5  # the last watch may still be closing its three


def test_a_process_without_handles_is_told_so_and_polls(workspace: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.engine.sources.without_handles", str(workspace)],
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.stdout.startswith("polling\n"), done.stderr
    assert "open files" in done.stdout


def test_a_listener_of_states_that_fails_does_not_end_the_watch(workspace: Path) -> None:
    record, failures = Record(), iter([True, True])

    def listener(state: WatchState) -> None:
        record.on_state(state)
        if next(failures, False):
            raise ValueError("the listener failed")

    watcher = Watcher(SourceRoots(workspace), record.on_change, listener, quiet_s=0.02, pace=QUICK)
    watcher.start()
    record.wait_for_state(lambda state: state.mode == "native" and len(record.states) > 2)
    with record.change():
        (workspace / "memory/b.md").write_text("b\n", "utf-8")
    watcher.stop(GENEROUS_S)
