"""The merged settings made complete: mode and era step in, then the models are built."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.config.building import build, complete, fill
from engine.config.eras import Era
from engine.config.faithfulness import Faithfulness
from engine.config.key_table import OWN_FILE
from engine.config.layers import Layer, Setting, Settings
from engine.config.normalise import normalised
from engine.config.own_settings import OwnSettings
from engine.config.resolved import ConfigProblem, ConfigValue, Provenance, WorkspaceMode
from engine.config.schema import MemorySearch
from engine.config.shown import config_values

if TYPE_CHECKING:
    from engine.config.sections import Sections

_DEMO: Mapping[str, Any] = {"provider": "builtin", "model": "", "fallback": "none"}
"""What the demo always uses: nothing of it leaves the machine."""


@dataclass(frozen=True, slots=True)
class Effective:
    """Every setting with its source, and the models made of them.

    ``written`` is what the agent's configuration sets besides memorySearch, by section;
    ``store_source`` says who named the index file, unless the settings did.
    """

    settings: Settings
    written: Mapping[str, Layer]
    era: Era
    problems: tuple[ConfigProblem, ...]
    store_source: Provenance | None = None

    @property
    def memory_search(self) -> MemorySearch:
        """The keys that the original knows, too."""
        return build(MemorySearch, self.settings)

    @property
    def own(self) -> OwnSettings:
        """The keys of ours."""
        return build(OwnSettings, self.settings)

    @property
    def sections(self) -> Sections:
        """The other parts, complete; made anew each time, for few ask."""
        from engine.config.sections import complete_sections

        return complete_sections(self.written, self.era)

    def written_value(self, section: str, key: str) -> Any:
        """What the agent's configuration sets for a key of a section; None when nothing."""
        found = self.written[section].settings.get(key) if section in self.written else None
        return found and found.value

    def values(self, store: Path) -> tuple[ConfigValue, ...]:
        """All values as ``config show`` lists them; ``store`` is the index file in use."""
        source = self.store_source or self.settings["store.path"].source
        shown = self.settings | {"store.path": Setting(str(store), source)}
        return (*config_values(shown, OWN_FILE), *self.sections.values())


def effective(
    merged: Settings,
    written: Mapping[str, Layer],
    faith: Faithfulness,
    mode: WorkspaceMode,
    home: Path,
    store_source: Provenance | None = None,
) -> Effective:
    """Complete the merged layers with what the mode and the era say, and tie them together."""
    chosen, told = _by_mode(merged, mode)
    settings, problems = normalised(complete(chosen, OWN_FILE), home)
    settings["era"] = Setting(faith.era.name, faith.era_source)
    settings["profile"] = faith.profile
    fill(settings, {"decay.paths": faith.era.decay_paths, "snippet": faith.era.snippet})
    return Effective(settings, written, faith.era, (*told, *problems), store_source)


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
