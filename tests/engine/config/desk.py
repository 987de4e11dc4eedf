"""A machine of its own for a test: home, settings and data folders, and an environment."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine.config.request import EngineOptions, Places
from engine.config.resolve import resolve
from engine.config.resolved import ConfigProblem, ConfigValue, ResolvedConfig


@dataclass
class Desk:
    """Writes files where the configuration looks for them, and resolves."""

    root: Path
    environ: dict[str, str] = field(default_factory=dict)

    @property
    def home(self) -> Path:
        return self.root / "home"

    @property
    def state(self) -> Path:
        return self.home / ".openclaw"

    @property
    def workspace(self) -> Path:
        return self.state / "workspace"

    @property
    def demo(self) -> Path:
        """The workspace of the demo, in a folder of its own."""
        return self.root / "data" / "demo" / "1.0" / "workspace"

    @property
    def places(self) -> Places:
        return Places(self.home, self.root / "data", self.root / "settings")

    def write(self, path: Path, content: Any) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        text = content if isinstance(content, str) else json.dumps(content, indent=1)
        path.write_text(text, "utf-8")
        return path

    def config(self, content: Any) -> Path:
        """The agent's configuration, and the workspace that it will find."""
        self.workspace.mkdir(parents=True, exist_ok=True)
        return self.write(self.state / "openclaw.json", content)

    def memory_search(self, keys: Any, **root: Any) -> Path:
        return self.config({"agents": {"defaults": {"memorySearch": keys}}, **root})

    def user_file(self, content: Any) -> Path:
        return self.write(self.root / "settings" / "settings.json5", content)

    def workspace_file(self, content: Any) -> Path:
        return self.write(self.workspace / ".memlens.json5", content)

    def resolve(self, *settings: str, **options: Any) -> ResolvedConfig:
        demo = self.demo if options.get("demo") else None
        given = EngineOptions(settings=settings, **options)
        return resolve(given, self.environ, self.places, demo)


def value(config: ResolvedConfig, key: str) -> ConfigValue:
    """The one value of that key as ``config show`` lists it."""
    (found,) = [value for value in config.values if value.key == key]
    return found


def problem(config: ResolvedConfig, part: str) -> ConfigProblem:
    """The one problem whose message holds a text."""
    (found,) = [problem for problem in config.problems if part in problem.message]
    return found
