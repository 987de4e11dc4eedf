"""Starting and ending the other process."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PATIENCE_S = 60


def run_to_death(scenario: str, path: Path, stage: str, turn: int) -> None:
    """Run a scenario that must kill itself at that point."""
    done = subprocess.run(
        _command(scenario, path, stage, str(turn)),
        env=_environment(),
        capture_output=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == -9, (stage, turn, done.stderr.decode())


@contextmanager
def holding(scenario: str, path: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that holds what its scenario says until it reads a line."""
    process = subprocess.Popen(
        _command(scenario, path),
        env=_environment(),
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
        process.wait(PATIENCE_S)
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                stream.close()


def let_go(process: subprocess.Popen[str]) -> None:
    """Tell the process to end well."""
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()
    assert process.wait(PATIENCE_S) == 0


def _command(scenario: str, path: Path, *rest: str) -> list[str]:
    return [sys.executable, "-P", "-m", "tests.engine.store.child", scenario, str(path), *rest]


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT)}
