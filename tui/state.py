"""What the application remembers between two runs: theme, signs, and a few values of screens.

One small JSON file in the user's data folder. It never holds anything that matters: when it
is missing, damaged or of another version, the application starts as on the first day.
"""

from __future__ import annotations

import contextlib
import json
import os
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

VERSION = 1
FILE_NAME = "screen.json"


@dataclass(frozen=True, slots=True)
class ScreenState:
    """The remembered values; ``notes`` belongs to screens, by keys such as "search.query"."""

    theme: str | None = None
    glyphs: str | None = None
    notes: dict[str, str] = field(default_factory=dict)


class StateFile:
    """Reads the state once and writes it whole on each change."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE_NAME
        self._state = _read(self._path)

    @property
    def state(self) -> ScreenState:
        """The values of this moment."""
        return self._state

    def choose(self, *, theme: str | None = None, glyphs: str | None = None) -> None:
        """Remember a theme or a set of signs."""
        chosen: dict[str, Any] = {"theme": theme, "glyphs": glyphs}
        self._keep(replace(self._state, **{k: v for k, v in chosen.items() if v is not None}))

    def note(self, key: str, value: str) -> None:
        """Remember a value of a screen."""
        self._keep(replace(self._state, notes={**self._state.notes, key: value}))

    def _keep(self, state: ScreenState) -> None:
        """Write beside and rename; a folder that cannot be written costs only the memory."""
        if state == self._state:
            return
        self._state = state
        beside = self._path.with_suffix(f".{os.getpid()}.tmp")
        with contextlib.suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            beside.write_text(json.dumps({"version": VERSION, **asdict(state)}), encoding="utf-8")
            beside.replace(self._path)


def _read(path: Path) -> ScreenState:
    try:
        table = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return ScreenState()
    if not isinstance(table, dict) or table.get("version") != VERSION:
        return ScreenState()
    notes = table.get("notes")
    return ScreenState(
        theme=_text(table.get("theme")),
        glyphs=_text(table.get("glyphs")),
        notes={k: v for k, v in notes.items() if isinstance(v, str)}
        if isinstance(notes, dict)
        else {},
    )


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
