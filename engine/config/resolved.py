"""The configuration after all layers are merged: what the rest of the engine is given."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from engine.config.eras import Era
    from engine.config.schema import MemorySearch

WorkspaceMode = Literal["agent", "folder", "demo"]


@dataclass(frozen=True, slots=True)
class Provenance:
    """Which layer set a value; file and 1-based line where it is a file.

    ``layer`` is "default", "era", "agent config", "agent override", "user settings",
    "workspace settings" or "--set".
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

    ``ranking_overrides`` holds the ranking keys that were set in our own files or by
    ``--set`` (dotted keys relative to memorySearch): the only ones that move the
    ``tuned`` profile. ``agent_ranking`` says whether ranking keys of the agent's own
    configuration apply, which the parity profiles use.
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
    model_providers: dict[str, Any]
    values: tuple[ConfigValue, ...]
    problems: tuple[ConfigProblem, ...]
    looked_for: tuple[LookedFor, ...]
