"""``memlens index``: bring the index up to date, with progress on stderr."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from engine.cli.model_progress import DownloadLine
from engine.cli.output import EXIT_DONE, EXIT_FAILED, plain, print_json, print_lines, say
from engine.cli.provider_lines import charged_words, cost_document
from engine.events import EngineEvent, ModelDownload, Notice, SyncProgress

if TYPE_CHECKING:
    from engine.cli.session import Session
    from engine.events import SyncReport

BAR = 24


@click.command()
@click.option("--force", is_flag=True, help="Rebuild everything beside the old index.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@click.pass_obj
def index(session: Session, force: bool, as_json: bool) -> int:
    """Index what is new or changed; asking for it is consent to a paid provider.

    Ends with 1 when the provider failed: texts are stored, and found by keywords.
    """
    reports: list[SyncReport] = []
    with session.engines() as engines:
        for engine in engines:
            progress = Progress()
            unsubscribe = engine.events.subscribe(progress)
            try:
                reports.append(engine.sync("demand", force=force))
            finally:
                unsubscribe()
                progress.end()
    if as_json:
        documents = [_document(report) for report in reports]
        print_json(documents[0] if len(documents) == 1 else documents)
    else:
        print_lines(_sentence(report) for report in reports)
    failed = [report for report in reports if _complain(report)]
    return EXIT_FAILED if failed else EXIT_DONE


def _complain(report: SyncReport) -> bool:
    """Say why texts have no vector, if the provider failed."""
    if report.embedding_error is None:
        return False
    say(f"{report.embedding_error} {report.embedding_hint}".rstrip())
    if report.stood_in:
        say(f"The fallback has embedded {report.stood_in} texts, in a vector space of its own.")
    return True


def _document(report: SyncReport) -> dict[str, object]:
    return {
        "filesIndexed": report.files_indexed,
        "filesRemoved": report.files_removed,
        "chunksAdded": report.chunks_added,
        "chunksRemoved": report.chunks_removed,
        "embedded": report.embedded,
        "cached": report.cached,
        "notEmbedded": report.not_embedded,
        "submitted": report.submitted,
        "embeddingError": report.embedding_error,
        "fallbackEmbedded": report.stood_in,
        **cost_document(report),
        "skipped": plain(report.skipped),
        "durationMs": round(report.duration_ms, 1),
    }


def _sentence(report: SyncReport) -> str:
    return (
        f"{report.files_indexed} files indexed, {report.files_removed} removed; "
        f"chunks +{report.chunks_added} -{report.chunks_removed}; "
        f"{report.embedded} embedded, {report.cached} from the cache"
        + (f", {report.not_embedded} without a vector" if report.not_embedded else "")
        + (f" ({report.submitted} texts are out in batch jobs)" if report.submitted else "")
        + charged_words(report)
        + f"; {report.duration_ms / 1000:.2f} s"
    )


class Progress:
    """A bar on stderr while it is a terminal; notices and downloads as lines always."""

    def __init__(self) -> None:
        self._drawn = False
        self._download = DownloadLine()

    def __call__(self, event: EngineEvent) -> None:
        """Draw what the engine tells; called on the engine's threads."""
        if isinstance(event, Notice | ModelDownload):
            self.end()
        self._download.heard(event)
        if isinstance(event, Notice):
            say(event.text)
        elif isinstance(event, SyncProgress) and sys.stderr.isatty():
            self._draw(event)

    def end(self) -> None:
        """Leave the line of the bar."""
        if self._drawn:
            sys.stderr.write("\n")
            self._drawn = False

    def _draw(self, event: SyncProgress) -> None:
        share = event.files_done / event.files_total if event.files_total else 1.0
        filled = round(share * BAR)
        left = "" if event.remaining_s is None else f"  ~{event.remaining_s:.0f} s"
        bar = "#" * filled + "-" * (BAR - filled)
        text = f"{event.stage} [{bar}] {event.files_done}/{event.files_total} files{left}"
        sys.stderr.write(f"\r{text:<70}")
        sys.stderr.flush()
        self._drawn = True
