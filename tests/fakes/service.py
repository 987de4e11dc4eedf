"""A scripted HTTP service on the loopback address, with a journal of what it received.

    with SomeService() as fake:
        use(fake.origin)
        assert fake.requests[0].path == "/what/was/asked"

What a service answers whatever the script says (other routes, refused keys, limits) is
``aside``; each further request takes the next responder of the script, then ``otherwise``.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

from tests.fakes.answers import Answer, Embed, Received, Responder
from tests.fakes.bow192 import bow_192

WAIT_S = 30.0
DRIP_S = 0.02


class FakeService:
    """The server and its journal; a context manager."""

    def __init__(
        self, otherwise: Responder, *, embed: Embed = bow_192, script: Sequence[Responder] = ()
    ) -> None:
        self.otherwise = otherwise
        self._embed = embed
        self._script = deque(script)
        self._changed = threading.Condition()
        self._requests: list[Received] = []
        self._running = 0
        self._most_running = 0
        self._held: list[threading.Event] = []
        self._leaving = False
        self._left = threading.Event()
        self._server = _Server(self)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))

    @property
    def origin(self) -> str:
        """Scheme, host and port."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def requests(self) -> list[Received]:
        """Everything received so far, in order of arrival."""
        with self._changed:
            return list(self._requests)

    @property
    def most_parallel(self) -> int:
        """How many requests were in the server at the same time, at most."""
        return self._most_running

    def aside(self, received: Received) -> Answer | None:
        """What is answered without a look at the script; None leaves it to the script."""
        return None

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

    def __enter__(self) -> Self:
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
            self._left.set()
            for event in self._held:
                event.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def answer(self, method: str, path: str, headers: Mapping[str, str], body: bytes) -> Answer:
        """Journal a request and decide on its answer; called by the handler threads."""
        with self._changed:
            number = len(self._requests) + 1
            received = Received(number, path, headers, body, self._embed, method)
            self._requests.append(received)
            self._changed.notify_all()
        answer = self.aside(received)
        if answer is None:
            answer = self._next()(received)
        if answer.wait is not None:
            self._hold(answer.wait)
        return answer

    def drip(self, body: bytes, write: Callable[[bytes], object]) -> None:
        """One byte after another, until the client or the fake goes away."""
        while not self._left.wait(DRIP_S):
            write(body[:1])
            body = body[1:]

    def count_running(self, step: int) -> None:
        """Keep count of the requests inside the server."""
        with self._changed:
            self._running += step
            self._most_running = max(self._most_running, self._running)

    def _next(self) -> Responder:
        with self._changed:
            return self._script.popleft() if self._script else self.otherwise

    def _hold(self, event: threading.Event) -> None:
        with self._changed:
            self._held.append(event)
            if self._leaving:
                return
        event.wait(WAIT_S)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, fake: FakeService) -> None:
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
            answer = fake.answer(self.command, self.path, headers, body)
        finally:
            fake.count_running(-1)
        self._send(answer)

    def do_GET(self) -> None:
        self.do_POST()

    def do_DELETE(self) -> None:
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
        if answer.drips:
            self.server.fake.drip(answer.body, self.wfile.write)
        else:
            self.wfile.write(answer.body[: answer.sent])
        self.close_connection |= answer.sent is not None

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is printed."""
