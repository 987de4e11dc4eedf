"""The memory engine of memlens: index, search and explain an agent's Markdown memory.

Public names load lazily, so that ``import engine`` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
MARKER = "memlens"
"""Tells our package from another one of the same name (checked at start)."""

if TYPE_CHECKING:
    from engine.config.request import EngineOptions, Places
    from engine.memory import MemoryEngine, Surroundings

__all__ = ["MARKER", "EngineOptions", "MemoryEngine", "Places", "Surroundings"]

_HOMES = {
    "EngineOptions": "engine.config.request",
    "Places": "engine.config.request",
    "MemoryEngine": "engine.memory",
    "Surroundings": "engine.memory",
}


def __getattr__(name: str) -> Any:
    """Import a public name from its home on first access."""
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
