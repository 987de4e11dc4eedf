"""Starting: nothing heavy before the first frame, and a clear word without a terminal."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HEAVY = ("numpy", "pydantic", "apsw", "httpx", "sqlite_vec", "watchfiles", "json5")
FIRST_FRAME = f"""
import asyncio, pathlib, sys, threading, time
sys.path.insert(0, {str(ROOT)!r})
from engine.clock import SystemClock
from engine.config.request import EngineOptions, Places
from engine.memory import Surroundings
from tui.app import MemlensApp

seen, asked = [], threading.Event()

def opener(options, around):
    seen.extend(name for name in {HEAVY!r} if name in sys.modules)
    seen.append(time.process_time())
    asked.set()
    raise RuntimeError

here = pathlib.Path(sys.argv[1])
app = MemlensApp(EngineOptions(), Surroundings({{}}, Places(here, here, here)), opener)

async def run():
    async with app.run_test() as pilot:
        await app.workers.wait_for_complete()
        await pilot.pause()

asyncio.run(run())
assert asked.is_set()
print(seen)
"""


def python(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run code in a process of its own, without a terminal."""
    command = [sys.executable, "-P", "-c", code, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)


def test_nothing_heavy_is_loaded_before_the_engine_opens(tmp_path: Path) -> None:
    done = python(FIRST_FRAME, str(tmp_path))
    assert done.returncode == 0, done.stderr
    loaded = ast.literal_eval(done.stdout)
    assert loaded[:-1] == []


def test_without_a_terminal_it_names_the_commands() -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r}); "
        "from tui.__main__ import main; code = main(['--demo']); "
        "assert 'textual' not in sys.modules; sys.exit(code)"
    )
    done = python(code)
    assert done.returncode == 1
    assert "only in a terminal" in done.stderr
    assert done.stdout == ""
