"""The merged settings made complete: mode and era step in, then the models are built."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from engine.config.eras import Era
from engine.config.faithfulness import Faithfulness
from engine.config.key_table import OWN_FILE
from engine.config.layers import Layer, Setting, Settings
from engine.config.normalise import normalised
from engine.config.own_settings import OwnSettings
from engine.config.resolved import ConfigProblem, ConfigValue, Provenance, WorkspaceMode
from engine.config.schema import MemorySearch
from engine.config.schema_agent import Compaction, ContextLimits
from engine.config.schema_memory import Memory
from engine.config.sections import SECTIONS, build, complete
from engine.config.shown import config_values

_ERA = Provenance("era")
_MEMORY = "memory"
_COMPACTION = "agents.defaults.compaction"
_LIMITS = "agents.defaults.contextLimits"
_DEMO: Mapping[str, Any] = {"provider": "builtin", "model": "", "fallback": "none"}
"""What the demo always uses: nothing of it leaves the machine."""


@dataclass(frozen=True, slots=True)
class Effective:
    """Every setting with its source, and the models made of them."""

    settings: Settings
    sections: Mapping[str, Settings]
    problems: tuple[ConfigProblem, ...]

    @property
    def memory_search(self) -> MemorySearch:
        """The keys that the original knows, too."""
        return build(MemorySearch, self.settings)

    @property
    def own(self) -> OwnSettings:
        """The keys of ours."""
        return build(OwnSettings, self.settings)

    @property
    def memory(self) -> Memory:
        """``memory.*``, with the era's QMD limits where none are set."""
        return build(Memory, self.sections[_MEMORY])

    @property
    def compaction(self) -> Compaction:
        """Reserve and flush."""
        return build(Compaction, self.sections[_COMPACTION])

    @property
    def context_limits(self) -> ContextLimits:
        """Bounds of memory_get, the era's where none are set."""
        return build(ContextLimits, self.sections[_LIMITS])

    @property
    def session_visibility(self) -> Literal["self", "tree", "agent", "all"]:
        """Which sessions an agent may search."""
        found: Literal["self", "tree", "agent", "all"]
        found = self.sections["tools.sessions"]["visibility"].value
        return found

    @property
    def memory_slot(self) -> str:
        """The plug-in in the memory slot; "none" is memory switched off."""
        return str(self.sections["plugins.slots"]["memory"].value)

    def values(self, store: Path, *, store_by_option: bool) -> tuple[ConfigValue, ...]:
        """All values as ``config show`` lists them; ``store`` is the index file in use."""
        source = self.settings["store.path"].source
        if store_by_option:
            source = Provenance("--store")
        shown = self.settings | {"store.path": Setting(str(store), source)}
        found = list(config_values(shown, OWN_FILE))
        for name, (_, table) in SECTIONS.items():
            found += config_values(self.sections[name], table, f"{name}.")
        return tuple(found)


def effective(
    merged: Settings,
    sections: Mapping[str, Layer],
    faith: Faithfulness,
    mode: WorkspaceMode,
    home: Path,
) -> Effective:
    """Complete the merged layers with what the mode and the era say, and tie them together."""
    chosen, told = _by_mode(merged, mode)
    settings, problems = normalised(complete(chosen, OWN_FILE), home)
    settings["era"] = Setting(faith.era.name, faith.era_source)
    settings["profile"] = faith.profile
    _fill(settings, {"decay.paths": faith.era.decay_paths, "snippet": faith.era.snippet})
    parts = {
        name: complete(sections[name].settings if name in sections else {}, table)
        for name, (_, table) in SECTIONS.items()
    }
    _fill_parts(parts, faith.era)
    return Effective(settings, parts, (*told, *problems))


def _by_mode(merged: Settings, mode: WorkspaceMode) -> tuple[Settings, tuple[ConfigProblem, ...]]:
    """The demo forces the built-in embedder, a plain folder only prefers it."""
    if mode == "agent":
        return merged, ()
    if mode == "folder":
        return {"provider": Setting("builtin", Provenance("plain folder")), **merged}, ()
    forced = {key: Setting(value, Provenance("demo")) for key, value in _DEMO.items()}
    lost = [key for key, value in _DEMO.items() if key in merged and merged[key].value != value]
    message = "The demo always uses the built-in embedder; --set {} is not used."
    return merged | forced, tuple(ConfigProblem(message.format(key)) for key in lost)


def _fill(settings: Settings, values: Mapping[str, Any]) -> None:
    """Put the era's values where nothing was set."""
    for key, value in values.items():
        if settings[key].value is None:
            settings[key] = Setting(value, _ERA)


def _fill_parts(parts: Mapping[str, Settings], era: Era) -> None:
    limits = {
        "memoryGetDefaultLines": era.get_lines,
        "memoryGetMaxChars": era.get_chars,
    }
    qmd = {
        "qmd.limits.maxResults": era.qmd_limits.max_results,
        "qmd.limits.maxSnippetChars": era.qmd_limits.max_snippet_chars,
        "qmd.limits.maxInjectedChars": era.qmd_limits.max_injected_chars,
    }
    _fill(parts[_LIMITS], limits)
    _fill(parts[_MEMORY], qmd)
    _fill(parts["tools.sessions"], {"visibility": era.session_visibility})
