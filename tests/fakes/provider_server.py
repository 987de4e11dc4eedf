"""A scripted OpenAI-compatible embedding endpoint on the loopback address.

    with FakeProvider() as fake:
        use(fake.base_url)
        assert fake.texts == ["what was sent"]

Each request takes the next responder of the script, then ``otherwise``.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

from tests.fakes.answers import Answer, Embed, Received, Responder, as_json, status, vectors
from tests.fakes.bow192 import bow_192
from tests.fakes.limits import Limits

WAIT_S = 30.0


class FakeProvider:
    """The server and the journal of what it received; a context manager."""

    def __init__(
        self,
        embed: Embed = bow_192,
        *,
        script: Sequence[Responder] = (),
        otherwise: Responder = vectors,
        limits: Limits | None = None,
        key: str | None = None,
    ) -> None:
        self.otherwise = otherwise
        self._embed = embed
        self._script = deque(script)
        self._limits = limits or Limits()
        self._key = key
        self._changed = threading.Condition()
        self._requests: list[Received] = []
        self._running = 0
        self._most_running = 0
        self._held: list[threading.Event] = []
        self._leaving = False
        self._server = _Server(self)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))

    @property
    def origin(self) -> str:
        """Scheme, host and port."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def base_url(self) -> str:
        """What goes into ``remote.baseUrl``."""
        return f"{self.origin}/v1"

    @property
    def requests(self) -> list[Received]:
        """Everything received so far, in order of arrival."""
        with self._changed:
            return list(self._requests)

    @property
    def texts(self) -> list[str]:
        """All texts received so far, request after request."""
        return [text for received in self.requests for text in received.inputs]

    @property
    def most_parallel(self) -> int:
        """How many requests were in the server at the same time, at most."""
        return self._most_running

    def script(self, *responders: Responder) -> None:
        """Append responders for the next requests."""
        with self._changed:
            self._script.extend(responders)

    def wait_for_requests(self, count: int) -> list[Received]:
        """Block until so many requests have arrived; fails after half a minute."""
        with self._changed:
            arrived = self._changed.wait_for(lambda: len(self._requests) >= count, WAIT_S)
            assert arrived, f"{len(self._requests)} requests arrived, {count} expected"
            return list(self._requests)

    def __enter__(self) -> FakeProvider:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._changed:
            self._leaving = True
            for event in self._held:
                event.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def answer(self, path: str, headers: Mapping[str, str], body: bytes) -> Answer:
        """Journal a request and decide on its answer; called by the handler threads."""
        with self._changed:
            received = Received(len(self._requests) + 1, path, headers, body, self._embed)
            self._requests.append(received)
            self._changed.notify_all()
            responder = self._script.popleft() if self._script else None
        answer = self._refusal(received) or (responder or self.otherwise)(received)
        if answer.wait is not None:
            self._hold(answer.wait)
        return answer

    def count_running(self, step: int) -> None:
        """Keep count of the requests inside the server."""
        with self._changed:
            self._running += step
            self._most_running = max(self._most_running, self._running)

    def _hold(self, event: threading.Event) -> None:
        with self._changed:
            self._held.append(event)
            if self._leaving:
                return
        event.wait(WAIT_S)

    def _refusal(self, received: Received) -> Answer | None:
        if not received.path.split("?")[0].endswith("/embeddings"):
            return status(404, {"error": {"message": f"no route {received.path}"}})(received)
        if self._key is not None and received.headers.get("authorization") != f"Bearer {self._key}":
            error = {"message": "Incorrect API key provided", "code": "invalid_api_key"}
            return as_json({"error": error}, 401)
        return self._limits.refuse(received)


def case_script(script: Sequence[Mapping[str, Any]], calls: int = 100) -> list[Responder]:
    """The responders of a case file: ``calls`` is "3", "1-2" or "4-" (until further calls)."""
    responders: list[Responder] = [vectors] * calls
    for step in script:
        first, dash, last = str(step["calls"]).partition("-")
        end = int(last) if last else (calls if dash else int(first))
        answer: Responder = vectors
        if step["status"] != 200:
            answer = status(step["status"], step.get("body"), step.get("headers"))
        for call in range(int(first), end + 1):
            responders[call - 1] = answer
    return responders


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, fake: FakeProvider) -> None:
        self.fake = fake
        super().__init__(("127.0.0.1", 0), _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is part of the tests, not an error of the server."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_POST(self) -> None:
        fake = self.server.fake
        fake.count_running(1)
        try:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            headers = {name.lower(): value for name, value in self.headers.items()}
            answer = fake.answer(self.path, headers, body)
        finally:
            fake.count_running(-1)
        self._send(answer)

    def do_GET(self) -> None:
        self.do_POST()

    def _send(self, answer: Answer) -> None:
        if answer.hang_up:
            self.close_connection = True
            return
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()
        self.wfile.write(answer.body[: answer.sent])
        self.close_connection |= answer.sent is not None

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is printed."""
