"""The command line run in this process, on folders of the test's own."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from engine.cli.main import run

NOW = "2026-11-28T09:00:00Z"


@dataclass(frozen=True, slots=True)
class Said:
    """What one command line printed and how it ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON document on stdout."""
        return json.loads(self.out)


Command = Callable[..., Said]


@pytest.fixture
def memlens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> Command:
    """Run ``memlens`` with arguments; home, data and settings lie in the test's folder."""
    for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))

    def call(*arguments: str | Path) -> Said:
        code = run([str(argument) for argument in arguments], lambda options, around: 99)
        printed = capfdbinary.readouterr()
        return Said(code, printed.out.decode("utf-8"), printed.err.decode("utf-8"))

    return call


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """A small agent workspace."""
    workspace = tmp_path / "notes"
    (workspace / "memory").mkdir(parents=True)
    (workspace / "MEMORY.md").write_text("# Memory\n\nThe gateway is kestrel.\n", "utf-8")
    day = workspace / "memory" / "2026-11-20.md"
    day.write_text("# Friday\n\nThe router got firmware 4.2.2.\nTea was good.\n", "utf-8")
    (workspace / "memory" / "plan.txt").write_text("not a note\n", "utf-8")
    return workspace
