"""Whether the agent has no memory search at all, and which setting says so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.config.resolved import Provenance, ResolvedConfig


@dataclass(frozen=True, slots=True)
class SwitchedOff:
    """The setting with its value and its place, as a clause, and how to undo it."""

    because: str
    hint: str


def switched_off(config: ResolvedConfig) -> SwitchedOff | None:
    """The setting that takes memory search from the agent; None when there is none."""
    if not config.memory_search.enabled:
        because = f"memorySearch.enabled is false {_place(config, 'enabled')}"
        return SwitchedOff(because, "Set it to true, or try it with --set enabled=true.")
    if config.memory_slot_disabled:
        because = f'plugins.slots.memory is "none" {_place(config, "plugins.slots.memory")}'
        return SwitchedOff(because, "Remove that line to give the agent its memory back.")
    return None


def _place(config: ResolvedConfig, key: str) -> str:
    found = [value.source for value in config.values if value.key == key]
    return f"({_spoken(found[0])})" if found else "(in the configuration)"


def _spoken(source: Provenance) -> str:
    if source.file is None:
        return f"by {source.layer}"
    line = "" if source.line is None else f", line {source.line}"
    return f"{source.file.name}{line}"
