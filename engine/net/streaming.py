"""An answer whose body is used while it arrives: for downloads too large for the memory."""

from __future__ import annotations

import queue
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Protocol

from engine.errors import CancelledError
from engine.net.messages import Cancelled, ExchangeLimits, HttpRequest

_POLL_S = 0.05
_PIECES_AHEAD = 16


@dataclass(frozen=True, slots=True)
class Head:
    """Status and headers of an answer; header names are lower case."""

    status: int
    headers: Mapping[str, str] = field(repr=False)


class Pipe:
    """Between the thread that reads the socket and the one that uses the bytes.

    It holds a few pieces, so that a slow disk slows the sender down.
    """

    def __init__(self, cancelled: Cancelled) -> None:
        self._cancelled = cancelled
        self._queue: queue.Queue[Head | bytes | Exception | None] = queue.Queue(_PIECES_AHEAD)
        self.abandoned = False
        """True once nobody wants the rest."""

    def put(self, item: Head | bytes | Exception | None) -> bool:
        """The head, a piece, the failure or, as None, the end. False when it is not wanted."""
        while not self.abandoned:
            try:
                self._queue.put(item, timeout=_POLL_S)
            except queue.Full:
                continue
            return True
        return False

    def get(self) -> Head | bytes | None:
        """The next item, None at the end. Raises what was put, and CancelledError."""
        while True:
            if self._cancelled():
                self.abandoned = True
                raise CancelledError("The download")
            try:
                item = self._queue.get(timeout=_POLL_S)
            except queue.Empty:
                continue
            if isinstance(item, Exception):
                raise item
            return item


class StreamedAnswer:
    """One answer; leaving its ``with`` block lets the connection go."""

    def __init__(self, pipe: Pipe) -> None:
        head = pipe.get()
        assert isinstance(head, Head)
        self._pipe = pipe
        self.status = head.status
        self.headers = head.headers

    def pieces(self) -> Iterator[bytes]:
        """The body as it was sent, not decoded. Raises TransportError, CancelledError."""
        while isinstance(piece := self._pipe.get(), bytes):
            yield piece

    def beginning(self, most: int) -> bytes:
        """At most so many bytes of the body, for the words of an error."""
        body = b""
        for piece in self.pieces():
            body += piece
            if len(body) >= most:
                break
        return body[:most]

    def close(self) -> None:
        """The rest is not wanted."""
        self._pipe.abandoned = True

    def __enter__(self) -> StreamedAnswer:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class StreamingTransport(Protocol):
    """Sends one request and hands out the answer while it arrives. Thread-safe."""

    def stream(
        self, request: HttpRequest, limits: ExchangeLimits, cancelled: Cancelled
    ) -> StreamedAnswer:
        """The answer, whatever its status. Raises TransportError, CancelledError."""
        ...

    def close(self) -> None:
        """Close all connections."""
        ...
