"""A small memory that can be indexed in many ways, looked through, and laid out again."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from engine.chunking.chunk import ChunkingRules
from engine.clock import SystemClock
from engine.config.request import EngineOptions, Places
from engine.embeddings.adapters import remote_provider
from engine.embeddings.builtin.provider import BuiltinProvider
from engine.embeddings.contract import EmbeddingProvider, ProviderLimits
from engine.embeddings.remote.settings import RemoteSettings, WireSettings
from engine.events import EngineEvent, EventSink, SyncReason
from engine.index.context import SyncParts
from engine.index.runner import Indexer
from engine.index.settings import IndexSettings
from engine.memory import MemoryEngine, Surroundings
from engine.net.client import HttpClient
from engine.net.secret import Secret
from engine.net.transport import HttpxTransport
from engine.sources.found import SourceRoots
from engine.store.contract import Tokenizer
from engine.store.store import Store
from tests.engine.index.toy_provider import ToyProvider

PARAGRAPHS = 6
BATCH_CHUNKS = 8
AT_ONCE = 2
"""Requests to an endpoint, each with as many texts as a batch."""


@cache
def provider_called(name: str) -> EmbeddingProvider | None:
    """The provider of that name, made once (a fork finds its model loaded).

    "builtin", "none", the base address of an endpoint, or any name of a toy.
    """
    if name == "none":
        return None
    if name == "builtin":
        return BuiltinProvider()
    if name.startswith("http://"):
        return _endpoint(name)
    return ToyProvider(name, tokens=7)


def _endpoint(base_url: str) -> EmbeddingProvider:
    client = HttpClient(HttpxTransport({}), SystemClock(), lambda: 0.0)
    settings = RemoteSettings(
        provider="openai",
        base_url=base_url,
        wire=WireSettings("bow-192", None, False),
        key=Secret("test-key-abcdef"),
        key_source="remote.apiKey",
        limits=ProviderLimits(BATCH_CHUNKS, 300_000, 8192),
        concurrency=AT_ONCE,
    )
    return remote_provider(settings, client, lambda space: None)


@dataclass(frozen=True, slots=True)
class Setup:
    """How one run indexes: who embeds, how texts are cut and looked up."""

    provider: str = "builtin"
    tokens: int = 16
    tokenizer: Tokenizer = "unicode61"


@dataclass(frozen=True, slots=True)
class Bench:
    """A folder with a workspace and, beside it, the index file."""

    folder: Path

    @property
    def workspace(self) -> Path:
        """The notes."""
        return self.folder / "workspace"

    @property
    def index(self) -> Path:
        """The index file."""
        return self.folder / "index.sqlite"

    def write_notes(self) -> None:
        """The first state of the notes."""
        (self.workspace / "memory").mkdir(parents=True)
        for number in range(6):
            self._write(f"note-{number}.md", f"heron{number}")

    def edit_notes(self) -> None:
        """Change two notes, add and delete one, rename one, touch one."""
        memory = self.workspace / "memory"
        self._write("note-0.md", "plover0")
        self._write("note-1.md", "plover1")
        self._write("note-9.md", "dunlin9")
        (memory / "note-2.md").unlink()
        (memory / "note-3.md").rename(memory / "note-8.md")
        os.utime(memory / "note-4.md", (1_700_000_000, 1_700_000_000))

    def _write(self, name: str, word: str) -> None:
        lines = [f"The {word} was seen at the pier {word}x{n}." for n in range(PARAGRAPHS)]
        (self.workspace / "memory" / name).write_text("\n\n".join(lines) + "\n", "utf-8")

    def copy_to(self, folder: Path) -> Bench:
        """The same bench elsewhere, file times kept."""
        shutil.copytree(self.folder, folder)
        return Bench(folder)

    @contextmanager
    def open(self, sink: EventSink = lambda event: None) -> Iterator[Store]:
        """The store, closed at the end."""
        store = Store.open(self.index, events=sink, clock=SystemClock())
        try:
            yield store
        finally:
            store.close()

    def run(
        self,
        setup: Setup,
        reason: SyncReason = "demand",
        *,
        force: bool = False,
        sink: EventSink = lambda event: None,
    ) -> None:
        """Open the store, run the indexer once, close both."""
        with self.open(sink) as store:
            parts = SyncParts(
                store,
                self.settings(setup),
                provider_called(setup.provider),
                SystemClock(),
                sink,
            )
            indexer = Indexer(parts)
            try:
                indexer.run(reason, force=force)
            finally:
                indexer.close()

    def run_facade(
        self,
        setup: Setup,
        reason: SyncReason = "demand",
        *,
        force: bool = False,
        sink: EventSink = lambda event: None,
    ) -> None:
        """The same through the facade, with everything it wires up (and its larger batches)."""
        home = self.folder / "home"
        around = Surroundings({}, Places(home, home, home), inline_indexing=True)
        keys = (f"chunking.tokens={setup.tokens}", "chunking.overlap=0")
        options = EngineOptions(workspace=self.workspace, store=self.index, settings=keys)
        engine = MemoryEngine.open(options, around)
        engine.events.subscribe(sink)
        try:
            engine.sync(reason, force=force)
        finally:
            engine.close()

    def settings(self, setup: Setup) -> IndexSettings:
        """Small chunks and small batches, so that few words make many transactions."""
        rules = ChunkingRules(setup.tokens, 0)
        settings = IndexSettings(SourceRoots(self.workspace), rules, setup.tokenizer)
        return replace(settings, batch_chunks=BATCH_CHUNKS)


def silent(event: EngineEvent) -> None:
    """Nobody listens."""
