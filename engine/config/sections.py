"""The parts of an agent's configuration besides memorySearch that memory depends on.

The demo and a plain folder have none of them, so they start without their models.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from engine.config.building import build, complete, fill
from engine.config.document import Document
from engine.config.eras import Era
from engine.config.key_path import KeyPath
from engine.config.key_table import KeyTable, table
from engine.config.layers import Layer, Place, Settings, read_layer
from engine.config.resolved import ConfigValue
from engine.config.schema_agent import Compaction, ContextLimits, PluginSlots, SessionTools
from engine.config.schema_memory import Memory
from engine.config.shown import config_values

_MEMORY = "memory"
_COMPACTION = "agents.defaults.compaction"
_LIMITS = "agents.defaults.contextLimits"
_SESSIONS = "tools.sessions"
_SLOTS = "plugins.slots"

SECTIONS: Mapping[str, tuple[KeyPath, KeyTable]] = {
    _MEMORY: (("memory",), table(Memory)),
    _COMPACTION: (("agents", "defaults", "compaction"), table(Compaction, open_ended=True)),
    _LIMITS: (("agents", "defaults", "contextLimits"), table(ContextLimits, open_ended=True)),
    _SESSIONS: (("tools", "sessions"), table(SessionTools, open_ended=True)),
    _SLOTS: (("plugins", "slots"), table(PluginSlots, open_ended=True)),
}
"""Place and keys of each part, by the name that it is shown under."""


def read_sections(document: Document) -> dict[str, Layer]:
    """What a configuration sets of each part, by the names in ``SECTIONS``."""
    return {
        name: read_layer(Place("agent config", document, keys, base, skip=frozenset({"search"})))
        for name, (base, keys) in SECTIONS.items()
    }


@dataclass(frozen=True, slots=True)
class Sections:
    """Every setting of the parts with its source, and the models made of them."""

    settings: Mapping[str, Settings]

    @property
    def memory(self) -> Memory:
        """``memory.*``, with the era's QMD limits where none are set."""
        return build(Memory, self.settings[_MEMORY])

    @property
    def compaction(self) -> Compaction:
        """Reserve and flush."""
        return build(Compaction, self.settings[_COMPACTION])

    @property
    def context_limits(self) -> ContextLimits:
        """Bounds of memory_get, the era's where none are set."""
        return build(ContextLimits, self.settings[_LIMITS])

    @property
    def session_visibility(self) -> Literal["self", "tree", "agent", "all"]:
        """Which sessions an agent may search."""
        found: Literal["self", "tree", "agent", "all"]
        found = self.settings[_SESSIONS]["visibility"].value
        return found

    def values(self) -> Iterator[ConfigValue]:
        """All values as ``config show`` lists them."""
        for name, (_, keys) in SECTIONS.items():
            yield from config_values(self.settings[name], keys, f"{name}.")


def complete_sections(written: Mapping[str, Layer], era: Era) -> Sections:
    """The parts with what the era says where nothing was set, and defaults elsewhere."""
    settings = {
        name: complete(written[name].settings if name in written else {}, keys)
        for name, (_, keys) in SECTIONS.items()
    }
    limits = {"memoryGetDefaultLines": era.get_lines, "memoryGetMaxChars": era.get_chars}
    qmd = {
        "qmd.limits.maxResults": era.qmd_limits.max_results,
        "qmd.limits.maxSnippetChars": era.qmd_limits.max_snippet_chars,
        "qmd.limits.maxInjectedChars": era.qmd_limits.max_injected_chars,
    }
    fill(settings[_LIMITS], limits)
    fill(settings[_MEMORY], qmd)
    fill(settings[_SESSIONS], {"visibility": era.session_visibility})
    return Sections(settings)
