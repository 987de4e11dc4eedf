"""The ``memorySearch`` keys of one agent, wherever its configuration spells them."""

from __future__ import annotations

from dataclasses import replace

from engine.config.agents import AgentEntry
from engine.config.document import Document
from engine.config.key_path import KeyPath
from engine.config.key_table import MEMORY_SEARCH
from engine.config.layers import Layer, Place, read_layer

_SEARCH_ALIAS: KeyPath = ("memory", "search")


def read_memory_search(document: Document, entry: AgentEntry | None) -> Layer:
    """memorySearch of one agent: the common keys, and over them the agent's own.

    Both spellings of each are read; where a file has both, the documented one wins.
    ``extraPaths`` of the agent are added to the common ones.
    """
    common = _read(document, "agent config", _SEARCH_ALIAS, ("agents", "defaults", "memorySearch"))
    if entry is None:
        return common
    base = entry.base
    own = _read(document, "agent override", (*base, *_SEARCH_ALIAS), (*base, "memorySearch"))
    merged = common.settings | own.settings
    if "extraPaths" in common.settings and "extraPaths" in own.settings:
        first, second = common.settings["extraPaths"], own.settings["extraPaths"]
        merged["extraPaths"] = replace(second, value=first.value + second.value)
    return Layer(merged, common.problems + own.problems)


def _read(document: Document, layer: str, *bases: KeyPath) -> Layer:
    result = Layer()
    for base in bases:
        part = read_layer(Place(layer, document, MEMORY_SEARCH, base))
        result.settings |= part.settings
        result.problems += part.problems
    return result
