"""The configuration after all layers are merged: what the rest of the engine is given."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from engine.config.effective import Effective
    from engine.config.eras import Era
    from engine.config.own_settings import OwnSettings
    from engine.config.schema import MemorySearch
    from engine.config.schema_agent import Compaction, ContextLimits
    from engine.config.schema_memory import Memory

WorkspaceMode = Literal["agent", "folder", "demo"]


@dataclass(frozen=True, slots=True)
class Provenance:
    """Which layer set a value; file and 1-based line where it is a file.

    ``layer`` is "default", "era", "demo", "plain folder", "agent config", "agent override",
    "user settings", "workspace settings", "--set", or the option that set it ("--era").
    """

    layer: str
    file: Path | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class ConfigValue:
    """One effective value under its dotted key, its default and where it came from."""

    key: str
    value: Any
    default: Any
    source: Provenance


@dataclass(frozen=True, slots=True)
class ConfigProblem:
    """Something in a configuration that was not taken as written; never a refusal to start."""

    message: str
    hint: str = ""
    file: Path | None = None
    line: int | None = None
    column: int | None = None


@dataclass(frozen=True, slots=True)
class AgentInfo:
    """An agent of the configuration."""

    agent_id: str
    workspace: Path
    default: bool


@dataclass(frozen=True, slots=True)
class LookedFor:
    """A place that was looked at for a memory, and what was there."""

    what: str
    path: Path
    found: bool


@dataclass(frozen=True, slots=True)
class ResolvedConfig:
    """Everything the engine needs to know from outside, for one agent.

    ``memory_search`` is merged from all layers, in range and normalised. ``era`` and
    ``profile`` name rules that exist: one that comes later is replaced, with a problem.
    ``ranking_overrides`` holds the ranking keys that were set in our own files or by
    ``--set`` (dotted keys relative to memorySearch, values in range, weights as written):
    the only ones that move the ``tuned`` profile. ``agent_ranking`` says whether the
    agent's own configuration sets any, which the parity profiles use. ``model_providers``
    is ``models.providers`` as written and holds secrets; ``auth_order`` is ``auth.order``,
    profile names by provider. What few ask for is made of ``effective`` when they do.
    """

    mode: WorkspaceMode
    agent_id: str
    agents: tuple[AgentInfo, ...]
    state_dir: Path
    config_path: Path | None
    workspace: Path
    store_path: Path
    era: Era
    profile: str
    memory_search: MemorySearch
    ranking_overrides: dict[str, Any]
    citations: Literal["auto", "on", "off"]
    session_key: str
    memory_slot_disabled: bool
    model_providers: dict[str, Any] = field(repr=False)
    problems: tuple[ConfigProblem, ...]
    looked_for: tuple[LookedFor, ...]
    own: OwnSettings
    agent_ranking: bool
    auth_order: dict[str, tuple[str, ...]]
    effective: Effective = field(repr=False)

    @property
    def values(self) -> tuple[ConfigValue, ...]:
        """Every value with its default and its source, secrets masked."""
        return self.effective.values(self.store_path)

    @property
    def memory(self) -> Memory:
        """``memory.*`` of the agent's configuration."""
        return self.effective.sections.memory

    @property
    def compaction(self) -> Compaction:
        """``compaction``, of which memory reads the flush."""
        return self.effective.sections.compaction

    @property
    def context_limits(self) -> ContextLimits:
        """Bounds of a ``memory_get`` without a range; None is the whole file."""
        return self.effective.sections.context_limits

    @property
    def session_visibility(self) -> Literal["self", "tree", "agent", "all"]:
        """Which sessions an agent may search."""
        return self.effective.sections.session_visibility
