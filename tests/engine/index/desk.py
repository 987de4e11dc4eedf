"""A workspace, an index file and an indexer's parts, for tests."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from engine.chunking.chunk import ChunkingRules
from engine.clock import Clock, SystemClock
from engine.embeddings.contract import EmbeddingProvider
from engine.events import EngineEvent, EventBus, SyncReason, SyncReport
from engine.index.context import SyncParts
from engine.index.decision import SyncRequest
from engine.index.runner import Indexer
from engine.index.settings import IndexSettings
from engine.index.sync import run_sync
from engine.index.wire import ChildSetup
from engine.sources.found import SourceRoots
from engine.status import FileState
from engine.store.store import Store

Kind = TypeVar("Kind")
WAIT_S = 60.0


@dataclass
class Desk:
    """Everything lies under ``folder``; ``events`` holds what was told, in order."""

    folder: Path
    settings: IndexSettings
    store: Store
    bus: EventBus
    events: list[EngineEvent] = field(default_factory=list)
    indexers: list[Indexer] = field(default_factory=list)
    clock: Clock = field(default_factory=SystemClock)

    @property
    def workspace(self) -> Path:
        """The workspace folder."""
        return self.settings.roots.workspace

    def write(self, path: str, text: str) -> Path:
        """Write a file of the workspace."""
        file = self.workspace / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="")
        return file

    def touch(self, path: str) -> None:
        """Give a file another mtime and leave its text alone."""
        file = self.workspace / path
        found = file.stat()
        os.utime(file, ns=(found.st_atime_ns, found.st_mtime_ns + 5_000_000_000))

    def parts(
        self, provider: EmbeddingProvider | None = None, store: Store | None = None
    ) -> SyncParts:
        """What a sync or an indexer works with."""
        store = store or self.store
        return SyncParts(store, self.settings, provider, self.clock, self.bus.emit)

    def sync(
        self,
        provider: EmbeddingProvider | None = None,
        reason: SyncReason = "demand",
        *,
        force: bool = False,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> SyncReport:
        """One sync on this thread."""
        request = SyncRequest(reason, force)
        return run_sync(self.parts(provider), request, cancelled).report

    def indexer(
        self,
        provider: EmbeddingProvider | None = None,
        *,
        child: bool = False,
        store: Store | None = None,
    ) -> Indexer:
        """An indexer on the store; closed at the end of the test."""
        setup = ChildSetup(self.store.path) if child else None
        indexer = Indexer(self.parts(provider, store), child=setup, environ=dict(os.environ))
        self.indexers.append(indexer)
        return indexer

    def configure(self, **changes: object) -> None:
        """Change settings from now on."""
        self.settings = replace(self.settings, **changes)  # type: ignore[arg-type]

    def reopen(self) -> None:
        """Close the store and open it again, as the next process would."""
        self.store.close()
        self.store = open_store(self.store.path, self.bus)

    def told(self, kind: type[Kind]) -> list[Kind]:
        """The events of one kind so far."""
        return [event for event in self.events if isinstance(event, kind)]

    def wait_for(self, kind: type[Kind]) -> threading.Event:
        """An event that is set when the next event of a kind is told."""
        happened = threading.Event()

        def heard(event: EngineEvent) -> None:
            if isinstance(event, kind):
                happened.set()

        self.bus.subscribe(heard)
        return happened

    def close(self) -> None:
        """Close indexers and store."""
        for indexer in self.indexers:
            indexer.close()
        self.store.close()


def make_desk(folder: Path, tokens: int = 400, overlap: int = 80) -> Desk:
    """A desk with an empty workspace."""
    workspace = folder / "workspace"
    (workspace / "memory").mkdir(parents=True)
    bus = EventBus()
    settings = IndexSettings(SourceRoots(workspace), ChunkingRules(tokens, overlap))
    desk = Desk(folder, settings, open_store(folder / "index.sqlite", bus), bus)
    bus.subscribe(desk.events.append)
    return desk


def open_store(path: Path, bus: EventBus) -> Store:
    """The index file, opened as the application does."""
    return Store.open(path, events=bus.emit, clock=SystemClock())


def by_path(states: tuple[FileState, ...]) -> dict[str, FileState]:
    """File states by path."""
    return {state.path: state for state in states}
