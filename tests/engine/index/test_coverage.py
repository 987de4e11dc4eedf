"""The state of each file, computed from a scan and the rows of the store."""

from __future__ import annotations

from engine.events import SkippedFile
from engine.index.coverage import Looked, Stored, coverage
from engine.sources.found import ScanResult
from engine.status import FileState
from engine.store.contract import Unembedded
from tests.engine.index.desk import by_path
from tests.engine.index.test_plan import found, row


def computed(
    stored: Stored, looked: Looked | None = None, skipped: tuple[SkippedFile, ...] = ()
) -> dict[str, FileState]:
    scan = ScanResult((found("a"), found("b")), skipped, ())
    return by_path(coverage(scan, stored, looked or Looked(), lambda path: f"date of {path}"))


def test_in_step() -> None:
    states = computed(Stored([row("a"), row("b")], {"a": 3}))
    assert (states["a"].state, states["a"].chunks, states["a"].hash) == ("indexed", 3, "h")
    assert (states["b"].state, states["b"].chunks) == ("indexed", 0)
    assert states["b"].dated == "date of b"
    assert not any(state.dirty for state in states.values())


def test_new_changed_deleted_and_only_touched() -> None:
    stored = Stored([row("a", mtime=9.0), row("gone"), row("touched")], {"gone": 2})
    scan = ScanResult((found("a"), found("b"), found("touched", mtime=7.0)), (), ())
    looked = Looked({"a": "other", "touched": "h"})
    states = by_path(coverage(scan, stored, looked))
    assert {path: state.state for path, state in states.items()} == {
        "a": "changed",
        "b": "new",
        "gone": "deleted",
        "touched": "indexed",
    }
    assert states["gone"].chunks == 2


def test_skipped_files_say_why_also_while_their_old_rows_are_there() -> None:
    skipped = (SkippedFile("link.md", "a link"), SkippedFile("turned.md", "now a link"))
    states = computed(Stored([row("a"), row("b"), row("turned.md")], {}), skipped=skipped)
    assert (states["link.md"].state, states["link.md"].reason) == ("skipped", "a link")
    assert (states["turned.md"].state, states["turned.md"].reason) == ("deleted", "now a link")
    assert not states["link.md"].dirty


def test_an_unreadable_file_has_failed() -> None:
    states = computed(Stored([row("a"), row("b")], {}), Looked({}, {"a": "locked"}))
    assert (states["a"].state, states["a"].reason) == ("failed", "locked")


def test_failed_waiting_and_refused_vectors_are_three_things() -> None:
    def with_gaps(*gaps: Unembedded) -> tuple[str, str | None]:
        state = computed(Stored([row("a"), row("b")], {"a": 2}, gaps))["a"]
        return state.state, state.reason

    waiting = Unembedded(1, "a", "h1", None)
    failed = Unembedded(2, "a", "h2", "boom")
    refused = Unembedded(2, "a", "h2", "too odd", final=True)
    assert with_gaps(waiting) == (
        "changed",
        "1 of 2 chunks not embedded yet; keyword search finds them.",
    )
    assert with_gaps(waiting, failed) == ("failed", "2 of 2 chunks not embedded: boom")
    assert with_gaps(refused) == (
        "indexed",
        "1 of 2 chunks found by keywords only (lines 1-1): too odd.",
    )
    assert with_gaps(waiting, refused)[0] == "changed"
