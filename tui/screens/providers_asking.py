"""The questions and reports of the Providers screen, as dialogs."""

from __future__ import annotations

from collections.abc import Sequence

from engine.status import BatchJobState
from tui.screens.dialog import Choice, Telling
from tui.text import assemble, plain
from tui.widgets.providers.rows import Deed, Row
from tui.wording import counted


def about_row(row: Row) -> Telling[Deed | None]:
    """The whole of a row, and a button for each thing that can be done there."""
    said = row.said if row.more is None else plain("\n\n").join([row.said, row.more])
    choices: list[Choice[Deed | None]] = [
        Choice(deed.label, deed, deed.danger) for deed in row.deeds
    ]
    return Telling(row.label or "Providers", said, [*choices, Choice("close", None)])


def confirm_probe(name: str, failing: bool) -> Telling[bool]:
    """A probe of a provider that is not on this machine; ``failing`` when it failed before."""
    why = f"\n\nWhen {name} answers, it is used again at once." if failing else ""
    return Telling(
        f"Send a word to {name}?",
        assemble(
            "The probe embeds one word, ",
            ("ping", "bold"),
            f", with {name}. No text of the memory is sent. It counts there as one or two tokens, "
            "which may cost a small fraction of a cent.",
            why,
            "\n\nThis is asked once for each provider until memlens is left.",
        ),
        [Choice("send the word", True), Choice("leave it", False)],
    )


def confirm_open_again(file: str) -> Telling[bool]:
    """The configuration was changed in the editor; it counts when the memory is opened again."""
    return Telling(
        "Open the memory again?",
        assemble(
            (file, "bold"),
            " has changed. memlens reads it when it opens a memory, so what you have changed "
            "counts from then on.",
        ),
        [Choice("open it again", True), Choice("later", False)],
    )


def confirm_cancel_jobs(jobs: Sequence[BatchJobState]) -> Telling[bool]:
    """Cancelling the batch jobs that are out, which may be half paid for."""
    total = sum(job.total for job in jobs)
    return Telling(
        "Cancel the batch jobs?",
        assemble(
            f"{counted(len(jobs), 'job')} with {counted(total, 'text')} ",
            "is" if len(jobs) == 1 else "are",
            " at the provider, which is asked to stop. What it has embedded by then may be charged "
            "for and is fetched by the next sync; the other texts wait for that sync.",
        ),
        [Choice("cancel the jobs", True, danger=True), Choice("let them run", False)],
    )
