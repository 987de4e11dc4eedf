"""The indexing process is killed at any moment; the application goes on answering."""

from __future__ import annotations

import os
import random
import re
import signal
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from engine.config.request import EngineOptions, Places
from engine.errors import SyncError
from engine.events import EngineEvent, StageReached
from engine.memory import MemoryEngine, Surroundings
from engine.tools.memory_search import memory_search
from tests.crash.bench import Bench
from tests.crash.contents import assert_sound

KILLS = 6
SEED = 20260210


@dataclass
class Hunter:
    """Kills the child of an engine when so many stages were told, and notes the last one."""

    engine: MemoryEngine
    left: int = 0
    hits: Counter[str] = field(default_factory=Counter)
    heard: list[str] = field(default_factory=list)

    def __call__(self, event: EngineEvent) -> None:
        """An event that the child has sent."""
        if not isinstance(event, StageReached):
            return
        self.heard.append(event.name)
        self.left -= 1
        if self.left == 0:
            pid = self.engine.indexer.child_pid
            assert pid is not None
            os.kill(pid, signal.SIGKILL)
            self.hits[event.name] += 1


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """Notes of more chunks than a small sync takes on itself."""
    bench = Bench(tmp_path)
    memory = bench.workspace / "memory"
    memory.mkdir(parents=True)
    for number in range(20):
        lines = [f"Heron {number} of day {day} at the pier, calm sea." for day in range(40)]
        (memory / f"{number}.md").write_text("\n\n".join(lines), "utf-8")
    return bench


@pytest.fixture
def engine(bench: Bench) -> Iterator[MemoryEngine]:
    """A whole engine with its indexing process."""
    home = bench.folder / "home"
    keys = ("chunking.tokens=16", "chunking.overlap=0")
    options = EngineOptions(workspace=bench.workspace, store=bench.index, settings=keys)
    around = Surroundings(dict(os.environ), Places(home, home, home))
    engine = MemoryEngine.open(options, around)
    yield engine
    engine.close()


def answers(engine: MemoryEngine) -> set[str]:
    """Which states of the wagtail's note a search gives back."""
    results = memory_search(engine, "the wagtail sang").results
    return set(re.findall(r"turn\d+", " ".join(result.snippet for result in results)))


def test_killed_at_random_moments(
    bench: Bench, engine: MemoryEngine, capsys: pytest.CaptureFixture[str]
) -> None:
    hunter, note = Hunter(engine), bench.workspace / "memory/wagtail.md"
    note.write_text("The wagtail sang on turn0.", "utf-8")
    engine.events.subscribe(hunter)
    engine.sync("start")
    hunter.heard.clear()
    engine.sync("demand", force=True)
    stages = len(hunter.heard)
    choose = random.Random(SEED)
    for turn in range(1, KILLS + 1):
        old, new = f"turn{turn - 1}", f"turn{turn}"
        note.write_text(f"The wagtail sang on {new}.", "utf-8")
        hunter.left = choose.randint(1, stages - 3)  # after the last ones it may be done already
        with pytest.raises(SyncError, match="signal 9"):
            engine.sync("demand", force=True)
        assert answers(engine) in ({old}, {new})
        assert_sound(bench)
        engine.sync("watch")
        assert answers(engine) == {new}
        assert engine.status().sync.phase == "idle"
    with capsys.disabled():
        told = ", ".join(f"{stage} {times}" for stage, times in hunter.hits.items())
        print(f"\nindexing process: {hunter.hits.total()} kills, at {told}", end="")
    assert hunter.hits.total() == KILLS
