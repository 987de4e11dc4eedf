"""What the overview says of the index: counts, the store, its two halves, its state, its work."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.content import Content

from tui.glyphs import Glyphs
from tui.text import assemble, plain
from tui.verdict import verdict
from tui.widgets.panel import Fact, Placed
from tui.wording import ago, count, counted, short_path, size, span

if TYPE_CHECKING:
    from engine.events import SyncProgress, SyncReport
    from engine.status import EngineStatus

Piece = str | tuple[str, str]
BAR_CELLS = 12


@dataclass(frozen=True, slots=True)
class Setting:
    """What the wording depends on besides the status; ``roomy`` asks for every detail."""

    now_ms: float
    home: str
    glyphs: Glyphs
    roomy: bool = False


def index_facts(
    status: EngineStatus, progress: SyncProgress | None, at: Setting
) -> tuple[Fact, ...]:
    """All facts of the index, in the order in which they are shown."""
    return (
        Fact("memory", _memory(status, at)),
        *_counts(status, at),
        Fact("store", _store(status, at)),
        *_halves(status, at),
        Fact("state", _state(status, progress, at)),
        *_work(status, progress, at),
    )


def _memory(status: EngineStatus, at: Setting) -> Placed:
    return Placed(
        assemble((status.agent_id, "bold"), "  "),
        short_path(status.workspace, at.home),
        assemble((f"  {status.mode}, era {status.era}", "$text-muted")),
    )


def _store(status: EngineStatus, at: Setting) -> Placed:
    dot = at.glyphs.dot
    more = f" {dot} revision {status.revision}" if at.roomy else ""
    return Placed(
        assemble((size(status.store_bytes), "bold"), "  "),
        short_path(status.store_path, at.home),
        assemble((f"  SQLite {status.sqlite_version}{more}", "$text-muted")),
    )


def _counts(status: EngineStatus, at: Setting) -> Iterator[Fact]:
    dot = f" {at.glyphs.dot} "
    sources = dot.join(f"{source.source} {count(source.files)}" for source in status.source_counts)
    files: list[Piece] = [_number(status.files), _word(status.files, " file")]
    files.append((f" ({sources})" if sources else "", "$text-muted"))
    chunks: list[Piece] = [_number(status.chunks), _word(status.chunks, " chunk")]
    dims = status.vector.dimensions
    vectors: list[Piece] = [_number(status.vector.vectors), _word(status.vector.vectors, " vector")]
    if not at.roomy:
        vectors.append((f"{dot}{dims}d" if dims else "", "$text-muted"))
        yield Fact("index", assemble(*files, "   ", *chunks, "   ", *vectors))
        return
    vectors.append((f" of {dims} dimensions" if dims else "", "$text-muted"))
    yield Fact("files", assemble(*files))
    yield Fact("chunks", assemble(*chunks, "   ", *vectors))


def _number(number: int) -> tuple[str, str]:
    return count(number), "bold"


def _word(number: int, word: str) -> str:
    return word if number == 1 else f"{word}s"


def _halves(status: EngineStatus, at: Setting) -> Iterator[Fact]:
    keyword, vector = _keyword(status, at.glyphs), _vector(status, at.glyphs)
    if at.roomy:
        yield Fact("keywords", assemble(*keyword))
        yield Fact("vectors", assemble(*vector))
    else:
        yield Fact("search", assemble(*keyword, "   ", *vector))


def _keyword(status: EngineStatus, glyphs: Glyphs) -> list[Piece]:
    fts = status.fts
    if not fts.enabled:
        return [(f"{glyphs.paused} FTS off", "$text-warning"), " by configuration"]
    if not fts.available:
        return [(f"{glyphs.failed} no FTS:", "$text-error"), f" {fts.error or 'not available'}"]
    return [(f"{glyphs.clean} FTS5", "$text-success"), f" {fts.tokenizer}"]


def _vector(status: EngineStatus, glyphs: Glyphs) -> list[Piece]:
    vector = status.vector
    if not vector.enabled:
        return [(f"{glyphs.paused} vectors off", "$text-warning"), " by configuration"]
    if vector.via == "none":
        return [(f"{glyphs.paused} no vectors:", "$text-warning"), f" {_no_vectors(status)}"]
    if vector.via == "in-process":
        if vector.available:  # the numbers are in memory, which is faster still
            sign = (f"{glyphs.clean} sqlite-vec", "$text-success")
            return [sign, f" {vector.version or ''}, held in memory"]
        why = f": {vector.load_error}" if vector.load_error else ""
        sign = (f"{glyphs.warning} no sqlite-vec", "$text-warning")
        return [sign, f", cosine in this process{why}"]
    return [(f"{glyphs.clean} sqlite-vec", "$text-success"), f" {vector.version or ''}"]


def _no_vectors(status: EngineStatus) -> str:
    if status.vector.load_error:
        return status.vector.load_error
    return "no provider" if status.provider.provider == "none" else "none made yet"


def _state(status: EngineStatus, progress: SyncProgress | None, at: Setting) -> Content:
    found = verdict(status, progress, at.glyphs)
    more = f": {found.more}" if found.more else ""
    return assemble((found.words, found.style), more, (_scanned(status, at), "$text-muted"))


def _scanned(status: EngineStatus, at: Setting) -> str:
    if status.scanned_at_ms is None:
        return ""
    return f"   disk looked at {ago(status.scanned_at_ms, at.now_ms)}"


def _work(status: EngineStatus, progress: SyncProgress | None, at: Setting) -> Iterator[Fact]:
    if progress is not None:
        yield Fact("now", progress_content(progress, at.glyphs))
    elif status.sync.phase == "cancelled":
        yield Fact("now", plain("idle; the last sync was cancelled, the index before it answers"))
    last = status.sync.last
    if last is not None and (at.roomy or progress is None):
        yield Fact("last sync", assemble(*_report(last, at)))
    if last is not None and last.embedding_error:
        told = f" {last.embedding_error} {last.embedding_hint}"
        sign = (f"{at.glyphs.failed} {count(last.not_embedded)} without vector:", "$text-error")
        yield Fact("", assemble(sign, told))


def _report(last: SyncReport, at: Setting) -> list[Piece]:
    when = ago(last.started_ms + last.duration_ms, at.now_ms)
    chunks = f"+{count(last.chunks_added)} -{count(last.chunks_removed)} chunks"
    pieces: list[Piece] = [
        f"{when}, {span(last.duration_ms / 1000)}: {counted(last.files_indexed, 'file')}, {chunks}"
    ]
    if at.roomy:
        made = f"{count(last.embedded)} embedded, {count(last.cached)} from the cache"
        reason = f"{'rebuild' if last.forced else 'sync'} on {last.reason}"
        pieces.append((f"\n{made}; {reason}", "$text-muted"))
    return pieces


def progress_content(progress: SyncProgress, glyphs: Glyphs) -> Content:
    """The stage, a bar of the files done, the numbers, and the estimate of the rest."""
    share = progress.files_done / progress.files_total if progress.files_total else 0.0
    filled = min(int(share * BAR_CELLS), BAR_CELLS)
    left = progress.remaining_s
    rest = "" if left is None else f" {glyphs.dot} {span(left)} left"
    return assemble(
        (f"{glyphs.running} {progress.stage} ", "bold $text-accent"),
        (glyphs.bar * filled, "$accent"),
        (glyphs.bar_empty * (BAR_CELLS - filled), "$text-muted"),
        f" {count(progress.files_done)}/{count(progress.files_total)} files",
        f" {glyphs.dot} {count(progress.chunks_done)} chunks",
        (rest, "$text-muted"),
    )
