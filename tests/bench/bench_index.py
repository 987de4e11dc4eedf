"""How fast indexing is: ``python -m tests.bench.bench_index [files]`` from the checkout."""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from engine.chunking.chunk import ChunkingRules
from engine.clock import SystemClock
from engine.embeddings.builtin.provider import BuiltinProvider
from engine.events import SyncReason
from engine.index.context import SyncParts
from engine.index.decision import SyncRequest
from engine.index.settings import IndexSettings
from engine.index.sync import run_sync
from engine.sources.found import SourceRoots
from engine.store.store import Store
from tests.bench.daily_files import write_daily_files


@dataclass(frozen=True, slots=True)
class Figures:
    """Process CPU seconds of each step, measured after imports and with the model loaded."""

    files: int
    size: int
    chunks: int
    first: float
    unchanged: float
    touched: float
    one_changed: float
    forced: float


class Bench:
    """A workspace of daily notes and a store, syncing in this process."""

    def __init__(self, folder: Path, files: int) -> None:
        self.memory = folder / "workspace/memory"
        self.size = write_daily_files(self.memory, files)
        clock = SystemClock()
        self.store = Store.open(folder / "index.sqlite", events=_silent, clock=clock)
        settings = IndexSettings(SourceRoots(folder / "workspace"), ChunkingRules(400, 80))
        provider = BuiltinProvider()
        provider.embed_query("load the model")
        self.parts = SyncParts(self.store, settings, provider, clock, _silent)

    def sync(self, reason: SyncReason = "demand", *, force: bool = False) -> None:
        """One sync."""
        run_sync(self.parts, SyncRequest(reason, force), lambda: False)

    def change_one(self) -> None:
        """Append a line to one note."""
        note = next(iter(sorted(self.memory.iterdir())))
        note.write_text(note.read_text("utf-8") + "- A heron on the pier.\n", "utf-8")

    def touch_all(self) -> None:
        """Give every note another mtime."""
        for note in self.memory.iterdir():
            note.touch()


@contextmanager
def bench(files: int) -> Iterator[Bench]:
    """A bench in a temporary folder."""
    with tempfile.TemporaryDirectory() as folder:
        made = Bench(Path(folder), files)
        try:
            yield made
        finally:
            made.store.close()


def cpu(act: Callable[[], None], times: int = 1) -> float:
    """The least process CPU, in seconds, of some runs."""
    spent = []
    for _ in range(times):
        began = time.process_time()
        act()
        spent.append(time.process_time() - began)
    return min(spent)


def measure(files: int) -> Figures:
    """All steps, one after the other."""
    with bench(files) as desk:
        first = cpu(desk.sync)
        unchanged = cpu(desk.sync, 3)
        desk.touch_all()
        touched = cpu(desk.sync)
        desk.change_one()
        one_changed = cpu(desk.sync)
        forced = cpu(lambda: desk.sync(force=True))
        chunks = desk.store.counts().chunks
        return Figures(files, desk.size, chunks, first, unchanged, touched, one_changed, forced)


def _silent(event: object) -> None:
    """Nobody listens."""


def main() -> None:
    """Print the figures."""
    figures = measure(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
    print(f"{figures.files} files, {figures.size / 1e6:.2f} MB, {figures.chunks} chunks")
    for step in ("first", "unchanged", "touched", "one_changed", "forced"):
        print(f"{step:12} {getattr(figures, step) * 1000:8.0f} ms CPU")


if __name__ == "__main__":
    main()
