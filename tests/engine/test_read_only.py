"""A whole engine on an index and a folder that may only be read."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.config.request import EngineOptions, Places
from engine.memory import MemoryEngine, Surroundings

ROOT = Path(__file__).parents[2]

AS_NOBODY = """
import json, os, sys, tempfile
from pathlib import Path
from engine.config.request import EngineOptions, Places
from engine.errors import EngineError
from engine.memory import MemoryEngine, Surroundings
from engine.tools.memory_search import memory_search

def engine_below(folder):
    options = EngineOptions(workspace=folder / "ws", store=folder / "agent/index.sqlite")
    places = Places(folder / "home", folder / "home", folder / "home")
    return MemoryEngine.open(options, Surroundings({}, places, inline_indexing=True))

def attempt(act):
    try:
        return act()
    except EngineError as error:
        return f"{error.title}: {error.message}"

def tell(engine):
    results = lambda: memory_search(engine, "heron").results
    return {
        "sync": attempt(lambda: engine.sync("start").files_indexed),
        "found": attempt(lambda: [r.ranked.candidate.path for r in results()]),
        "stale": attempt(lambda: memory_search(engine, "heron").stale),
        "rebuild": attempt(lambda: engine.sync("demand", force=True).files_indexed),
        "warnings": attempt(lambda: [caution.title for caution in engine.status().warnings]),
    }

with tempfile.TemporaryDirectory() as scratch:  # everything is imported before the rights go
    Path(scratch, "ws/memory").mkdir(parents=True)
    Path(scratch, "ws/memory/a.md").write_text("The heron.", "utf-8")
    engine = engine_below(Path(scratch))
    tell(engine)
    engine.close()
if os.geteuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
engine = engine_below(Path(sys.argv[1]))
print(json.dumps(tell(engine)))
engine.close()
"""


@pytest.fixture
def folder() -> Iterator[Path]:
    """An indexed memory in a folder that other users may pass, closed to writing."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "ws/memory").mkdir(parents=True)
        (folder / "ws/memory/a.md").write_text("The heron stands still.\n", "utf-8")
        places = Places(folder / "home", folder / "home", folder / "home")
        options = EngineOptions(workspace=folder / "ws", store=folder / "agent/index.sqlite")
        engine = MemoryEngine.open(options, Surroundings({}, places, inline_indexing=True))
        engine.sync("demand")
        engine.close()
        close_to_writing(folder / "agent")
        yield folder
        (folder / "agent").chmod(0o755)


def close_to_writing(agent: Path) -> None:
    """Nobody may change the folder or a file in it."""
    for part in agent.iterdir():
        part.chmod(0o444)
    agent.chmod(0o555)


def as_nobody(folder: Path) -> dict[str, Any]:
    """What an engine says in a process without the rights of root."""
    done = subprocess.run(
        [sys.executable, "-P", "-c", AS_NOBODY, str(folder)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    said: dict[str, Any] = json.loads(done.stdout)
    return said


def test_an_index_that_is_up_to_date_is_searched_without_a_complaint(folder: Path) -> None:
    said = as_nobody(folder)
    assert said["sync"] == 0, "a sync that finds nothing to do is no failure"
    assert said["found"] == ["memory/a.md"]
    assert said["stale"] is False
    assert said["rebuild"].startswith("Index is read-only: ")
    assert "Read-only index" in said["warnings"]


def test_a_change_on_disk_is_told_and_the_old_index_answers(folder: Path) -> None:
    (folder / "ws/memory/b.md").write_text("A wagtail came.\n", "utf-8")
    said = as_nobody(folder)
    assert said["sync"].startswith("Index is read-only: ")
    assert said["found"] == ["memory/a.md"]
    assert said["stale"] is True
