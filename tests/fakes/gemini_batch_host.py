"""Gemini's uploads, batch operations and downloads beside its embeddings."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Callable, Sequence
from email.parser import BytesParser
from typing import Any

from engine.clock import Clock
from tests.fakes.answers import Answer, Received, as_json
from tests.fakes.batch_machine import BatchMachine, Job, Line, Plan
from tests.fakes.gemini_host import GeminiHost

_STATES = {
    "validating": "PENDING",
    "in_progress": "RUNNING",
    "finalizing": "RUNNING",
    "completed": "SUCCEEDED",
    "failed": "FAILED",
    "expired": "EXPIRED",
    "cancelling": "RUNNING",
    "cancelled": "CANCELLED",
}
_ENDED = ("completed", "failed", "expired", "cancelled")
Route = Callable[[Received, "re.Match[str]"], Answer]


class GeminiBatchHost(GeminiHost):
    """``instead`` as for ``OpenAIBatchHost``. ``doors`` False has only the older download."""

    def __init__(self, clock: Clock, *, plan: Plan | None = None, doors: bool = True) -> None:
        super().__init__()
        self.machine = BatchMachine(clock, plan)
        self.instead: dict[str, deque[Answer | None]] = {}
        self._asked: list[str] = []
        door = "/download" if doors else ""
        self._batch_routes: Sequence[tuple[str, str, str, Route]] = (
            ("upload", "POST", r"/upload/v1beta/files", self._upload),
            ("create", "POST", r"/v1beta/models/([^/:]+):asyncBatchEmbedContent", self._create),
            ("list", "GET", r"/v1beta/batches", self._list),
            ("look", "GET", r"/v1beta/(batches/[^/:]+)", self._look),
            ("cancel", "POST", r"/v1beta/(batches/[^/:]+):cancel", self._cancel),
            ("content", "GET", door + r"/v1beta/(files/[^/:]+):download", self._content),
            ("delete", "DELETE", r"/v1beta/(files/[^/:]+)", self._delete),
        )

    def asked(self, kind: str) -> int:
        """How many requests of a route came in; "embeddings" are the plain ones."""
        return self._asked.count(kind)

    @property
    def batch_texts(self) -> list[str]:
        """The texts of all jobs, job after job."""
        return self.machine.texts(lambda line: str(line["request"]["content"]["parts"][0]["text"]))

    def aside(self, received: Received) -> Answer | None:
        """The batch routes; everything else as the host without them."""
        path = received.path.split("?")[0]
        for kind, method, pattern, route in self._batch_routes:
            match = re.fullmatch(pattern, path)
            if match is None or received.method != method:
                continue
            self._asked.append(kind)
            if not self._let_in(received):
                return self.wrong_key()
            given = self.instead.get(kind)
            answer = given.popleft() if given else None
            return answer or route(received, match)
        self._asked.append("embeddings")
        return super().aside(received)

    def _upload(self, received: Received, match: re.Match[str]) -> Answer:
        assert received.path.endswith("?uploadType=multipart")
        kind = received.headers["content-type"]
        assert kind.startswith("multipart/related; boundary=")
        message = BytesParser().parsebytes(f"Content-Type: {kind}\r\n\r\n".encode() + received.body)
        contents = []
        for part in message.get_payload():
            assert not isinstance(part, str)
            contents.append(part.get_payload(decode=True))
        described, content = contents
        assert isinstance(described, bytes)
        assert isinstance(content, bytes)
        file = json.loads(described)["file"]
        assert file["mimeType"] == "application/jsonl"
        name = self.machine.keep(content, "files/f")
        return as_json({"file": {"name": name, **file}})

    def _create(self, received: Received, match: re.Match[str]) -> Answer:
        batch = received.json["batch"]
        content = self.machine.files[batch["inputConfig"]["file_name"]]
        lines = [json.loads(line) for line in content.decode().splitlines()]
        for line in lines:
            assert line.keys() == {"key", "request"}
            assert line["request"]["model"] == f"models/{match[1]}"
        file, label = batch["inputConfig"]["file_name"], batch["displayName"]
        job = self.machine.begin("batches/b", file, label, {"model": match[1]}, lines)
        return as_json(self._operation(job))

    def _list(self, received: Received, match: re.Match[str]) -> Answer:
        jobs = list(reversed(self.machine.jobs.values()))
        start = int(found[1]) if (found := re.search(r"pageToken=(\d+)", received.path)) else 0
        page = [self._operation(job) for job in jobs[start : start + 2]]
        answer: dict[str, Any] = {"operations": page} if page else {}
        if start + 2 < len(jobs):
            answer["nextPageToken"] = str(start + 2)
        return as_json(answer)

    def _look(self, received: Received, match: re.Match[str]) -> Answer:
        job = self.machine.jobs.get(match[1])
        return as_json(self._operation(job)) if job else self.error(404, "NOT_FOUND", "No batch.")

    def _cancel(self, received: Received, match: re.Match[str]) -> Answer:
        self.machine.cancel(self.machine.jobs[match[1]])
        return as_json({})

    def _content(self, received: Received, match: re.Match[str]) -> Answer:
        assert received.path.endswith("?alt=media")
        content = self.machine.files.get(match[1])
        return Answer(content) if content is not None else self.error(404, "NOT_FOUND", "No file.")

    def _delete(self, received: Received, match: re.Match[str]) -> Answer:
        self.machine.files.pop(match[1], None)
        return as_json({})

    def _operation(self, job: Job) -> dict[str, Any]:
        """The long-running operation; counts are strings, as 64-bit numbers are in this JSON."""
        now = self.machine.now_ms
        phase = job.phase(now)
        good, bad = job.results(now)
        metadata: dict[str, Any] = {
            "@type": "type.googleapis.com/google.ai.generativelanguage.v1main.EmbedContentBatch",
            "model": f"models/{job.order['model']}",
            "displayName": job.label,
            "state": f"BATCH_STATE_{_STATES[phase]}",
            "name": job.id,
            "batchStats": {
                "requestCount": str(len(job.lines)),
                "successfulRequestCount": str(len(good)),
                "failedRequestCount": str(len(bad)),
            },
        }
        operation: dict[str, Any] = {"name": job.id, "metadata": metadata}
        if phase not in _ENDED:
            return operation
        operation["done"] = True
        if phase == "failed":
            error = {"code": 8 if job.plan.code == "token_limit_exceeded" else 3}
            return operation | {"error": error | {"message": job.plan.problem}}
        file = self._results(job, good, bad)
        metadata["output"] = {"responsesFile": file}
        return operation | {"response": {"responsesFile": file}}

    def _results(self, job: Job, good: Sequence[Line], bad: Sequence[tuple[Line, str]]) -> str:
        name = f"files/out-{job.id.partition('/')[2]}"
        lines: list[dict[str, Any]] = [
            {"key": line["key"], "error": {"code": 3, "message": error}} for line, error in bad
        ]
        lines += [
            {"key": line["key"], "response": {"embedding": {"values": self._vector(job, line)}}}
            for line in good
        ]
        content = "".join(json.dumps(line) + "\n" for line in lines).encode()
        self.machine.files.setdefault(name, content)
        return name

    def _vector(self, job: Job, line: Line) -> list[float]:
        received = Received(0, "", {}, b"", self._embed)
        return self._values(received, dict(line["request"]), str(job.order["model"]))
