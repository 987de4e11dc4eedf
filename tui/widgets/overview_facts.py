"""What the overview says, as labelled facts made from a status."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.content import Content

from tui.glyphs import Glyphs
from tui.text import assemble, cut_left, plain
from tui.widgets.panel import Fact
from tui.wording import ago, count, percent, short_path, size, span

if TYPE_CHECKING:
    from engine.events import SyncProgress
    from engine.status import EngineStatus

BAR_CELLS = 20


@dataclass(frozen=True, slots=True)
class Setting:
    """What the wording depends on besides the status itself."""

    now_ms: float
    home: str
    glyphs: Glyphs
    cells: int


def index_facts(
    status: EngineStatus, progress: SyncProgress | None, at: Setting
) -> tuple[Fact, ...]:
    """Counts, the store and its two indexes, the state and what runs now."""
    return (
        Fact("memory", _memory(status, at)),
        Fact("index", _counts(status, at.glyphs)),
        Fact("store", _store(status, at)),
        Fact("search", _legs(status, at.glyphs), wraps=True),
        Fact("state", _state(status, at), wraps=True),
        Fact("now", _now(status, progress, at), wraps=True),
    )


def provider_facts(status: EngineStatus, at: Setting) -> tuple[Fact, ...]:
    """Which provider was asked for, which one is in use and why, and the cache."""
    return (
        Fact("provider", _using(status), wraps=True),
        Fact("because", plain(status.provider.reason or "no reason was given"), wraps=True),
        *_fallback(status, at),
        Fact("cache", _cache(status, at.glyphs)),
        Fact("profile", _profile(status, at.glyphs)),
        Fact("watching", _watch(status, at), wraps=True),
    )


def caution_facts(status: EngineStatus, at: Setting) -> tuple[Fact, ...]:
    """Every warning with what to do about it."""
    return tuple(
        Fact(
            f"{at.glyphs.warning} {number}",
            assemble(
                (caution.title, "bold $text-warning"),
                f": {caution.message}" if caution.message else "",
                (f" {caution.hint}" if caution.hint else "", "$text-muted"),
            ),
            wraps=True,
        )
        for number, caution in enumerate(status.warnings, start=1)
    )


def _memory(status: EngineStatus, at: Setting) -> Content:
    kind = {"agent": "agent", "folder": "folder", "demo": "demo"}[status.mode]
    place = cut_left(short_path(status.workspace, at.home), max(at.cells - 36, 16))
    return assemble(
        (status.agent_id, "bold"),
        ("  " + place, ""),
        (f"  {kind}, era {status.era}", "$text-muted"),
    )


def _counts(status: EngineStatus, glyphs: Glyphs) -> Content:
    sources = f" {glyphs.dot} ".join(f"{s.source} {count(s.files)}" for s in status.source_counts)
    dims = f" {glyphs.dot} {status.vector.dimensions}d" if status.vector.dimensions else ""
    return assemble(
        (count(status.files), "bold"),
        _many(status.files, " file"),
        (f" ({sources})" if sources else "", "$text-muted"),
        "   ",
        (count(status.chunks), "bold"),
        _many(status.chunks, " chunk"),
        "   ",
        (count(status.vector.vectors), "bold"),
        _many(status.vector.vectors, " vector"),
        (dims, "$text-muted"),
    )


def _many(number: int, word: str) -> str:
    return word if number == 1 else word + "s"


def _store(status: EngineStatus, at: Setting) -> Content:
    place = cut_left(short_path(status.store_path, at.home), max(at.cells - 40, 16))
    return assemble(
        (size(status.store_bytes), "bold"),
        f"  {place}",
        (f"  SQLite {status.sqlite_version}", "$text-muted"),
    )


def _legs(status: EngineStatus, glyphs: Glyphs) -> Content:
    return assemble(*_fts(status, glyphs), "   ", *_vectors(status, glyphs))


def _fts(status: EngineStatus, glyphs: Glyphs) -> Iterable[str | tuple[str, str]]:
    fts = status.fts
    if not fts.enabled:
        return [(f"{glyphs.paused} FTS off", "$text-warning"), " by configuration"]
    if not fts.available:
        return [(f"{glyphs.failed} no FTS", "$text-error"), f" {fts.error or 'not available'}"]
    return [(f"{glyphs.clean} FTS5", "$text-success"), f" {fts.tokenizer}"]


def _vectors(status: EngineStatus, glyphs: Glyphs) -> Iterable[str | tuple[str, str]]:
    vector = status.vector
    if not vector.enabled or vector.via == "none":
        why = "by configuration" if not vector.enabled else vector.load_error or "no provider"
        return [(f"{glyphs.paused} vectors off", "$text-warning"), f" {why}"]
    if vector.via == "in-process":
        why = f" {vector.load_error}" if vector.load_error else ""
        return [(f"{glyphs.warning} no sqlite-vec", "$text-warning"), f" cosine in process:{why}"]
    return [(f"{glyphs.clean} sqlite-vec", "$text-success"), f" {vector.version or ''}"]


def _state(status: EngineStatus, at: Setting) -> Content:
    glyphs = at.glyphs
    if status.sync.phase == "failed":
        told = status.sync.error or "no reason was given"
        hint = f" {status.sync.error_hint}" if status.sync.error_hint else ""
        return assemble(
            (f"{glyphs.failed} sync failed", "bold $text-error"), f" {told}", (hint, "$text-muted")
        )
    if status.identity.status == "mismatched":
        changes = "; ".join(status.identity.changes)
        return assemble(
            (f"{glyphs.paused} index is of another setting", "bold $text-warning"), f" {changes}"
        )
    scanned = (
        f"   disk looked at {ago(status.scanned_at_ms, at.now_ms)}"
        if status.scanned_at_ms is not None
        else "   disk not looked at yet"
    )
    if status.dirty:
        number = len(status.dirty)
        text = f"{glyphs.dirty} dirty: {number}{_many(number, ' file')}"
        return assemble((text, "bold $text-warning"), (scanned, "$text-muted"))
    if status.identity.status == "missing":
        return assemble(("nothing indexed yet", "bold"), (scanned, "$text-muted"))
    return assemble((f"{glyphs.clean} clean", "bold $text-success"), (scanned, "$text-muted"))


def _now(status: EngineStatus, progress: SyncProgress | None, at: Setting) -> Content:
    if progress is not None:
        return progress_content(progress, at.glyphs)
    last = status.sync.last
    if status.sync.phase == "cancelled":
        return plain("idle; the last sync was cancelled, the index before it still answers")
    if last is None:
        return plain("idle; no sync yet in this run")
    when = last.started_ms + last.duration_ms
    return assemble(
        "idle; last sync ",
        ago(when, at.now_ms),
        f" took {span(last.duration_ms / 1000)}: ",
        f"{count(last.files_indexed)}{_many(last.files_indexed, ' file')}, ",
        f"+{count(last.chunks_added)} {at.glyphs.dash}{count(last.chunks_removed)} chunks",
    )


def progress_content(progress: SyncProgress, glyphs: Glyphs) -> Content:
    """The stage, a bar of the files done, the numbers, and the estimate of the rest."""
    share = progress.files_done / progress.files_total if progress.files_total else 0.0
    filled = min(int(share * BAR_CELLS), BAR_CELLS)
    rest = (
        "" if progress.remaining_s is None else f" {glyphs.dot} about {span(progress.remaining_s)}"
    )
    return assemble(
        (f"{glyphs.running} {progress.stage} ", "bold $text-accent"),
        (glyphs.bar * filled, "$accent"),
        (glyphs.bar_empty * (BAR_CELLS - filled), "$text-muted"),
        f" {count(progress.files_done)}/{count(progress.files_total)} files",
        f" {glyphs.dot} {count(progress.chunks_done)} chunks",
        rest,
    )


def _using(status: EngineStatus) -> Content:
    provider = status.provider
    model = f"/{provider.model}" if provider.model else ""
    where = "texts leave this machine" if provider.remote else "on this machine"
    if provider.provider == "none":
        where = "keywords only"
    return assemble(
        (f"{provider.provider}{model}", "bold"),
        f"   asked for: {provider.requested}",
        (f"   {where}", "$text-warning" if provider.remote else "$text-muted"),
    )


def _fallback(status: EngineStatus, at: Setting) -> Iterable[Fact]:
    provider = status.provider
    if provider.fallback is not None:
        turn = provider.fallback
        text = f"{turn.from_} failed {ago(turn.since_ms, at.now_ms)}, {turn.to} answers: "
        yield Fact(
            "fallback",
            assemble((at.glyphs.warning + " " + text, "bold $text-warning"), turn.reason),
            True,
        )
    if provider.error:
        told = assemble((f"{at.glyphs.failed} ", "bold $text-error"), provider.error)
        yield Fact("error", told, wraps=True)


def _cache(status: EngineStatus, glyphs: Glyphs) -> Content:
    cache = status.cache
    if not cache.enabled:
        return assemble((f"{glyphs.paused} off", "$text-warning"), " by configuration")
    rate = cache.hit_rate
    most = f" of at most {count(cache.max_entries)}" if cache.max_entries else ""
    last = f"{percent(rate)} hits in the last sync" if rate is not None else "not asked yet"
    return assemble((last, "bold"), f"   {count(cache.entries)} entries{most}")


def _profile(status: EngineStatus, glyphs: Glyphs) -> Content:
    sources = "+".join(status.sources)
    extra = f" {glyphs.dot} {len(status.extra_paths)} extra paths" if status.extra_paths else ""
    return assemble((status.profile, "bold"), f"   sources {sources}{extra}")


def _watch(status: EngineStatus, at: Setting) -> Content:
    watch = status.watch
    words = {"off": f"{at.glyphs.paused} off", "native": "on", "polling": "by polling"}[watch.mode]
    folders = (
        f", {count(watch.folders)}{_many(watch.folders, ' folder')}" if watch.mode != "off" else ""
    )
    seen = (
        f"   last change noticed {ago(watch.last_event_ms, at.now_ms)}"
        if watch.last_event_ms is not None
        else ""
    )
    note = f"   {watch.note}" if watch.note else ""
    return assemble((words, "bold"), folders, (seen + note, "$text-muted"))
