"""The ``memory.*`` keys: backend, citations and the QMD side-car, as typed groups."""

from dataclasses import field
from typing import Literal

from engine.config.declaring import Section, key
from engine.config.units import DURATION


class QmdPath(Section):
    """A folder that QMD indexes too."""

    path: str
    pattern: str | None = None
    name: str | None = None


class QmdSessions(Section):
    """Transcripts exported for QMD."""

    enabled: bool = field(default=False, metadata=key("Export transcripts for QMD."))
    export_dir: str | None = field(default=None, metadata=key("Folder of the export."))
    retention_days: int | None = field(
        default=None, metadata=key("Older ones are left out.", low=1)
    )


class QmdUpdate(Section):
    """When QMD reads its folders again."""

    interval: int = field(
        default=300_000, metadata=key("Between two updates.", low=0, spelled=DURATION)
    )
    debounce_ms: int = field(default=15_000, metadata=key("Least pause after an update.", low=0))
    on_boot: bool = field(default=True, metadata=key("Update at the start."))
    wait_for_boot_sync: bool = field(default=False, metadata=key("Wait for that update."))
    startup: Literal["off", "idle", "immediate"] = field(
        default="off", metadata=key("When QMD is started without being asked.")
    )
    startup_delay_ms: int = field(default=120_000, metadata=key("Idle time before that.", low=0))
    embed_interval: int = field(
        default=3_600_000, metadata=key("Between embeddings.", low=0, spelled=DURATION)
    )
    command_timeout_ms: int = field(default=30_000, metadata=key("Limit of one command.", low=1))
    update_timeout_ms: int = field(default=120_000, metadata=key("Limit of one update.", low=1))
    embed_timeout_ms: int = field(
        default=120_000, metadata=key("Limit of one embedding run.", low=1)
    )


class QmdResultLimits(Section):
    """What QMD results may take; unset values follow the era."""

    max_results: int | None = field(default=None, metadata=key("Results of a search.", low=1))
    max_snippet_chars: int | None = field(default=None, metadata=key("Length of a snippet.", low=1))
    max_injected_chars: int | None = field(default=None, metadata=key("Length of all.", low=1))
    timeout_ms: int = field(default=4000, metadata=key("Limit of one search.", low=1))


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

    default: Literal["allow", "deny"] = field(default="deny", metadata=key("When no rule matches."))
    rules: tuple[ScopeRule, ...] = field(
        default=DIRECT_ONLY,
        metadata=key("Rules in order: {action, match}.", expects="a list of rules {action, match}"),
    )


class Mcporter(Section):
    """A separate process that speaks to QMD."""

    enabled: bool = field(default=False, metadata=key("Ask QMD through mcporter."))
    server_name: str = field(default="qmd", metadata=key("Name of its server."))
    start_daemon: bool = field(default=True, metadata=key("Start its daemon."))


class Qmd(Section):
    """The QMD side-car."""

    command: str = field(default="qmd", metadata=key("Program; only the first word counts."))
    search_mode: Literal["query", "search", "vsearch"] = field(
        default="search", metadata=key("Which of QMD's searches.")
    )
    search_tool: str | None = field(default=None, metadata=key("Name of the tool at mcporter."))
    rerank: bool = field(default=True, metadata=key("Let QMD re-rank in query mode."))
    include_default_memory: bool = field(default=True, metadata=key("Index the memory files."))
    paths: tuple[QmdPath, ...] = field(
        default=(),
        metadata=key(
            "More folders: {path, pattern, name}.",
            expects="a list of folders {path, pattern, name}",
        ),
    )
    sessions: QmdSessions = QmdSessions()
    update: QmdUpdate = QmdUpdate()
    limits: QmdResultLimits = QmdResultLimits()
    scope: Scope = Scope()
    mcporter: Mcporter = Mcporter()


class Memory(Section):
    """All keys of ``memory`` (but for ``search``, which is another spelling of memorySearch)."""

    backend: Literal["builtin", "qmd"] = field(default="builtin", metadata=key("Who searches."))
    citations: Literal["auto", "on", "off"] = field(
        default="auto", metadata=key("Name the source under a snippet; auto: in direct chats.")
    )
    qmd: Qmd = Qmd()
