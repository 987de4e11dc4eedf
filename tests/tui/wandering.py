"""A scripted engine that answers every screen, and a person who presses whatever comes."""

from __future__ import annotations

import random
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from textual.events import Key
from textual.pilot import Pilot

from engine import events
from engine.errors import PathError
from engine.sources.found import SourceRoots
from engine.sources.reading import MemoryText
from engine.status import FileState
from engine.store.contract import ChunkRow
from tests.screens.scripted import CLEAN, REPORT, dirty_file, running
from tests.screens.stage import NOW_MS
from tests.tui.providers.providing import ProvidingEngine
from tests.tui.providers.states import BUSY, OUTAGE
from tests.tui.search.searching import SearchingEngine
from tui.app import MemlensApp
from tui.messages import OpenFile

TEXT = "# Home\n\nThe router stands in the hall.\n\n## Network\n\nVLAN 10 is for lamps.\n"
PATHS = ("MEMORY.md", "memory/2026-02-08.md", "memory/network.md", "memory/研究.md")
KEYS = (
    *("1", "2", "3", "4", "tab", "shift+tab", "escape", "enter", "up", "down", "j", "k", "g", "G"),
    *("h", "l", "H", "L", "slash", "u", "ctrl+r", "ctrl+u", "ctrl+d", "p", "P", "m", "t", "c"),
    *("e", "r", "R", "x", "f", "f6", "space", "b", "0", "question_mark", "colon", "T", "a", "n"),
    *("v", "y", "Y", "w", "left", "right", "left_square_bracket", "right_square_bracket", "M", "s"),
    "o",
)
WORDS = ("home network", "router", "研究", "[/]", "x")
SIZES = ((80, 24), (120, 36), (160, 48), (60, 20), (40, 12))
PROGRESS = events.SyncProgress("embedding", 37, 112, 290, 200, 90, 52.0)
STATES = (
    CLEAN,
    replace(CLEAN, revision=8, dirty=(dirty_file("MEMORY.md"),)),
    replace(CLEAN, agent_id="work", workspace="/home/ada/work"),
    running(PROGRESS),
    OUTAGE,
    BUSY,
)
NEWS: tuple[events.EngineEvent, ...] = (
    events.SyncStarted("watch", False, False, 3),
    PROGRESS,
    events.SyncFinished(REPORT),
    events.SyncFailed("Sync stopped", "The disk is full.", "Make room."),
    events.SyncCancelled(),
    events.IndexChanged(8),
    events.ScanChanged(2),
    events.Notice("warning", "The provider asks to wait [/]."),
    events.HostPaused("api.openai.com", 41.0, NOW_MS + 41_000, "HTTP 429"),
    events.ModelDownload("embedding.gguf", 1, 2, 3.0, 4.0),
    events.ModelDownload("embedding.gguf", 2, 2, stage="done"),
)


@dataclass
class WanderingEngine(SearchingEngine, ProvidingEngine):
    """Knows four files of the same text."""

    roots: SourceRoots = field(default_factory=lambda: SourceRoots(Path("/home/ada/clawd")))

    def now_ms(self) -> float:
        """The moment of all screen tests."""
        return NOW_MS

    def scan(self) -> Sequence[FileState]:
        """The four files."""
        size = len(TEXT)
        return [FileState(path, "memory", size, NOW_MS, "0" * 64, "indexed", 1) for path in PATHS]

    def chunks(self, path: str) -> Sequence[ChunkRow]:
        """One chunk a file."""
        return [ChunkRow(1, path, "memory", 1, 7, "0" * 64, TEXT, 0)] if path in PATHS else []

    def read_text(self, path: str) -> str:
        """The text; other paths are refused."""
        if path not in PATHS:
            raise PathError("File not found", f"{path} is not there.", "")
        return TEXT

    def get(self, path: str, from_: int | None = None, lines: int | None = None) -> MemoryText:
        """The asked lines."""
        first, count = from_ or 1, lines or 1
        taken = TEXT.split("\n")[first - 1 : first - 1 + count]
        return MemoryText(path, "\n".join(taken), first, len(taken))

    def absolute_path(self, path: str) -> Path:
        """Where the file would lie."""
        return self.roots.workspace / path


@dataclass
class Wanderer:
    """Takes random steps and waits for none of them, unless a step is to wait."""

    app: MemlensApp
    pilot: Pilot[None]
    engine: WanderingEngine
    chance: random.Random

    async def step(self) -> None:
        """One thing that a person, the engine or the terminal may do."""
        steps = (self.press, self.type, self.hear, self.learn, self.resize, self.open, self.rest)
        await self.chance.choices(steps, (12, 2, 5, 3, 2, 1, 4))[0]()

    async def press(self) -> None:
        """A key."""
        key = self.chance.choice(KEYS)
        self.app.post_message(Key(key, key if len(key) == 1 else None))

    async def type(self) -> None:
        """A word, all letters at once."""
        for letter in self.chance.choice(WORDS):
            self.app.post_message(Key("space" if letter == " " else letter, letter))

    async def hear(self) -> None:
        """News of the indexer, on a thread of the engine."""
        news = self.chance.choice(NEWS)
        threading.Thread(target=self.engine.events.emit, args=(news,), daemon=True).start()

    async def learn(self) -> None:
        """Another status."""
        self.engine.state = self.chance.choice(STATES)
        self.app.bridge.refresh_status()

    async def resize(self) -> None:
        """Another size of the terminal."""
        await self.pilot.resize_terminal(*self.chance.choice(SIZES))

    async def open(self) -> None:
        """A file from anywhere, or another memory."""
        if self.chance.random() < 0.2:
            self.app.reopen(self.app.bridge.options)
        else:
            self.app.post_message(OpenFile(self.chance.choice([*PATHS, "no.md"]), 3, 5, "router"))

    async def rest(self) -> None:
        """A breath, short or long."""
        await self.pilot.pause(self.chance.choice((0.0, 0.0, 0.001, 0.03)))
