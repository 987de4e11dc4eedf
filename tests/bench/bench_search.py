"""How fast searching is: ``python -m tests.bench.bench_search [files]`` from the checkout.

Thread CPU of retrieve, rank and explain, and of the whole ``memory_search``, on generated
daily notes of two kinds; beside each figure its ratio to a fixed loop of plain Python, which
says how fast the machine is at this moment.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from engine.clock import FixedClock
from engine.config.request import EngineOptions, Places
from engine.memory import MemoryEngine, Surroundings
from engine.ranking.settings import RankSettings
from engine.tools.memory_search import memory_search
from tests.bench.daily_files import write_daily_files
from tests.bench.zipf_notes import ZipfText, write_zipf_notes

NOW_MS = 1_795_824_000_000.0
ROUNDS = 5
DAILY_QUERIES = (
    "which battery did Anna replace in the kitchen",
    "firmware of the router",
    "ticket 0420",
    "why was the certificate of the boiler cleaned by Igor",
    "camera",
    "what happened to the password of the server in the attic",
    "who moved the switch to the garden and measured the sensor",
    "Fumiko backup schedule",
)


@dataclass(frozen=True, slots=True)
class Figures:
    """Median thread CPU of one query in milliseconds, by step; ``loop`` is the fixed loop."""

    chunks: int
    loop: float
    steps: Mapping[str, float]


@contextmanager
def searching(write: Callable[[Path, int], object], files: int) -> Iterator[MemoryEngine]:
    """An engine over generated notes, indexed and warm."""
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        write(home / "workspace/memory", files)
        around = Surroundings({}, Places(home, home, home), FixedClock(NOW_MS), True)
        options = EngineOptions(workspace=home / "workspace", settings=("provider=builtin",))
        engine = MemoryEngine.open(options, around)
        try:
            engine.sync("demand")
            yield engine
        finally:
            engine.close()


def measure(engine: MemoryEngine, queries: Sequence[str]) -> Figures:
    """Every step for every query, each the least of some rounds."""
    settings = engine.rank_settings("tuned")
    diverse = _diverse(settings)
    steps: dict[str, Callable[[str], object]] = {
        "retrieve": lambda query: engine.retrieve(query, settings),
        "retrieve, rank, explain": lambda query: explained(engine, query, settings),
        "memory_search": lambda query: memory_search(engine, query),
    }
    for query in queries[:4]:
        explained(engine, query, settings)
    found = {name: median(_cpu(step, query) for query in queries) for name, step in steps.items()}
    pools = {query: engine.retrieve(query, settings) for query in queries}
    found["rank again"] = median(
        _cpu(lambda q: engine.rank(pools[q], settings), q) for q in queries
    )
    found["rank again, MMR of 200"] = median(
        _cpu(lambda q: engine.rank(pools[q], diverse), q) for q in queries
    )
    return Figures(engine.store.counts().chunks, loop_ms(), found)


def _diverse(settings: RankSettings) -> RankSettings:
    return replace(settings, candidate_multiplier=20, mmr=replace(settings.mmr, enabled=True))


def explained(engine: MemoryEngine, query: str, settings: RankSettings) -> list[str]:
    """Search, and spell every step of every result out."""
    ranking = engine.rank(engine.retrieve(query, settings), settings)
    return [step.formula for ranked in ranking.kept for step in ranked.trace.steps]


def _cpu(step: Callable[[str], object], query: str) -> float:
    spent = []
    for _ in range(ROUNDS):
        began = time.thread_time()
        step(query)
        spent.append(time.thread_time() - began)
    return min(spent) * 1000


def loop_ms() -> float:
    """Thread CPU of a fixed piece of plain Python: about 3 ms on a quiet machine of today."""

    def work(_: str) -> int:
        return sum(len({str(n), str(n + 1)}) for n in range(8000))

    return _cpu(work, "")


def zipf_queries() -> list[str]:
    """Forty questions on the generated notes."""
    text = ZipfText(seed=23)
    return [text.question() for _ in range(40)]


def main() -> None:
    """Print the figures of both kinds of notes."""
    files = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    kinds = {
        "daily notes, 46 words": (write_daily_files, list(DAILY_QUERIES)),
        "daily notes, Zipf": (write_zipf_notes, zipf_queries()),
    }
    for name, (write, queries) in kinds.items():
        with searching(write, files) as engine:
            figures = measure(engine, queries)
        print(f"{name}: {figures.chunks} chunks, fixed loop {figures.loop:.2f} ms")
        for step, spent in figures.steps.items():
            print(f"  {step:26} {spent:7.2f} ms CPU {spent / figures.loop:7.2f} loops")


if __name__ == "__main__":
    main()
