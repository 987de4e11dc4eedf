"""Another process with an engine of its own on the same index, which stops where it is told.

``python -m tests.cases.second_engine STAGE WORKSPACE INDEX`` runs a forced rebuild (or a
sync, where the stage is one of the journal's) and says "ready" when the stage is reached;
it goes on when it reads a line.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from engine.config.request import EngineOptions, Places
from engine.events import EngineEvent, Stage, StageReached
from engine.memory import MemoryEngine, Surroundings

ROOT = Path(__file__).parents[2]
PATIENCE_S = 60.0


@contextmanager
def engine_on(workspace: Path, index: Path) -> Iterator[MemoryEngine]:
    """An engine on a workspace and an index file, with the built-in model."""
    home = index.parent / "home"
    options = EngineOptions(workspace=workspace, store=index)
    around = Surroundings({}, Places(home, home, home), inline_indexing=True)
    engine = MemoryEngine.open(options, around)
    try:
        yield engine
    finally:
        engine.close()


@contextmanager
def another_at(stage: Stage, workspace: Path, index: Path) -> Iterator[subprocess.Popen[str]]:
    """A second process, standing at a stage of its rebuild."""
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "tests.cases.second_engine", stage, workspace, index],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        yield process
    finally:
        process.kill()
        process.communicate()


def let_go(process: subprocess.Popen[str]) -> None:
    """Let it finish, and wait for that."""
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()
    assert process.wait(PATIENCE_S) == 0


def main(stage: str, workspace: str, index: str) -> None:
    """Rebuild and stop at the stage."""

    def stand(event: EngineEvent) -> None:
        if isinstance(event, StageReached) and event.name == stage:
            print("ready", flush=True)
            sys.stdin.readline()

    with engine_on(Path(workspace), Path(index)) as engine:
        engine.events.subscribe(stand)
        engine.sync("demand", force=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
