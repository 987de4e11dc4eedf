"""Searches during a forced rebuild: ``python -m tests.bench.rebuild_latency [files]``.

Builds a memory of daily notes (two chunks each, so 10,000 files give 20,000 chunks), asks
the same questions while nothing else happens and while the indexing process rebuilds
everything, and prints the times and the ratio of their 95th percentiles.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.config.request import EngineOptions, Places
from engine.events import EngineEvent, SyncFinished, SyncStarted
from engine.memory import MemoryEngine, Surroundings
from tests.bench.daily_files import write_daily_files

FILES = 10_000
IDLE_QUERIES = 400
PAUSE_S = 0.05
"""Between two questions, as somebody who types fast makes it."""

WORDS = ("router", "printer", "kitchen", "firmware", "certificate", "Fumiko", "boiler", "ticket")


@dataclass(frozen=True, slots=True)
class Times:
    """Wall times of searches in milliseconds."""

    name: str
    values: Sequence[float]

    def percentile(self, share: float) -> float:
        """The value that this share of the searches does not exceed."""
        ranked = sorted(self.values)
        return ranked[min(len(ranked) - 1, round(share * (len(ranked) - 1)))]

    def line(self) -> str:
        """One line of the table."""
        shares = "  ".join(f"p{s:.0%} {self.percentile(s):7.1f}".replace("%", "") for s in SHARES)
        return f"{self.name:14} {len(self.values):5} searches  {shares}  ms"


SHARES = (0.5, 0.95, 0.99, 1.0)


class Rebuilding:
    """Knows whether a forced sync is under way, and that a process of its own does it."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.over = threading.Event()

    def __call__(self, event: EngineEvent) -> None:
        """An event of the engine."""
        if isinstance(event, SyncStarted) and event.forced:
            assert event.bulk
            self.begun.set()
        elif isinstance(event, SyncFinished) and self.begun.is_set():
            self.over.set()


def questions() -> Iterator[str]:
    """Questions of three words, the same ones each time."""
    choose = random.Random(11)
    while True:
        yield " ".join(choose.sample(WORDS, 3))


def ask(engine: MemoryEngine, question: str) -> float:
    """One search of the screen, from the question to the ranking; milliseconds."""
    settings = engine.rank_settings()
    began = time.perf_counter()
    ranking = engine.rank(engine.retrieve(question, settings), settings)
    assert ranking.kept
    return (time.perf_counter() - began) * 1000.0


def measure(folder: Path, files: int) -> tuple[int, float, Times, Times]:
    """Chunks, seconds of the rebuild, and the times without and with it."""
    write_daily_files(folder / "ws/memory", files)
    home = folder / "home"
    around = Surroundings(dict(os.environ), Places(home, home, home))
    options = EngineOptions(workspace=folder / "ws", store=folder / "index.sqlite")
    engine, rebuilding = MemoryEngine.open(options, around), Rebuilding()
    engine.events.subscribe(rebuilding)
    try:
        engine.sync("demand")
        asked = questions()
        for _ in range(10):
            ask(engine, next(asked))
        idle = list(_paced(engine, asked, IDLE_QUERIES))
        began = time.perf_counter()
        engine.start_sync("demand", force=True)
        assert rebuilding.begun.wait(60.0)
        busy: list[float] = []
        while not rebuilding.over.is_set():
            busy += _paced(engine, asked, 1)
        seconds = time.perf_counter() - began
        return engine.status().chunks, seconds, Times("idle", idle), Times("rebuilding", busy)
    finally:
        engine.close()


def _paced(engine: MemoryEngine, asked: Iterator[str], count: int) -> Iterator[float]:
    for _ in range(count):
        yield ask(engine, next(asked))
        time.sleep(PAUSE_S)


def main() -> None:
    """Print the table; with the switch interval that the application sets."""
    sys.setswitchinterval(0.001)
    files = int(sys.argv[1]) if len(sys.argv) > 1 else FILES
    with tempfile.TemporaryDirectory() as folder:
        chunks, seconds, idle, busy = measure(Path(folder), files)
    print(f"{files:,} files, {chunks:,} chunks, rebuilt in {seconds:.1f} s; load {os.getloadavg()}")
    print(idle.line())
    print(busy.line())
    print(f"ratio of p95: {busy.percentile(0.95) / idle.percentile(0.95):.2f}")


if __name__ == "__main__":
    main()
