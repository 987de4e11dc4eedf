"""OpenAI's Files and Batches beside its embeddings, and Voyage's copy of them."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from email.parser import BytesParser
from typing import Any

from engine.clock import Clock
from tests.fakes.answers import Answer, Embed, Received, as_json, packed, status
from tests.fakes.asymmetric import as_document
from tests.fakes.batch_machine import BatchMachine, Job, Line, Plan
from tests.fakes.bow192 import bow_192
from tests.fakes.provider_server import FakeProvider

KEY = "sk-test-4Q7vN2xW9kLm"
MOST_LINES = 50_000
Route = Callable[[Received, "re.Match[str]"], Answer]


def form_parts(received: Received) -> dict[str, bytes]:
    """The fields of a multipart body by name, as a parser of e-mails sees them."""
    head = f"Content-Type: {received.headers['content-type']}\r\n\r\n".encode()
    message = BytesParser().parsebytes(head + received.body)
    assert message.is_multipart(), "the boundary does not hold"
    parts: dict[str, bytes] = {}
    for part in message.get_payload():
        assert not isinstance(part, str)
        content = part.get_payload(decode=True)
        assert isinstance(content, bytes)
        parts[str(part.get_param("name", "", "content-disposition"))] = content
    return parts


class OpenAIBatchHost(FakeProvider):
    """``instead`` answers in place of a route: "upload", "create", "list", "look", "cancel",
    "content", "delete"; each answer once. An answer may be None to let one pass.
    """

    window = "24h"
    line_keys = frozenset({"custom_id", "method", "url", "body"})
    body_keys = frozenset({"model", "input", "encoding_format", "dimensions"})

    def __init__(
        self,
        clock: Clock,
        *,
        plan: Plan | None = None,
        embed: Embed = bow_192,
        most_bytes: int | None = None,
        key: str = KEY,
    ) -> None:
        super().__init__(embed, key=key)
        self.machine = BatchMachine(clock, plan)
        self.instead: dict[str, deque[Answer | None]] = {}
        self.most_bytes = most_bytes
        self.most_lines: int | None = None
        self.spoiled: dict[str, Any] = {}
        """What stands in place of the vector of a text."""
        self.unclear: tuple[Answer, bool] | None = None
        """Answers the next order, which is carried out all the same or not."""
        self._asked: list[str] = []
        self._routes: Sequence[tuple[str, str, str, Route]] = (
            ("upload", "POST", r"/v1/files", self._upload),
            ("create", "POST", r"/v1/batches", self._create),
            ("list", "GET", r"/v1/batches", self._list),
            ("look", "GET", r"/v1/batches/([^/]+)", self._look),
            ("cancel", "POST", r"/v1/batches/([^/]+)/cancel", self._cancel),
            ("content", "GET", r"/v1/files/([^/]+)/content", self._content),
            ("delete", "DELETE", r"/v1/files/([^/]+)", self._delete),
        )

    def asked(self, kind: str) -> int:
        """How many requests of a route came in; "embeddings" are the plain ones."""
        return self._asked.count(kind)

    @property
    def batch_texts(self) -> list[str]:
        """The texts of all jobs, job after job."""
        return self.machine.texts(self._text)

    @property
    def plain_texts(self) -> list[str]:
        """The texts of all plain requests."""
        plain = [r for r in self.requests if r.path.split("?")[0].endswith("/embeddings")]
        return [text for received in plain for text in received.inputs]

    def aside(self, received: Received) -> Answer | None:
        """The batch routes; everything else as the host without them."""
        path = received.path.split("?")[0]
        for kind, method, pattern, route in self._routes:
            match = re.fullmatch(pattern, path)
            if match is None or received.method != method:
                continue
            self._asked.append(kind)
            if received.headers.get("authorization") != f"Bearer {self._key}":
                return self.refusal(401, "Incorrect API key provided.", "invalid_api_key")
            given = self.instead.get(kind)
            answer = given.popleft() if given else None
            return answer or route(received, match)
        self._asked.append("embeddings")
        return super().aside(received)

    def refusal(self, code: int, message: str, word: str | None = None) -> Answer:
        """An error as this host words it."""
        error = {"message": message, "type": "invalid_request_error", "param": None, "code": word}
        return as_json({"error": error}, code)

    # -- routes

    def _upload(self, received: Received, match: re.Match[str]) -> Answer:
        if self.most_bytes is not None and len(received.body) > self.most_bytes:
            return Answer(b"<html>413 Request Entity Too Large</html>", 413)
        parts = form_parts(received)
        if parts["purpose"] != b"batch":
            return self.refusal(400, "Invalid purpose.")
        content = parts["file"]
        if self.most_lines is not None and content.count(b"\n") > self.most_lines:
            return status(413, "too many lines")(received)
        id = self.machine.keep(content, "file-")
        return as_json({"id": id, "object": "file", "bytes": len(content), "purpose": "batch"})

    def _create(self, received: Received, match: re.Match[str]) -> Answer:
        order = received.json
        refused = self._refused_order(order)
        if refused is not None:
            return refused
        lines = [json.loads(line) for line in self._file(order).splitlines()]
        ids = [line["custom_id"] for line in lines]
        assert len(set(ids)) == len(ids) <= MOST_LINES
        for line in lines:
            assert line.keys() == self.line_keys, line
            assert line["body"].keys() <= self.body_keys, line
        unclear, self.unclear = self.unclear, None
        if unclear is not None and not unclear[1]:
            return unclear[0]
        label = order["metadata"]["label"]
        job = self.machine.begin("batch_", order["input_file_id"], label, order, lines)
        return unclear[0] if unclear is not None else as_json(self._object(job))

    def _refused_order(self, order: Mapping[str, Any]) -> Answer | None:
        wrong = order["endpoint"] != "/v1/embeddings" or order["completion_window"] != self.window
        if wrong or order["input_file_id"] not in self.machine.files:
            return self.refusal(400, "Invalid batch.")
        return None

    def _list(self, received: Received, match: re.Match[str]) -> Answer:
        jobs = [self._object(job) for job in reversed(self.machine.jobs.values())]
        after = re.search(r"after=([^&]+)", received.path)
        ids = [job["id"] for job in jobs]
        start = ids.index(after[1]) + 1 if after else 0
        page = jobs[start : start + 2]
        more = start + 2 < len(jobs)
        last = page[-1]["id"] if page else None
        return as_json({"object": "list", "data": page, "has_more": more, "last_id": last})

    def _look(self, received: Received, match: re.Match[str]) -> Answer:
        job = self.machine.jobs.get(match[1])
        return as_json(self._object(job)) if job else self.refusal(404, "No batch found.")

    def _cancel(self, received: Received, match: re.Match[str]) -> Answer:
        job = self.machine.jobs[match[1]]
        self.machine.cancel(job)
        return as_json(self._object(job))

    def _content(self, received: Received, match: re.Match[str]) -> Answer:
        content = self.machine.files.get(match[1])
        return Answer(content) if content is not None else self.refusal(404, "No such file.")

    def _delete(self, received: Received, match: re.Match[str]) -> Answer:
        found = self.machine.files.pop(match[1], None)
        return as_json({"id": match[1], "deleted": True}) if found else self.refusal(404, "No.")

    # -- what is in them

    def _file(self, order: Mapping[str, Any]) -> str:
        return self.machine.files[order["input_file_id"]].decode()

    def _text(self, line: Line) -> str:
        given = line["body"]["input"]
        return given if isinstance(given, str) else str(given[0])

    def _object(self, job: Job) -> dict[str, Any]:
        now = self.machine.now_ms
        phase, plan = job.phase(now), job.plan
        failed = {
            "object": "list",
            "data": [{"code": plan.code, "message": plan.problem, "line": 1}],
        }
        good, bad = job.results(now)
        return {
            "id": job.id,
            "object": "batch",
            "endpoint": "/v1/embeddings",
            "errors": failed if phase == "failed" else None,
            "input_file_id": job.file,
            "completion_window": self.window,
            "status": phase,
            "created_at": int(job.since_ms // 1000),
            "metadata": {"label": job.label},
            "request_counts": {
                "total": 0 if phase == "validating" else len(job.lines),
                "completed": len(good),
                "failed": len(bad),
            },
            **self._files_of(job, phase, good, bad),
        }

    def _files_of(
        self, job: Job, phase: str, good: Sequence[Line], bad: Sequence[tuple[Line, str]]
    ) -> dict[str, str | None]:
        """Ids of the result files; one that would be empty does not exist."""
        found: dict[str, str | None] = {"output_file_id": None, "error_file_id": None}
        if phase not in ("completed", "expired", "cancelled"):
            return found
        for name, lines in (
            ("output", [self._good(job, line) for line in good]),
            ("error", [self._bad(line, error) for line, error in bad]),
        ):
            if lines:
                id = f"file-{name}-{job.id}"
                content = "".join(json.dumps(line) + "\n" for line in lines).encode()
                self.machine.files.setdefault(id, content)
                found[f"{name}_file_id"] = id
        return found

    def _good(self, job: Job, line: Line) -> dict[str, Any]:
        text, body = self._text(line), self._request(job, line)
        vector = as_document(self._embed(text), body.get("dimensions") or 192)
        sent = packed(vector) if body.get("encoding_format") == "base64" else vector
        sent = self.spoiled.get(text, sent)
        tokens = len(text.split())
        answer = {
            "object": "list",
            "data": [{"object": "embedding", "index": 0, "embedding": sent}],
            "model": body["model"],
            "usage": {"prompt_tokens": tokens, "total_tokens": tokens},
        }
        response = {"status_code": 200, "request_id": "req", "body": answer}
        return {
            "id": "batch_req_1",
            "custom_id": line["custom_id"],
            "response": response,
            "error": None,
        }

    def _bad(self, line: Line, error: str) -> dict[str, Any]:
        body = {"error": {"message": error, "type": "invalid_request_error", "code": None}}
        response = {"status_code": 400, "request_id": "req", "body": body}
        return {
            "id": "batch_req_2",
            "custom_id": line["custom_id"],
            "response": response,
            "error": None,
        }

    def _request(self, job: Job, line: Line) -> Mapping[str, Any]:
        """The request that a line stands for."""
        body: Mapping[str, Any] = line["body"]
        return body


class VoyageBatchHost(OpenAIBatchHost):
    """Model and input type belong to the job; lines hold the text alone."""

    window = "12h"
    line_keys = frozenset({"custom_id", "body"})
    body_keys = frozenset({"input"})

    def _refused_order(self, order: Mapping[str, Any]) -> Answer | None:
        params = order.get("request_params", {})
        if not params.get("model") or params.get("input_type") != "document" or "input" in params:
            return as_json({"detail": "request_params are not right"}, 400)
        return super()._refused_order(order)

    def _request(self, job: Job, line: Line) -> Mapping[str, Any]:
        params: Mapping[str, Any] = job.order["request_params"]
        return params
