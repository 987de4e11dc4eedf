"""JSON lines between the application and its indexing process."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from engine.chunking.chunk import ChunkingRules
from engine.errors import CancelledError, EngineError, StoreError, SyncError
from engine.events import (
    EngineEvent,
    IndexChanged,
    Notice,
    RecentChange,
    SkippedFile,
    StageReached,
    SyncProgress,
    SyncReport,
    SyncStarted,
)
from engine.index.decision import SyncRequest
from engine.index.settings import IndexSettings
from engine.sources.found import SourceRoots
from engine.sources.media import MediaRules

_RELAYED: dict[str, type[Any]] = {
    kind.__name__: kind for kind in (SyncStarted, SyncProgress, IndexChanged, StageReached, Notice)
}
_ERRORS: dict[str, type[EngineError]] = {"sync": SyncError, "store": StoreError}


@dataclass(frozen=True, slots=True)
class ChildSetup:
    """How another process opens the same store."""

    store: Path
    vector_enabled: bool = True
    extension_path: str | None = None
    cache_max: int | None = None


@dataclass(frozen=True, slots=True)
class Job:
    """A sync for the child. It never names a remote provider: no key leaves the parent.

    ``builtin`` embeds with the packaged model, otherwise only keyword tables are built.
    """

    setup: ChildSetup
    settings: IndexSettings
    request: SyncRequest
    builtin: bool


def encode_job(job: Job) -> str:
    """One line for the child's standard input."""
    return json.dumps({"job": asdict(job)}, default=str)


def decode_job(line: str) -> Job:
    """The job of such a line. Raises ValueError, KeyError or TypeError when it is none."""
    data = json.loads(line)["job"]
    setup, settings = data["setup"], data["settings"]
    roots = settings.pop("roots")
    roots["workspace"] = Path(roots["workspace"])
    for several in ("extra_paths", "root_files"):
        roots[several] = tuple(roots[several])
    if roots["media"] is not None:
        media = roots["media"]
        roots["media"] = MediaRules(tuple(media["modalities"]), media["max_file_bytes"])
    return Job(
        setup=ChildSetup(Path(setup.pop("store")), **setup),
        settings=IndexSettings(
            roots=SourceRoots(**roots), rules=ChunkingRules(**settings.pop("rules")), **settings
        ),
        request=SyncRequest(**data["request"]),
        builtin=data["builtin"],
    )


def encode_event(event: EngineEvent) -> str:
    """One line that tells an event."""
    return json.dumps({"event": type(event).__name__, "data": asdict(event)})


def encode_report(report: SyncReport) -> str:
    """The last line of a child that has finished."""
    return json.dumps({"report": asdict(report)})


def encode_error(error: EngineError) -> str:
    """The last line of a child that could not finish."""
    fields = {"title": error.title, "message": error.message, "hint": error.hint}
    return json.dumps({"error": {"kind": error.kind, **fields}})


def decode_answer(line: str) -> EngineEvent | SyncReport | EngineError:
    """What a line of the child says. Raises ValueError when it is not one of ours."""
    try:
        data = json.loads(line)
        if "event" in data:
            event: EngineEvent = _RELAYED[data["event"]](**data["data"])
            return event
        if "report" in data:
            return _report(data["report"])
        return _error(data["error"])
    except (KeyError, TypeError) as error:
        raise ValueError("not a line of the indexing process") from error


def _report(fields: dict[str, Any]) -> SyncReport:
    skipped = tuple(SkippedFile(**skip) for skip in fields.pop("skipped"))
    changes = tuple(RecentChange(**change) for change in fields.pop("changes"))
    return SyncReport(skipped=skipped, changes=changes, **fields)


def _error(fields: Mapping[str, str]) -> EngineError:
    if fields["kind"] == CancelledError.kind:
        return CancelledError("The sync")
    kind = _ERRORS.get(fields["kind"], SyncError)
    return kind(fields["title"], fields["message"], fields["hint"])
