"""A machine of its own with one agent on it, opened through the facade."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine.config.request import EngineOptions, Places
from engine.events import EngineEvent
from engine.memory import MemoryEngine, Surroundings
from tests.fakes.still_time import StillTime

KEY = "sk-test-4Q7vN2xW9kLm"
"""What the agent's configuration holds as ``remote.apiKey``; nothing may ever repeat it."""


@dataclass
class AgentHome:
    """Home, configuration, workspace and state folder; time moves only while somebody waits.

    ``elsewhere`` is a workspace outside, which is only read.
    """

    root: Path
    environ: dict[str, str] = field(default_factory=dict)
    time: StillTime = field(default_factory=StillTime)
    heard: list[EngineEvent] = field(default_factory=list)
    elsewhere: Path | None = None

    @property
    def workspace(self) -> Path:
        """The agent's workspace."""
        return self.elsewhere or self.root / "ws"

    @property
    def state(self) -> Path:
        """The agent's state folder."""
        return self.root / "state"

    @property
    def config_file(self) -> Path:
        """The agent's configuration."""
        return self.state / "openclaw.json"

    def write(self, path: str, text: str) -> Path:
        """A file below the workspace."""
        file = self.workspace / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
        return file

    def configure(self, memory_search: Mapping[str, Any], **others: Any) -> None:
        """Write the configuration: ``memorySearch`` of all agents, and other top-level keys."""
        self.workspace.mkdir(parents=True, exist_ok=True)
        self.state.mkdir(parents=True, exist_ok=True)
        defaults = {"workspace": str(self.workspace), "memorySearch": memory_search}
        content = {"agents": {"defaults": defaults}, **others}
        self.config_file.write_text(json.dumps(content, indent=1), "utf-8")

    @contextmanager
    def open(self, *settings: str, **options: Any) -> Iterator[MemoryEngine]:
        """The facade, with ``--set`` texts and further options; closed at the end."""
        home = self.root / "home"
        around = Surroundings(
            {"HOME": str(home), "OPENCLAW_STATE_DIR": str(self.state), **self.environ},
            Places(home, self.root / "data", self.root / "settings"),
            self.time.clock,
            inline_indexing=True,
            sleeper=self.time,
        )
        engine = MemoryEngine.open(EngineOptions(settings=settings, **options), around)
        engine.events.subscribe(self.heard.append)
        try:
            yield engine
        finally:
            engine.close()


def remote(base_url: str, **keys: Any) -> dict[str, Any]:
    """``memorySearch`` for the fake endpoint and the embedding of the golden vectors."""
    address = {"baseUrl": base_url, "apiKey": KEY}
    return {"provider": "openai", "model": "bow-192", "remote": address, **keys}
