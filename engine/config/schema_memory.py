"""The ``memory.*`` keys: backend, citations and the QMD side-car, as typed models."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, Strict

from engine.config.schema import Expects, Section
from engine.config.units import DurationMs


class QmdPath(Section):
    """A folder that QMD indexes too."""

    path: str
    pattern: str | None = None
    name: str | None = None


class QmdSessions(Section):
    """Transcripts exported for QMD."""

    enabled: bool = Field(default=False, description="Export transcripts for QMD.")
    export_dir: str | None = Field(default=None, description="Folder of the export.")
    retention_days: int | None = Field(default=None, ge=1, description="Older ones are left out.")


class QmdUpdate(Section):
    """When QMD reads its folders again."""

    interval: DurationMs = Field(default=300_000, ge=0, description="Between two updates.")
    debounce_ms: int = Field(default=15_000, ge=0, description="Least pause after an update.")
    on_boot: bool = Field(default=True, description="Update at the start.")
    wait_for_boot_sync: bool = Field(default=False, description="Wait for that update.")
    startup: Literal["off", "idle", "immediate"] = Field(
        default="off", description="When QMD is started without being asked."
    )
    startup_delay_ms: int = Field(default=120_000, ge=0, description="Idle time before that.")
    embed_interval: DurationMs = Field(default=3_600_000, ge=0, description="Between embeddings.")
    command_timeout_ms: int = Field(default=30_000, ge=1, description="Limit of one command.")
    update_timeout_ms: int = Field(default=120_000, ge=1, description="Limit of one update.")
    embed_timeout_ms: int = Field(default=120_000, ge=1, description="Limit of one embedding run.")


class QmdResultLimits(Section):
    """What QMD results may take; unset values follow the era."""

    max_results: int | None = Field(default=None, ge=1, description="Results of a search.")
    max_snippet_chars: int | None = Field(default=None, ge=1, description="Length of a snippet.")
    max_injected_chars: int | None = Field(default=None, ge=1, description="Length of all.")
    timeout_ms: int = Field(default=4000, ge=1, description="Limit of one search.")


class ScopeMatch(Section):
    """Conditions on the asking session; all that are given must hold."""

    channel: str | None = None
    chat_type: str | None = None
    key_prefix: str | None = None
    raw_key_prefix: str | None = None


class ScopeRule(Section):
    """One rule: what happens to sessions that match."""

    action: Literal["allow", "deny"]
    match: ScopeMatch = ScopeMatch()


DIRECT_ONLY = (ScopeRule(action="allow", match=ScopeMatch(chat_type="direct")),)


class Scope(Section):
    """Which sessions may ask QMD; the first rule that matches decides."""

    default: Literal["allow", "deny"] = Field(default="deny", description="When no rule matches.")
    rules: Annotated[
        tuple[ScopeRule, ...], Strict(False), Expects("a list of rules {action, match}")
    ] = Field(default=DIRECT_ONLY, description="Rules in order: {action, match}.")


class Mcporter(Section):
    """A separate process that speaks to QMD."""

    enabled: bool = Field(default=False, description="Ask QMD through mcporter.")
    server_name: str = Field(default="qmd", description="Name of its server.")
    start_daemon: bool = Field(default=True, description="Start its daemon.")


class Qmd(Section):
    """The QMD side-car."""

    command: str = Field(default="qmd", description="Program; only the first word counts.")
    search_mode: Literal["query", "search", "vsearch"] = Field(
        default="search", description="Which of QMD's searches."
    )
    search_tool: str | None = Field(default=None, description="Name of the tool at mcporter.")
    rerank: bool = Field(default=True, description="Let QMD re-rank in query mode.")
    include_default_memory: bool = Field(default=True, description="Index the memory files.")
    paths: Annotated[
        tuple[QmdPath, ...], Strict(False), Expects("a list of folders {path, pattern, name}")
    ] = Field(default=(), description="More folders: {path, pattern, name}.")
    sessions: QmdSessions = QmdSessions()
    update: QmdUpdate = QmdUpdate()
    limits: QmdResultLimits = QmdResultLimits()
    scope: Scope = Scope()
    mcporter: Mcporter = Mcporter()


class Memory(Section):
    """All keys of ``memory`` (but for ``search``, which is another spelling of memorySearch)."""

    backend: Literal["builtin", "qmd"] = Field(default="builtin", description="Who searches.")
    citations: Literal["auto", "on", "off"] = Field(
        default="auto", description="Name the source under a snippet; auto: in direct chats."
    )
    qmd: Qmd = Qmd()
