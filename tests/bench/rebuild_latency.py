"""Searches during a forced rebuild: ``python -m tests.bench.rebuild_latency [files] [rounds]``.

Builds a memory of daily notes (two chunks each, so 10,000 files give 20,000 chunks), asks
the same questions in turns while nothing else happens and while the indexing process
rebuilds everything, and prints the times and the ratio of their 95th percentiles. In turns,
because whoever else uses the machine must disturb both alike; the processor time of the
searching thread is told too, which others hardly touch.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from engine.config.request import EngineOptions, Places
from engine.events import EngineEvent, SyncFinished, SyncStarted
from engine.memory import MemoryEngine, Surroundings
from tests.bench.daily_files import write_daily_files

FILES, ROUNDS = 10_000, 4
IDLE_QUERIES = 150
"""A round; about as many as fit beside one rebuild."""
PAUSE_S = 0.05
"""Between two questions, as somebody who types fast makes it."""

SHARES = (0.5, 0.95, 0.99, 1.0)
WORDS = ("router", "printer", "kitchen", "firmware", "certificate", "Fumiko", "boiler", "ticket")


@dataclass(slots=True)
class Times:
    """Wall and thread processor times of searches in milliseconds."""

    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)

    def __iadd__(self, other: Times) -> Times:
        self.wall += other.wall
        self.cpu += other.cpu
        return self

    def lines(self, name: str) -> Iterator[str]:
        """Two lines of the table."""
        for kind, values in (("wall", self.wall), ("cpu", self.cpu)):
            shares = "  ".join(f"p{100 * s:.0f} {percentile(values, s):7.1f}" for s in SHARES)
            yield f"{name:10} {kind:4} {len(values):5} searches  {shares}  ms"


def percentile(values: Sequence[float], share: float) -> float:
    """The value that this share of the searches does not exceed."""
    return sorted(values)[round(share * (len(values) - 1))]


def ratio(busy: Sequence[float], idle: Sequence[float], share: float = 0.95) -> float:
    """How much longer searches take."""
    return percentile(busy, share) / percentile(idle, share)


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


def ask(engine: MemoryEngine, question: str, times: Times) -> None:
    """One search of the screen, from the question to the ranking; then a pause."""
    settings = engine.rank_settings()
    began, worked = time.perf_counter(), time.thread_time()
    ranking = engine.rank(engine.retrieve(question, settings), settings)
    assert ranking.kept
    times.cpu.append((time.thread_time() - worked) * 1000.0)
    times.wall.append((time.perf_counter() - began) * 1000.0)
    time.sleep(PAUSE_S)


def idle_round(engine: MemoryEngine, asked: Iterator[str]) -> Times:
    """Searches while nothing else happens."""
    times = Times()
    for _ in range(IDLE_QUERIES):
        ask(engine, next(asked), times)
    return times


def busy_round(engine: MemoryEngine, asked: Iterator[str]) -> tuple[Times, float]:
    """Searches beside one rebuild, and how many seconds that took."""
    rebuilding, times = Rebuilding(), Times()
    forget = engine.events.subscribe(rebuilding)
    began = time.perf_counter()
    engine.start_sync("demand", force=True)
    assert rebuilding.begun.wait(60.0)
    while not rebuilding.over.is_set():
        ask(engine, next(asked), times)
    forget()
    return times, time.perf_counter() - began


def measure(folder: Path, files: int, rounds: int) -> None:
    """Lay everything out, print a line for each round and the table of all."""
    write_daily_files(folder / "ws/memory", files)
    home = folder / "home"
    around = Surroundings(dict(os.environ), Places(home, home, home))
    options = EngineOptions(workspace=folder / "ws", store=folder / "index.sqlite")
    engine, idle, busy = MemoryEngine.open(options, around), Times(), Times()
    try:
        engine.sync("demand")
        asked = questions()
        for _ in range(10):
            ask(engine, next(asked), Times())
        print(f"{files:,} files, {engine.status().chunks:,} chunks")
        for number in range(rounds):
            quiet = idle_round(engine, asked)
            beside, seconds = busy_round(engine, asked)
            print(
                f"round {number + 1}: rebuilt in {seconds:.1f} s, load {os.getloadavg()[0]:.1f}; "
                f"p95 {percentile(quiet.wall, 0.95):.0f} and {percentile(beside.wall, 0.95):.0f}"
                f" ms, ratio {ratio(beside.wall, quiet.wall):.2f}",
                flush=True,
            )
            idle += quiet
            busy += beside
    finally:
        engine.close()
    print(*idle.lines("idle"), *busy.lines("rebuilding"), sep="\n")
    wall, cpu = ratio(busy.wall, idle.wall), ratio(busy.cpu, idle.cpu)
    print(f"ratio of p95: wall {wall:.2f}, cpu {cpu:.2f}")


def main() -> None:
    """Print the table; with the switch interval that the application sets."""
    sys.setswitchinterval(0.001)
    told = [int(number) for number in sys.argv[1:]]
    files, rounds = told + [FILES, ROUNDS][len(told) :]
    with tempfile.TemporaryDirectory() as folder:
        measure(Path(folder), files, rounds)


if __name__ == "__main__":
    main()
