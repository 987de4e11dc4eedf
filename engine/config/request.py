"""What the person asked for on the command line, before any file is read."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class EngineOptions:
    """The global options, as given.

    ``settings`` holds the raw ``KEY=VALUE`` texts of ``--set`` in order; ``now_ms``
    the clock of ``--now`` in milliseconds since the epoch.
    """

    demo: bool = False
    reset: bool = False
    config_file: Path | None = None
    state_dir: Path | None = None
    agent: str | None = None
    workspace: Path | None = None
    store: Path | None = None
    era: str | None = None
    profile: str | None = None
    session_key: str | None = None
    settings: tuple[str, ...] = ()
    now_ms: float | None = None


@dataclass(frozen=True, slots=True)
class Places:
    """The folders that configuration may look at: home, and ours for data and settings."""

    home: Path
    data_dir: Path
    settings_dir: Path
