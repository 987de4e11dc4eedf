"""What each service writes and reads; no answer makes any of them stumble."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as patience
from hypothesis import strategies as st

from engine.embeddings.batch_jobs.addresses import below
from engine.embeddings.batch_jobs.dialect import BatchDialect
from engine.embeddings.batch_jobs.gemini import GeminiBatches
from engine.embeddings.batch_jobs.openai import OpenAIBatches
from engine.embeddings.batch_jobs.voyage import VoyageBatches
from engine.embeddings.remote.settings import RemoteSettings, WireSettings
from engine.embeddings.remote.wire import AnswerError
from engine.embeddings.shapes.gemini import GeminiShape
from engine.embeddings.shapes.openai import OpenAIShape


def settings(model: str = "m", **fields: Any) -> RemoteSettings:
    return RemoteSettings("p", "https://host/v1", WireSettings(model, 64, base64=True), **fields)


OPENAI = OpenAIBatches(OpenAIShape(settings()))
VOYAGE = VoyageBatches(OpenAIShape(settings(document_input_type="document"), "output_dimension"))
GEMINI = GeminiBatches(GeminiShape(settings(document_input_type="RETRIEVAL_DOCUMENT")))
ALL: list[BatchDialect] = [OPENAI, VOYAGE, GEMINI]
STATES = ["BATCH_STATE_RUNNING", "JOB_STATE_SUCCEEDED", "validating", "completed", "NONSENSE", 7]


def line(dialect: BatchDialect, text: str) -> dict[str, Any]:
    written = dialect.line("id-1", text, "m")
    assert written.endswith(b"\n")
    assert len(written.decode().splitlines()) == 1, "one line to every reader of text"
    found = json.loads(written)
    assert isinstance(found, dict)
    return found


def test_openai_wants_a_whole_request() -> None:
    body = {"model": "m", "input": ["heron"], "dimensions": 64, "encoding_format": "base64"}
    request = {"custom_id": "id-1", "method": "POST", "url": "/v1/embeddings"}
    assert line(OPENAI, "heron") == {**request, "body": body}


def test_voyage_says_what_is_common_once() -> None:
    assert line(VOYAGE, "heron") == {"custom_id": "id-1", "body": {"input": ["heron"]}}
    order = json.loads(VOYAGE.create("file-1", "label", "m").body)
    common = {"model": "m", "output_dimension": 64, "input_type": "document"}
    assert order["request_params"] == {**common, "encoding_format": "base64"}
    assert order["completion_window"] == "12h"


def test_gemini_wants_one_entry_of_a_plain_request() -> None:
    assert line(GEMINI, "heron") == {
        "key": "id-1",
        "request": {
            "model": "models/m",
            "content": {"parts": [{"text": "heron"}]},
            "taskType": "RETRIEVAL_DOCUMENT",
            "outputDimensionality": 64,
        },
    }


def test_embedding_2_keeps_its_prefix() -> None:
    shape = GeminiShape(settings("gemini-embedding-2", document_input_type="RETRIEVAL_DOCUMENT"))
    request = line(GeminiBatches(shape), "heron")["request"]
    assert request["content"]["parts"][0]["text"] == "title: none | text: heron"
    assert "taskType" not in request


@pytest.mark.parametrize("dialect", ALL)
@patience(deadline=None)
@given(text=st.text(st.characters()))
def test_any_text_stays_on_its_line(dialect: BatchDialect, text: str) -> None:
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    found = json.dumps(line(dialect, text), ensure_ascii=False)
    assert json.dumps(whole, ensure_ascii=False)[1:-1] in found


def test_addresses_of_gemini_go_through_its_doors() -> None:
    base = "https://generativelanguage.googleapis.com/v1beta"
    host = "https://generativelanguage.googleapis.com"
    assert GEMINI.upload_url(base) == f"{host}/upload/v1beta/files?uploadType=multipart"
    assert GEMINI.content_urls(base, "files/abc") == (
        f"{host}/download/v1beta/files/abc:download?alt=media",
        f"{host}/v1beta/files/abc:download?alt=media",
    )
    assert GEMINI.upload_url("https://proxy/g/v1beta") == (
        "https://proxy/g/upload/v1beta/files?uploadType=multipart"
    )


def test_a_query_of_the_base_address_is_kept() -> None:
    assert below("https://h/v1?api=2", "batches?limit=9") == "https://h/v1/batches?api=2&limit=9"
    assert below("https://h/v1", "batches/b_1") == "https://h/v1/batches/b_1"


def test_names_from_a_service_cannot_leave_their_place() -> None:
    assert OPENAI.job_path("../../x?y") == "batches/..%2F..%2Fx%3Fy"
    assert OPENAI.file_path("a/b") == "files/a%2Fb"


# -- reading


def test_openai_s_states_counts_and_files() -> None:
    view = OPENAI.view(
        {
            "id": "batch_1",
            "status": "completed",
            "input_file_id": "file-1",
            "output_file_id": None,
            "error_file_id": "file-3",
            "request_counts": {"total": 9, "completed": 4, "failed": 5},
            "metadata": {"label": "memlens-1"},
        }
    )
    assert (view.job, view.phase, view.ended) == ("batch_1", "completed", True)
    assert (view.done, view.failed, view.total) == (4, 5, 9)
    assert view.files == ("file-3",)
    assert view.known == {"file-1", "memlens-1"}


def test_a_failed_validation_says_what_was_wrong() -> None:
    data = [{"code": "token_limit_exceeded", "message": "Enqueued token limit reached", "line": 3}]
    view = OPENAI.view({"id": "b", "status": "failed", "errors": {"data": data}})
    assert (view.problem, view.crowded) == ("Enqueued token limit reached", True)


@pytest.mark.parametrize(
    ("answer", "phase"),
    [
        ({"metadata": {"state": "BATCH_STATE_PENDING"}}, "queued"),
        ({"metadata": {"state": "BATCH_STATE_RUNNING"}, "done": False}, "in_progress"),
        ({"metadata": {"state": "JOB_STATE_SUCCEEDED"}, "done": True}, "completed"),
        ({"done": True, "response": {"responsesFile": "files/o"}}, "completed"),
        ({"done": True, "error": {"code": 3, "message": "no"}}, "failed"),
        (
            {"done": True, "metadata": {"state": "BATCH_STATE_EXPIRED"}, "error": {"code": 4}},
            "expired",
        ),
        ({"done": True, "metadata": {"state": "BATCH_STATE_CANCELLED"}}, "cancelled"),
        ({"metadata": {"state": "BATCH_STATE_FAILED"}}, "failed"),
    ],
)
def test_gemini_s_states(answer: dict[str, Any], phase: str) -> None:
    assert GEMINI.view({"name": "batches/1", **answer}).phase == phase


@pytest.mark.parametrize(
    "places",
    [
        {"metadata": {"output": {"responsesFile": "files/o"}}},
        {"response": {"responsesFile": "files/o"}},
        {"response": {"output": {"responsesFile": "files/o"}}},
        {
            "metadata": {"output": {"responsesFile": "files/o"}},
            "response": {"responsesFile": "files/o"},
        },
    ],
)
def test_gemini_s_results_lie_in_one_of_several_places(places: dict[str, Any]) -> None:
    view = GEMINI.view({"name": "batches/1", "done": True, **places})
    assert view.files == ("files/o",)


def test_results_of_the_openai_shape() -> None:
    body = {"data": [{"index": 0, "embedding": [1.0]}], "usage": {"total_tokens": 3}}
    right = OPENAI.result({"custom_id": "a", "response": {"status_code": 200, "body": body}})
    assert right is not None
    assert (right.id, right.embedding, right.error, right.tokens) == ("a", [1.0], "", 3)
    body = {"error": {"message": "too long", "type": "x", "code": None}}
    wrong = OPENAI.result(
        {"custom_id": "a", "response": {"status_code": 400, "body": body}, "error": None}
    )
    assert wrong is not None
    assert wrong.error == "too long"
    late = OPENAI.result(
        {"custom_id": "a", "response": None, "error": {"code": "batch_expired", "message": "late"}}
    )
    assert late is not None
    assert late.error == "late"


def test_results_of_gemini() -> None:
    values = {"values": [1.0]}
    for found in ({"response": {"embedding": values}}, {"embedding": values}):
        right = GEMINI.result({"key": "a", **found})
        assert right is not None
        assert (right.embedding, right.error) == ([1.0], "")
    wrongs: list[dict[str, Any]] = [{"error": {"code": 3, "message": "no"}}, {"response": {}}, {}]
    for wrong in wrongs:
        result = GEMINI.result({"key": "a", **wrong})
        assert result is not None
        assert result.error in ("no", "no vector")


words = st.sampled_from([*STATES, None, True, 1.5, -3, "12", [], {}])
names = st.sampled_from(
    [
        "id", "name", "status", "state", "done", "metadata", "output", "response", "error",
        "responsesFile", "batchStats", "requestCount", "request_counts", "total", "completed",
        "errors", "data", "file", "custom_id", "key", "body", "status_code", "embedding", "usage",
        "total_tokens", "operations", "last_id", "has_more", "nextPageToken", "label", "code",
    ]
)  # fmt: skip
answers = st.recursive(
    words,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(names, inner)),
    max_leaves=12,
)


@pytest.mark.parametrize("dialect", ALL)
@patience(deadline=None)
@given(answer=st.dictionaries(names, answers))
def test_any_answer_is_read_or_refused(dialect: BatchDialect, answer: Mapping[str, Any]) -> None:
    for read in (dialect.view, dialect.uploaded, dialect.page, dialect.result):
        try:
            read(answer)
        except AnswerError as error:
            assert str(error)
