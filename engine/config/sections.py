"""The parts of an agent's configuration that memory reads, and how settings become models."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, TypeVar

from engine.config.agents import AgentEntry
from engine.config.declaring import is_group, spelling
from engine.config.document import Document
from engine.config.key_path import KeyPath
from engine.config.key_table import (
    COMPACTION,
    CONTEXT_LIMITS,
    MEMORY,
    MEMORY_SEARCH,
    PLUGIN_SLOTS,
    SESSION_TOOLS,
    KeyTable,
)
from engine.config.layers import Layer, Place, Setting, Settings, read_layer
from engine.config.resolved import Provenance

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Model = TypeVar("Model", bound="DataclassInstance")

SECTIONS: Mapping[str, tuple[KeyPath, KeyTable]] = {
    "memory": (("memory",), MEMORY),
    "agents.defaults.compaction": (("agents", "defaults", "compaction"), COMPACTION),
    "agents.defaults.contextLimits": (("agents", "defaults", "contextLimits"), CONTEXT_LIMITS),
    "tools.sessions": (("tools", "sessions"), SESSION_TOOLS),
    "plugins.slots": (("plugins", "slots"), PLUGIN_SLOTS),
}
"""Places of an agent's configuration besides memorySearch, by the name they are shown under."""

_SEARCH_ALIAS: KeyPath = ("memory", "search")
_DEFAULT = Provenance("default")


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


def read_sections(document: Document) -> dict[str, Layer]:
    """The other parts, by their names in ``SECTIONS``."""
    return {
        name: read_layer(Place("agent config", document, table, base, skip=frozenset({"search"})))
        for name, (base, table) in SECTIONS.items()
    }


def complete(settings: Settings, table: KeyTable) -> Settings:
    """Settings for every key of a table, defaults where nothing was set."""
    return {
        name: settings.get(name) or Setting(key.default, _DEFAULT)
        for name, key in table.keys.items()
    }


def build(model: type[Model], settings: Settings, prefix: str = "") -> Model:
    """A model of complete settings; keys of other models in them do not matter."""
    given: dict[str, Any] = {}
    for part in fields(model):
        name = prefix + spelling(part.name)
        if is_group(part.type):
            given[part.name] = build(part.type, settings, f"{name}.")
        else:
            given[part.name] = settings[name].value
    return model(**given)
