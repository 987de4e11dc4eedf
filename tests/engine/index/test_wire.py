"""JSON lines between parent and child come back as they were, and nonsense is noticed."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
from engine.index.wire import (
    ChildSetup,
    Job,
    decode_answer,
    decode_job,
    encode_error,
    encode_event,
    encode_job,
    encode_report,
)
from engine.sources.found import SourceRoots

names = st.text(min_size=1)


@given(names, names, st.lists(names), st.booleans())
def test_a_job_arrives_as_it_was_sent(folder: str, store: str, extra: list[str], on: bool) -> None:
    job = Job(
        ChildSetup(Path(store), vector_enabled=on, cache_max=5 if on else None),
        IndexSettings(
            SourceRoots(Path(folder), tuple(extra), plain_folder=on), ChunkingRules(10, 2)
        ),
        SyncRequest("watch", on),
        builtin=on,
    )
    line = encode_job(job)
    assert "\n" not in line
    assert decode_job(line) == job


@pytest.mark.parametrize(
    "event",
    [
        SyncStarted("demand", forced=True, bulk=True, files=3),
        SyncProgress("embedding", 1, 2, 3, 4, 5, None),
        IndexChanged(7),
        StageReached("batch-begun"),
        Notice("warning", "two\nlines"),
    ],
)
def test_events_arrive_as_they_were_told(event: EngineEvent) -> None:
    assert decode_answer(encode_event(event)) == event


@given(names, st.text(), st.integers(0, 9))
def test_a_report_arrives_whole(path: str, reason: str, count: int) -> None:
    report = SyncReport(
        "start", False, count, 0, count, 0, count, 0, 0,
        (SkippedFile(path, reason),),
        (RecentChange(path, "added", 1.5, count, 0, count, 0),),
        1.0, 2.0, embedding_error=reason, tokens=None,
    )  # fmt: skip
    assert decode_answer(encode_report(report)) == report


@pytest.mark.parametrize(
    "error", [SyncError("t", "m", "h"), StoreError("t", "m", "h"), CancelledError("The sync")]
)
def test_errors_keep_kind_and_words(error: EngineError) -> None:
    answer = decode_answer(encode_error(error))
    assert type(answer) is type(error)
    assert isinstance(answer, EngineError)
    assert (answer.title, answer.message, answer.hint) == (error.title, error.message, error.hint)


@pytest.mark.parametrize(
    "line",
    ["", "hello", "[]", "3", '{"event": "Unknown", "data": {}}', '{"event": "IndexChanged"}',
     '{"event": "IndexChanged", "data": {"x": 1}}', '{"report": {}}', '{"error": {}}', "{}"],
)  # fmt: skip
def test_other_lines_are_not_taken_for_ours(line: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        decode_answer(line)
