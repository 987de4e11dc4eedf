"""The ``memory.*`` keys: backend, citations and the QMD side-car, as typed groups."""

from dataclasses import dataclass
from typing import Annotated, Literal

from annotated_types import doc

from engine.config.declaring import NonNegative, Positive, Text
from engine.config.units import DURATION


@dataclass(frozen=True)
class QmdPath:
    """A folder that QMD indexes too."""

    path: Text
    pattern: Text | None = None
    name: Text | None = None


@dataclass(frozen=True)
class QmdSessions:
    """Transcripts exported for QMD."""

    enabled: Annotated[bool, doc("Export transcripts for QMD.")] = False
    export_dir: Annotated[Text | None, doc("Folder of the export.")] = None
    retention_days: Annotated[Positive | None, doc("Older ones are left out.")] = None


@dataclass(frozen=True)
class QmdUpdate:
    """When QMD reads its folders again."""

    interval: Annotated[NonNegative, DURATION, doc("Between two updates.")] = 300_000
    debounce_ms: Annotated[NonNegative, doc("Least pause after an update.")] = 15_000
    on_boot: Annotated[bool, doc("Update at the start.")] = True
    wait_for_boot_sync: Annotated[bool, doc("Wait for that update.")] = False
    startup: Annotated[
        Literal["off", "idle", "immediate"], doc("When QMD is started without being asked.")
    ] = "off"
    startup_delay_ms: Annotated[NonNegative, doc("Idle time before that.")] = 120_000
    embed_interval: Annotated[NonNegative, DURATION, doc("Between embeddings.")] = 3_600_000
    command_timeout_ms: Annotated[Positive, doc("Limit of one command.")] = 30_000
    update_timeout_ms: Annotated[Positive, doc("Limit of one update.")] = 120_000
    embed_timeout_ms: Annotated[Positive, doc("Limit of one embedding run.")] = 120_000


@dataclass(frozen=True)
class QmdResultLimits:
    """What QMD results may take; unset values follow the era."""

    max_results: Annotated[Positive | None, doc("Results of a search.")] = None
    max_snippet_chars: Annotated[Positive | None, doc("Length of a snippet.")] = None
    max_injected_chars: Annotated[Positive | None, doc("Length of all.")] = None
    timeout_ms: Annotated[Positive, doc("Limit of one search.")] = 4000


@dataclass(frozen=True)
class ScopeMatch:
    """Conditions on the asking session; all that are given must hold."""

    channel: Text | None = None
    chat_type: Text | None = None
    key_prefix: Text | None = None
    raw_key_prefix: Text | None = None


@dataclass(frozen=True)
class ScopeRule:
    """One rule: what happens to sessions that match."""

    action: Literal["allow", "deny"]
    match: ScopeMatch = ScopeMatch()


DIRECT_ONLY = (ScopeRule(action="allow", match=ScopeMatch(chat_type="direct")),)


@dataclass(frozen=True)
class Scope:
    """Which sessions may ask QMD; the first rule that matches decides."""

    default: Annotated[Literal["allow", "deny"], doc("When no rule matches.")] = "deny"
    rules: Annotated[tuple[ScopeRule, ...], doc("Rules in order: {action, match}.")] = DIRECT_ONLY


@dataclass(frozen=True)
class Mcporter:
    """A separate process that speaks to QMD."""

    enabled: Annotated[bool, doc("Ask QMD through mcporter.")] = False
    server_name: Annotated[Text, doc("Name of its server.")] = "qmd"
    start_daemon: Annotated[bool, doc("Start its daemon.")] = True


@dataclass(frozen=True)
class Qmd:
    """The QMD side-car."""

    command: Annotated[Text, doc("Program; only the first word counts.")] = "qmd"
    search_mode: Annotated[
        Literal["query", "search", "vsearch"], doc("Which of QMD's searches.")
    ] = "search"
    search_tool: Annotated[Text | None, doc("Name of the tool at mcporter.")] = None
    rerank: Annotated[bool, doc("Let QMD re-rank in query mode.")] = True
    include_default_memory: Annotated[bool, doc("Index the memory files.")] = True
    paths: Annotated[tuple[QmdPath, ...], doc("More folders: {path, pattern, name}.")] = ()
    sessions: QmdSessions = QmdSessions()
    update: QmdUpdate = QmdUpdate()
    limits: QmdResultLimits = QmdResultLimits()
    scope: Scope = Scope()
    mcporter: Mcporter = Mcporter()


@dataclass(frozen=True)
class Memory:
    """All keys of ``memory`` (but for ``search``, which is another spelling of memorySearch)."""

    backend: Annotated[Literal["builtin", "qmd"], doc("Who searches.")] = "builtin"
    citations: Annotated[
        Literal["auto", "on", "off"], doc("Name the source under a snippet; auto: in direct chats.")
    ] = "auto"
    qmd: Qmd = Qmd()
