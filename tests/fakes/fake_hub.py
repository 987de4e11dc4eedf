"""A model hub on the loopback address: the hub itself on 127.0.0.1, its file host on 127.0.0.2.

    with FakeHub() as hub:
        hub.put("org/repo", "model.gguf", content)
        fetch(hub.endpoint)
        assert hub.requests[-1].headers["range"] == "bytes=1000-"

Large files are redirected to the file host, as the real hub does, with the SHA-256 and size
in the redirect. Each answer of the file host takes the next ``Fault`` of the script.
"""

from __future__ import annotations

import json
import re
import threading
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any
from urllib.parse import unquote, urlsplit

WAIT_S = 30.0
HUB, FILES = "hub", "files"


@dataclass(frozen=True, slots=True)
class Asked:
    """One request; header names are lower case."""

    host: str
    path: str
    headers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Fault:
    """How one answer of the file host differs from a good one.

    ``cut`` ends the connection after so many bytes of the body; ``hold`` is waited for
    after ``cut`` bytes instead. ``body`` replaces what the file holds.
    """

    cut: int | None = None
    hold: threading.Event | None = None
    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    ignore_range: bool = False
    wrong_start: int = 0


GOOD = Fault()


@dataclass(slots=True)
class _File:
    content: bytes
    etag: str
    gated: bool
    direct: bool


class FakeHub:
    """Both servers and the journal of what they received; a context manager."""

    def __init__(self, *, token: str | None = None) -> None:
        self._token = token
        self._files: dict[str, _File] = {}
        self._manifests: dict[str, str] = {}
        self._script: deque[Fault] = deque()
        self._changed = threading.Condition()
        self._requests: list[Asked] = []
        self._leaving = threading.Event()
        self._servers = {
            HUB: _Server("127.0.0.1", self, HUB),
            FILES: _Server("127.0.0.2", self, FILES),
        }
        self._threads = [
            threading.Thread(target=server.serve_forever, args=(0.02,))
            for server in self._servers.values()
        ]

    @property
    def endpoint(self) -> str:
        """What goes into HF_ENDPOINT."""
        return self._servers[HUB].origin

    @property
    def file_origin(self) -> str:
        """Scheme, host and port of the file host."""
        return self._servers[FILES].origin

    @property
    def requests(self) -> list[Asked]:
        """Everything received so far, in order of arrival."""
        with self._changed:
            return list(self._requests)

    @property
    def ranges(self) -> list[str | None]:
        """The Range header of each request to the file host."""
        return [r.headers.get("range") for r in self.requests if r.host == FILES]

    def put(
        self,
        repo: str,
        path: str,
        content: bytes,
        *,
        branch: str = "main",
        etag: str | None = None,
        gated: bool = False,
        direct: bool = False,
    ) -> None:
        """Publish a file, or another content of it; ``direct`` is not redirected."""
        key = f"{repo}/resolve/{branch}/{path}"
        self._files[key] = _File(content, etag or sha256(content).hexdigest(), gated, direct)

    def name_file(self, repo: str, tag: str, path: str) -> None:
        """Which file the hub names for a repository and tag."""
        self._manifests[f"{repo}/manifests/{tag}"] = path

    def script(self, *faults: Fault) -> None:
        """Faults of the next answers that send a file."""
        with self._changed:
            self._script.extend(faults)

    def wait_for_requests(self, count: int, host: str = FILES) -> None:
        """Block until so many requests have arrived at a host."""
        with self._changed:
            arrived = self._changed.wait_for(
                lambda: sum(r.host == host for r in self._requests) >= count, WAIT_S
            )
            assert arrived, f"fewer than {count} requests arrived at {host}"

    def __enter__(self) -> FakeHub:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._leaving.set()
        for server in self._servers.values():
            server.shutdown()
        for thread in self._threads:
            thread.join()
        for server in self._servers.values():
            server.server_close()

    def journal(self, asked: Asked) -> None:
        """Remember a request."""
        with self._changed:
            self._requests.append(asked)
            self._changed.notify_all()

    def next_fault(self) -> Fault:
        """The fault of the answer that is about to send a file."""
        with self._changed:
            return self._script.popleft() if self._script else GOOD

    def file(self, key: str) -> _File | None:
        """A published file by ``org/repo/resolve/branch/path``."""
        return self._files.get(key)

    def manifest(self, key: str) -> str | None:
        """The file that is named for ``org/repo/manifests/tag``."""
        return self._manifests.get(key)

    def may_read(self, file: _File, headers: Mapping[str, str]) -> bool:
        """Whether a request comes with the token that a gated file needs."""
        return not file.gated or headers.get("authorization") == f"Bearer {self._token}"

    def wait(self, event: threading.Event) -> None:
        """Wait for an event, or for the end of the test."""
        while not event.wait(0.02):
            if self._leaving.is_set():
                return


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, address: str, hub: FakeHub, role: str) -> None:
        self.hub = hub
        self.role = role
        super().__init__((address, 0), _Handler)
        self.origin = f"http://{address}:{self.server_address[1]}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is part of the tests, not an error of the server."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_GET(self) -> None:
        hub = self.server.hub
        path = unquote(urlsplit(self.path).path).strip("/")
        headers = {name.lower(): value for name, value in self.headers.items()}
        hub.journal(Asked(self.server.role, path, headers))
        if path.startswith("v2/"):
            self._name_file(path.removeprefix("v2/"))
            return
        file = hub.file(path)
        if file is None:
            self._say(404, {"X-Error-Code": "EntryNotFound"}, b"Entry not found")
        elif self.server.role == HUB and not hub.may_read(file, headers):
            self._say(401, {"X-Error-Code": "GatedRepo"}, b"Access to this model is restricted")
        elif self.server.role == HUB and not file.direct:
            self._redirect(path, file)
        else:
            self._send_file(file, headers)

    def _name_file(self, key: str) -> None:
        path = self.server.hub.manifest(key)
        named = {"ggufFile": {"rfilename": path, "size": 1}} if path else {}
        known = self.headers.get("User-Agent", "").startswith("llama-cpp")
        self._say(200, {}, json.dumps(named if known else {}).encode())

    def _redirect(self, path: str, file: _File) -> None:
        from urllib.parse import quote

        self._say(
            302,
            {
                "Location": f"{self.server.hub.file_origin}/{quote(path)}?Signature=signed",
                "X-Linked-ETag": f'"{file.etag}"',
                "X-Linked-Size": str(len(file.content)),
                "X-Repo-Commit": "0" * 40,
            },
            b"",
        )

    def _send_file(self, file: _File, headers: Mapping[str, str]) -> None:
        fault = self.server.hub.next_fault()
        if fault.status is not None:
            self._say(fault.status, fault.headers, fault.body or b"no")
            return
        content = file.content if fault.body is None else fault.body
        etag = f'"{sha256(content).hexdigest()[:32]}"'
        start = _start(headers.get("range"))
        fresh = headers.get("if-range", etag) == etag
        if start is None or not fresh or fault.ignore_range:
            self._body(200, {"ETag": etag, **fault.headers}, content, fault)
        elif start >= len(content):
            self._say(416, {"Content-Range": f"bytes */{len(content)}", "ETag": etag}, b"")
        else:
            start += fault.wrong_start
            span = f"bytes {start}-{len(content) - 1}/{len(content)}"
            told = {"ETag": etag, "Content-Range": span, **fault.headers}
            self._body(206, told, content[start:], fault)

    def _body(self, status: int, headers: Mapping[str, str], body: bytes, fault: Fault) -> None:
        self._head(status, headers, len(body))
        self.wfile.write(body[: fault.cut])
        if fault.hold is not None:
            self.wfile.flush()
            self.server.hub.wait(fault.hold)
            self.wfile.write(body[fault.cut :])
        elif fault.cut is not None:
            self.close_connection = True

    def _say(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        self._head(status, headers, len(body))
        self.wfile.write(body)

    def _head(self, status: int, headers: Mapping[str, str], length: int) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(length))
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is printed."""


def _start(header: str | None) -> int | None:
    found = re.fullmatch(r"bytes=(\d+)-", header or "")
    return int(found[1]) if found else None
