"""Whatever happens to the folders of a watched memory, the index follows."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from engine.config.request import EngineOptions, Places
from engine.events import EngineEvent, SyncFinished, SyncStarted
from engine.memory import MemoryEngine, Surroundings

PATIENCE_S = 60.0
BURST = 3000


class Watched:
    """A memory in long use, and everything it tells."""

    def __init__(self, folder: Path) -> None:
        self.workspace = folder / "ws"
        self.memory = self.workspace / "memory"
        (self.memory / "deep").mkdir(parents=True)
        self.write("MEMORY.md", "The heron.\n")
        self.write("memory/a.md", "The plover.\n")
        self.write("memory/deep/b.md", "The dunlin.\n")
        home = folder / "home"
        options = EngineOptions(
            workspace=self.workspace,
            store=folder / "index.sqlite",
            settings=("provider=none", "sync.watchDebounceMs=20"),
        )
        around = Surroundings({}, Places(home, home, home), inline_indexing=True)
        self.engine = MemoryEngine.open(options, around)
        self.heard: list[EngineEvent] = []
        self._changed = threading.Condition()
        self.engine.events.subscribe(self._hear)

    def _hear(self, event: EngineEvent) -> None:
        with self._changed:
            self.heard.append(event)
            self._changed.notify_all()

    def write(self, path: str, text: str) -> Path:
        """A file of the workspace."""
        file = self.workspace / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
        return file

    def wait(self, condition: Callable[[], bool]) -> None:
        """Wait until a condition holds; it is looked at after everything that is told."""
        with self._changed:
            assert self._changed.wait_for(condition, PATIENCE_S), self.heard[-5:]

    def follows(self, **texts: str | None) -> None:
        """Wait until the index holds these texts by file stem; None is a file that is gone."""

        def as_wanted() -> bool:
            held = {
                Path(chunk.path).stem: chunk.text for chunk in self.engine.store.reader.chunks()
            }
            return all(
                stem not in held if text is None else text in held.get(stem, "")
                for stem, text in texts.items()
            )

        self.wait(as_wanted)


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Watched]:
    watched = Watched(tmp_path)
    watched.engine.start_sync("start")
    watched.wait(lambda: any(isinstance(event, SyncFinished) for event in watched.heard))
    watched.engine.watch()
    watched.wait(lambda: watched.engine.status().watch.mode == "native")
    yield watched
    watched.engine.close()


def test_files_come_change_move_and_go(watched: Watched) -> None:
    watched.write("memory/new.md", "A wagtail.\n")
    watched.follows(new="wagtail")
    watched.write("memory/new.md", "Two wagtails now.\n")
    watched.follows(new="Two wagtails")
    (watched.memory / "new.md").rename(watched.memory / "deep/moved.md")
    watched.follows(new=None, moved="Two wagtails")
    (watched.memory / "deep/moved.md").unlink()
    watched.follows(moved=None, b="dunlin", MEMORY="heron")


def test_editors_that_save_by_renaming(watched: Watched) -> None:
    for number in range(3):
        for path in ("MEMORY.md", "memory/a.md"):
            aside = watched.write(f"{path}.swp", f"Version {number} of it.\n")
            aside.rename(watched.workspace / path)
        watched.follows(MEMORY=f"Version {number}", a=f"Version {number}")


def test_folders_come_move_and_go(watched: Watched) -> None:
    watched.write("memory/x/y/c.md", "A wagtail.\n")
    watched.follows(c="wagtail")
    (watched.memory / "x").rename(watched.memory / "z")
    watched.follows(c="wagtail")
    watched.wait(lambda: "memory/z/y/c.md" in paths(watched))
    watched.write("memory/z/y/d.md", "A turnstone.\n")
    watched.follows(d="turnstone")
    shutil.rmtree(watched.memory / "z")
    watched.follows(c=None, d=None)


def test_a_folder_that_is_replaced(watched: Watched) -> None:
    other = watched.workspace.parent / "other"
    (other / "deep").mkdir(parents=True)
    (other / "deep/b.md").write_text("Another dunlin.\n", "utf-8")
    watched.memory.rename(watched.workspace.parent / "old")
    other.rename(watched.memory)
    watched.follows(a=None, b="Another dunlin")
    watched.write("memory/deep/b.md", "The third dunlin.\n")
    watched.follows(b="third")


def test_thousands_of_files_at_once_are_taken_up_in_few_syncs(watched: Watched) -> None:
    for number in range(BURST):
        watched.write(f"memory/burst/{number % 20}/n{number}.md", f"Note {number} of many.\n")
    watched.wait(lambda: watched.engine.store.counts().files == BURST + 3)
    syncs = sum(isinstance(event, SyncStarted) for event in watched.heard)
    assert syncs < BURST / 20
    shutil.rmtree(watched.memory / "burst")
    watched.wait(lambda: watched.engine.store.counts().files == 3)


def paths(watched: Watched) -> set[str]:
    """The files of the index."""
    return {file.path for file in watched.engine.store.reader.files()}
