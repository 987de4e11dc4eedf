"""Where a value stands in a file: the keys and list indexes that lead to it."""

from __future__ import annotations

from engine.config.legible import legible

KeyPath = tuple[str | int, ...]


def dotted(path: KeyPath) -> str:
    """``agents.list[0].memorySearch`` for a path, fit for a sentence."""
    parts = [f"[{step}]" if isinstance(step, int) else f".{step}" for step in path]
    return legible("".join(parts).removeprefix("."))
