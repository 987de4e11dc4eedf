"""OpenAI's batch jobs: a file of whole requests, a job that names it, result files of lines.

Also the base of services that have copied them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from engine.embeddings.batch_jobs.dialect import (
    JobPage,
    JobView,
    RawResult,
    count_of,
    part_of,
    text_of,
)
from engine.embeddings.batch_jobs.multipart import Multipart, form_data
from engine.embeddings.remote.wire import AnswerError, Call, WireShape
from engine.events import BatchPhase
from engine.net.error_text import error_text
from engine.net.host_guard import joined

ENDPOINT = "/v1/embeddings"
_PAGE = 100
_PHASES: Mapping[str, BatchPhase] = {
    "validating": "validating",
    "queued": "queued",
    "in_progress": "in_progress",
    "finalizing": "finalizing",
    "completed": "completed",
    "failed": "failed",
    "expired": "expired",
    "cancelling": "cancelling",
    "cancelled": "cancelled",
    "canceled": "cancelled",
}
_CROWDED = frozenset({"token_limit_exceeded", "request_limit_exceeded", "batch_limit_exceeded"})
# Line ends to some readers of text, but not to JSON; they can only stand inside strings.
_ODD_BREAKS = (("\u2028", b"\\u2028"), ("\u2029", b"\\u2029"), ("\x85", b"\\u0085"))


class OpenAIBatches:
    """The Files and Batches APIs; ``shape`` writes the request of a text."""

    window = "24h"

    def __init__(self, shape: WireShape) -> None:
        self._shape = shape

    def line(self, id: str, text: str, model: str) -> bytes:
        """A whole request with method and address."""
        body = self._shape.encode([text], "document", model).body
        head = json.dumps({"custom_id": id, "method": "POST", "url": ENDPOINT})
        return on_one_line(head[:-1].encode() + b', "body": ' + body + b"}")

    def upload_url(self, base_url: str) -> str:
        """The Files API."""
        return joined(base_url, "files")

    def upload_form(self, label: str) -> Multipart:
        """The purpose, then the file."""
        return form_data(
            f"----{label}", {"purpose": "batch"}, f"{label}.jsonl", "application/jsonl"
        )

    def uploaded(self, answer: Mapping[str, Any]) -> str:
        """The id of the file."""
        return _id_of(answer, "uploaded file")

    def create(self, file: str, label: str, model: str) -> Call:
        """A job for one endpoint, with our label among its metadata."""
        return Call("batches", json.dumps(self._order(file, label, model)).encode())

    def view(self, answer: Mapping[str, Any]) -> JobView:
        """The batch object."""
        phase = _PHASES.get(text_of(answer.get("status")))
        if phase is None:
            raise AnswerError("it names no state that is known")
        counts, problems = part_of(answer, "request_counts"), _problems(answer)
        files = (answer.get("output_file_id"), answer.get("error_file_id"))
        known = (
            text_of(answer.get("input_file_id")),
            text_of(part_of(answer, "metadata").get("label")),
        )
        return JobView(
            job=_id_of(answer, "batch job"),
            phase=phase,
            done=count_of(counts.get("completed")),
            failed=count_of(counts.get("failed")),
            total=count_of(counts.get("total")) or None,
            files=tuple(file for file in files if isinstance(file, str) and file),
            problem="; ".join(message for _, message in problems[:3]),
            crowded=phase == "failed" and any(code in _CROWDED for code, _ in problems),
            known=frozenset(filter(None, known)),
        )

    def job_path(self, job: str) -> str:
        """One batch."""
        return f"batches/{quote(job, safe='')}"

    def cancel_path(self, job: str) -> str:
        """Its cancelling."""
        return f"{self.job_path(job)}/cancel"

    def list_path(self) -> str:
        """The latest batches."""
        return f"batches?limit={_PAGE}"

    def page(self, answer: Mapping[str, Any]) -> JobPage:
        """The batches of a page; those that are not understood are left out."""
        listed = answer.get("data")
        if not isinstance(listed, list):
            raise AnswerError("it holds no list of batch jobs")
        jobs = tuple(view for each in listed if (view := self._view_or_none(each)) is not None)
        last = answer.get("last_id") or (jobs[-1].job if jobs else None)
        more = bool(answer.get("has_more")) and isinstance(last, str)
        return JobPage(
            jobs, f"{self.list_path()}&after={quote(str(last), safe='')}" if more else None
        )

    def content_urls(self, base_url: str, file: str) -> tuple[str, ...]:
        """The content of the file."""
        return (joined(base_url, f"{self.file_path(file)}/content"),)

    def file_path(self, file: str) -> str:
        """One file."""
        return f"files/{quote(file, safe='')}"

    def result(self, line: Mapping[str, Any]) -> RawResult | None:
        """An answer with its status, or an error; the documented error field is often null."""
        id = text_of(line.get("custom_id"))
        if not id:
            return None
        response = part_of(line, "response")
        body, status = part_of(response, "body"), response.get("status_code", 200)
        error = line.get("error") or body.get("error")
        if error or not body or not isinstance(status, int) or not 200 <= status < 300:
            told = error_text(json.dumps({"error": error}).encode()) if error else ""
            return RawResult(id, error=told or f"no vector (status {status})")
        tokens = count_of(part_of(body, "usage").get("total_tokens")) or None
        return RawResult(id, embedding=_only_embedding(body), tokens=tokens)

    def _order(self, file: str, label: str, model: str) -> dict[str, Any]:
        return {
            "input_file_id": file,
            "endpoint": ENDPOINT,
            "completion_window": self.window,
            "metadata": {"label": label},
        }

    def _view_or_none(self, listed: Any) -> JobView | None:
        try:
            return self.view(listed) if isinstance(listed, Mapping) else None
        except AnswerError:
            return None


def on_one_line(line: bytes) -> bytes:
    """The line with its line feed, and nothing in it that could be taken for another one."""
    for char, escaped in _ODD_BREAKS:
        line = line.replace(char.encode(), escaped)
    return line + b"\n"


def _id_of(answer: Mapping[str, Any], what: str) -> str:
    id = text_of(answer.get("id"))
    if not id:
        raise AnswerError(f"it does not name the {what}")
    return id


def _problems(answer: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Codes and messages of what was found wrong with the file."""
    listed = part_of(answer, "errors").get("data")
    entries = (
        [each for each in listed if isinstance(each, Mapping)] if isinstance(listed, list) else []
    )
    return [
        (text_of(each.get("code")), error_text(json.dumps(dict(each)).encode())) for each in entries
    ]


def _only_embedding(body: Mapping[str, Any]) -> Any:
    """The vector of an answer to a single text; None when there is not exactly one."""
    data = body.get("data")
    items = data if isinstance(data, list) else []
    return items[0].get("embedding") if len(items) == 1 and isinstance(items[0], Mapping) else None
