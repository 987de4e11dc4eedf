"""Gemini's batch jobs: a file of requests, and a long-running operation that answers them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlsplit, urlunsplit

from engine.embeddings.batch_jobs.addresses import with_query
from engine.embeddings.batch_jobs.dialect import (
    JobPage,
    JobView,
    RawResult,
    count_of,
    part_of,
    text_of,
)
from engine.embeddings.batch_jobs.multipart import Multipart, related
from engine.embeddings.batch_jobs.openai import on_one_line
from engine.embeddings.remote.wire import AnswerError, Call, WireShape
from engine.events import BatchPhase
from engine.net.error_text import error_text
from engine.net.host_guard import joined

_PAGE = 100
_PHASES: Mapping[str, BatchPhase] = {
    "UNSPECIFIED": "queued",
    "PENDING": "queued",
    "QUEUED": "queued",
    "RUNNING": "in_progress",
    "PAUSED": "in_progress",
    "UPDATING": "in_progress",
    "SUCCEEDED": "completed",
    "PARTIALLY_SUCCEEDED": "completed",
    "FAILED": "failed",
    "EXPIRED": "expired",
    "CANCELLING": "cancelling",
    "CANCELLED": "cancelled",
}
_CROWDED_CODE = 8
"""RESOURCE_EXHAUSTED among the codes of ``google.rpc``."""


class GeminiBatches:
    """``:asyncBatchEmbedContent``; ``shape`` writes the request of a text."""

    def __init__(self, shape: WireShape) -> None:
        self._shape = shape

    def line(self, id: str, text: str, model: str) -> bytes:
        """The id as key, and one entry of what a plain request would hold."""
        (request,) = json.loads(self._shape.encode([text], "document", model).body)["requests"]
        line = {"key": id, "request": request}
        return on_one_line(json.dumps(line, ensure_ascii=False).encode())

    def upload_url(self, base_url: str) -> str:
        """The upload door of the same host."""
        return with_query(_behind(base_url, "upload", "files"), "uploadType=multipart")

    def upload_form(self, label: str) -> Multipart:
        """What the file is called, then the file."""
        file = {"displayName": label, "mimeType": "application/jsonl"}
        return related(f"----{label}", {"file": file}, "application/jsonl")

    def uploaded(self, answer: Mapping[str, Any]) -> str:
        """The name of the file, ``files/...``."""
        name = text_of((part_of(answer, "file") or answer).get("name"))
        if not name:
            raise AnswerError("it does not name the uploaded file")
        return name

    def create(self, file: str, label: str, model: str) -> Call:
        """A job for one model, with our label as its name for people."""
        batch = {"displayName": label, "inputConfig": {"file_name": file}}
        path = f"models/{quote(model, safe='')}:asyncBatchEmbedContent"
        return Call(path, json.dumps({"batch": batch}).encode())

    def view(self, answer: Mapping[str, Any]) -> JobView:
        """The operation: what it is about stands in ``metadata``, its end in two more places."""
        metadata = part_of(answer, "metadata") or answer
        response, error = part_of(answer, "response"), part_of(answer, "error")
        stats = part_of(metadata, "batchStats")
        done = count_of(stats.get("successfulRequestCount"))
        return JobView(
            job=_name_of(answer, metadata),
            phase=_phase(answer, metadata, error),
            done=done,
            failed=count_of(stats.get("failedRequestCount")),
            total=count_of(stats.get("requestCount")) or None,
            files=_files(metadata, response),
            problem=error_text(json.dumps({"error": dict(error)}).encode()) if error else "",
            crowded=error.get("code") == _CROWDED_CODE,
            known=frozenset(filter(None, (text_of(metadata.get("displayName")),))),
        )

    def job_path(self, job: str) -> str:
        """The operation."""
        return quote(job, safe="/")

    def cancel_path(self, job: str) -> str:
        """Its cancelling."""
        return f"{self.job_path(job)}:cancel"

    def list_path(self) -> str:
        """The latest operations."""
        return f"batches?pageSize={_PAGE}"

    def page(self, answer: Mapping[str, Any]) -> JobPage:
        """The operations of a page; a list that is empty is left out by the service."""
        listed = answer.get("operations", answer.get("batches", []))
        if not isinstance(listed, list):
            raise AnswerError("it holds no list of batch jobs")
        jobs = tuple(view for each in listed if (view := self._view_or_none(each)) is not None)
        token = text_of(answer.get("nextPageToken"))
        more = f"{self.list_path()}&pageToken={quote(token, safe='')}" if token else None
        return JobPage(jobs, more)

    def content_urls(self, base_url: str, file: str) -> tuple[str, ...]:
        """The download door of the same host, then the older way beside the file."""
        path = f"{self.file_path(file)}:download"
        doors = (_behind(base_url, "download", path), joined(base_url, path))
        return tuple(with_query(url, "alt=media") for url in doors)

    def file_path(self, file: str) -> str:
        """One file; its name brings the folder along."""
        return quote(file, safe="/")

    def result(self, line: Mapping[str, Any]) -> RawResult | None:
        """A vector, in the response or beside it, or an error."""
        key = text_of(line.get("key")) or text_of(part_of(line, "metadata").get("key"))
        if not key:
            return None
        response = part_of(line, "response")
        error = line.get("error") or response.get("error")
        embedding = part_of(response, "embedding") or part_of(line, "embedding")
        if error or not embedding:
            told = error_text(json.dumps({"error": error}).encode()) if error else ""
            return RawResult(key, error=told or "no vector")
        tokens = count_of(part_of(response, "usageMetadata").get("promptTokenCount")) or None
        return RawResult(key, embedding=embedding.get("values"), tokens=tokens)

    def _view_or_none(self, listed: Any) -> JobView | None:
        try:
            return self.view(listed) if isinstance(listed, Mapping) else None
        except AnswerError:
            return None


def _phase(
    answer: Mapping[str, Any], metadata: Mapping[str, Any], error: Mapping[str, Any]
) -> BatchPhase:
    """By the state, whose prefix differs; an operation that is done has ended in any case."""
    state = text_of(metadata.get("state"))
    phase = _PHASES.get(state.rpartition("_STATE_")[2])
    if answer.get("done") is True and phase not in ("completed", "expired", "cancelled"):
        return "failed" if error or phase == "failed" else "completed"
    if phase is None:
        raise AnswerError("it names no state that is known")
    return phase


def _name_of(answer: Mapping[str, Any], metadata: Mapping[str, Any]) -> str:
    name = text_of(answer.get("name")) or text_of(metadata.get("name"))
    if not name:
        raise AnswerError("it does not name the batch job")
    return name


def _files(metadata: Mapping[str, Any], response: Mapping[str, Any]) -> tuple[str, ...]:
    """Result files from all the places where they have been seen."""
    places = (part_of(metadata, "output"), response, part_of(response, "output"))
    names = (text_of(place.get("responsesFile")) for place in places)
    return tuple(dict.fromkeys(filter(None, names)))


def _behind(base_url: str, door: str, path: str) -> str:
    """A path below a door of the host: ``/v1beta`` becomes ``/upload/v1beta``."""
    parts = urlsplit(base_url)
    before, _, version = parts.path.rstrip("/").rpartition("/")
    return urlunsplit(parts._replace(path="/".join([before, *filter(None, (door, version, path))])))
