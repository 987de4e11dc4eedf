"""What goes on with providers at this moment: a fallback, pauses, batch jobs, downloads."""

from __future__ import annotations

from collections.abc import Iterator

from textual.content import Content

from engine.events import ModelDownload
from engine.status import BatchJobState, FallbackState, HostPause
from tui.glyphs import Glyphs
from tui.text import assemble, plain
from tui.widgets.index_facts import Setting, progress_content
from tui.widgets.providers.bar import bar
from tui.widgets.providers.known import Known
from tui.widgets.providers.rows import Deed, Row, Section
from tui.wording import ago, count, sentence, size, span

RETRY = Deed("probe", "ask it now")
CANCEL_JOBS = Deed("cancel jobs", "cancel the jobs", danger=True)
CANCEL = Deed("cancel", "cancel the sync", danger=True)
QUIET_S = 5.0
"""A download of which nothing was heard for longer is not said to be fast."""
KEPT = "What has arrived is kept when the download ends early; the next one goes on from there."
PHASES = {"in_progress": "in progress", "uploaded": "uploaded, not begun"}


def now(known: Known, at: Setting) -> Section:
    """The section; it has no rows while all is quiet."""
    return Section("now", tuple(_rows(known, at)))


def counts_seconds(known: Known, now_ms: float) -> bool:
    """Whether anything on the screen has to be drawn anew every second."""
    again = known.again_ms
    waits = again is not None and again > now_ms
    pauses = any(pause.until_ms > now_ms for pause in known.status.pauses)
    return waits or pauses or bool(known.arriving)


def _rows(known: Known, at: Setting) -> Iterator[Row]:
    status = known.status
    if status.provider.fallback is not None:
        yield _fallback(status.provider.fallback, status.provider.error_hint, at)
    if known.again_ms is not None:
        yield Row("again", "again", _again(known.asked, known.again_ms, at), deeds=(RETRY,))
    for pause in status.pauses:
        if pause.until_ms > at.now_ms:
            yield Row(f"pause {pause.host}", "pause", _pause(pause, at))
    if known.progress is not None:
        said = progress_content(known.progress, at.glyphs)
        yield Row("sync", "sync", said, deeds=(CANCEL,))
    for number, job in enumerate(status.batch.jobs):
        key = f"job {number} {job.provider} {job.job}"
        deeds = (CANCEL_JOBS,) if known.may_cancel_jobs else ()
        yield Row(key, "batch job", _job(job, at), _job_id(job), deeds)
    deeds = (CANCEL,) if status.sync.phase == "running" else ()
    for arriving in known.arriving:
        said = _download(arriving.download, (at.now_ms - arriving.heard_ms) / 1000, at.glyphs)
        yield Row(f"download {arriving.download.name}", "download", said, plain(KEPT), deeds)


def _fallback(turn: FallbackState, hint: str, at: Setting) -> Row:
    lasts = span(max(at.now_ms - turn.since_ms, 0.0) / 1000)
    lead = f"{at.glyphs.warning} {turn.to} answers instead of {turn.from_}"
    said = assemble((lead, "bold $text-warning"), f", for {lasts} now: {sentence(turn.reason)}")
    if turn.again_ms is None:
        return Row("fallback", "fallback", said)
    more = assemble(
        f"{turn.from_} and {turn.to} fill different vector spaces, which are never mixed. What "
        f"{turn.from_} has embedded stays and counts again as soon as it answers.",
        f"\n\n{sentence(hint)}" if hint else "",
    )
    return Row("fallback", "fallback", said, more, (RETRY,))


def _again(name: str, again_ms: float, at: Setting) -> Content:
    left = (again_ms - at.now_ms) / 1000
    if left <= 0:
        return plain(f"the next search or sync asks {name} again; r asks now")
    return assemble(
        (f"{at.glyphs.paused} {_seconds(left)}", "bold"),
        f" until searches ask {name} again; r asks now",
    )


def _pause(pause: HostPause, at: Setting) -> Content:
    left = (pause.until_ms - at.now_ms) / 1000
    return assemble(
        (f"{at.glyphs.paused} {_seconds(left)}", "bold $text-warning"),
        f" until {pause.host} may be asked again: {sentence(pause.reason)}",
    )


def _seconds(left: float) -> str:
    """A countdown: whole seconds, and minutes from a hundred seconds on."""
    seconds = max(int(left + 0.999), 0)
    return f"{seconds} s" if seconds < 100 else f"{seconds // 60} min {seconds % 60:02d} s"


def _job(job: BatchJobState, at: Setting) -> Content:
    glyphs = at.glyphs
    pieces: list[str | tuple[str, str]] = [
        (f"{glyphs.running} {PHASES.get(job.phase, job.phase)} ", "bold $text-accent"),
        *bar(job.done, job.total, glyphs),
        f" {count(job.done)}/{count(job.total)}",
    ]
    if job.failed:
        pieces.append((f" {glyphs.dot} {count(job.failed)} failed", "$text-error"))
    looked = "" if job.looked_ms is None else f", looked at {ago(job.looked_ms, at.now_ms)}"
    begun = f"\n{job.provider}, begun {ago(job.since_ms, at.now_ms)}{looked}"
    return assemble(*pieces, (begun, "$text-muted"))


def _job_id(job: BatchJobState) -> Content:
    return assemble(
        ("job       ", "$text-muted"),
        f"its id ends in {job.job}" if job.job else "the provider has given it no id yet",
        "\n\nIts results are fetched by a later sync, also after memlens was closed.",
    )


def _download(download: ModelDownload, quiet_s: float, glyphs: Glyphs) -> Content:
    words = {"waiting": "waiting for another process", "verifying": "comparing its checksum"}
    total = download.total_bytes
    pieces: list[str | tuple[str, str]] = [
        (f"{glyphs.running} {words.get(download.stage, download.stage)} ", "bold $text-accent"),
        *bar(download.done_bytes, total or 0, glyphs),
        f" {size(download.done_bytes)} of {'unknown size' if total is None else size(total)}",
    ]
    left = ""
    if download.stage == "downloading" and quiet_s > QUIET_S:
        pieces.append((f" {glyphs.dot} nothing came for {span(quiet_s)}", "$text-warning"))
    elif download.bytes_per_s is not None:
        pieces.append(f" {glyphs.dot} {size(round(download.bytes_per_s))}/s")
        left = "" if download.remaining_s is None else f", {span(download.remaining_s)} left"
    return assemble(*pieces, (f"\n{download.name}{left}", "$text-muted"))
