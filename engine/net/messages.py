"""What goes over the wire and what comes back: plain values, no HTTP library."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from engine.errors import ProviderError

Cancelled = Callable[[], bool]
"""Asked while waiting; True ends the wait with ``CancelledError``."""

Pieces = Callable[[], Iterator[bytes]]
"""Makes a body piece by piece, anew for each attempt."""

Trouble = Literal["unreachable", "timeout", "dropped", "too-large", "redirect", "unsendable"]


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """One request. Headers may hold secrets, so they and the body stay out of ``repr``.

    ``pieces`` is the body of an upload too large for the memory, sent instead of ``body``;
    the headers then state its ``content-length``.
    """

    url: str
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False, default=b"")
    method: str = "POST"
    pieces: Pieces | None = field(repr=False, default=None)


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """One answer with a status; header names are lower case, the body is decoded."""

    status: int
    headers: Mapping[str, str]
    body: bytes = field(repr=False)

    @property
    def ok(self) -> bool:
        """True for 2xx."""
        return 200 <= self.status < 300

    def json(self) -> Any:
        """The body as JSON. Raises ValueError; NaN and Infinity are accepted as numbers."""
        import json

        return json.loads(self.body)

    def fields(self) -> Mapping[str, Any]:
        """The body as a JSON object; empty for anything else."""
        try:
            answer = self.json()
        except (ValueError, RecursionError):
            return {}
        return answer if isinstance(answer, dict) else {}


@dataclass(frozen=True, slots=True)
class ExchangeLimits:
    """Seconds to connect, between two pieces of the answer, and in all; bytes of the answer."""

    connect_s: float = 5.0
    read_s: float = 60.0
    total_s: float = 60.0
    max_bytes: int = 64 * 1024 * 1024


class TransportError(ProviderError):
    """No usable answer came back; ``trouble`` says at which point it went wrong."""

    def __init__(self, trouble: Trouble, message: str, hint: str = "") -> None:
        super().__init__(_TITLES[trouble], message, hint)
        self.trouble = trouble


_TITLES: Mapping[Trouble, str] = {
    "unreachable": "No connection",
    "timeout": "No answer in time",
    "dropped": "Connection lost",
    "too-large": "Answer too large",
    "redirect": "Redirected elsewhere",
    "unsendable": "Request cannot be sent",
}


class Transport(Protocol):
    """Sends one request once. Thread-safe."""

    def send(
        self, request: HttpRequest, limits: ExchangeLimits, cancelled: Cancelled
    ) -> HttpResponse:
        """The answer, whatever its status. Raises TransportError, CancelledError."""
        ...

    def close(self) -> None:
        """Close all connections."""
        ...


def never() -> bool:
    """The ``Cancelled`` of work that nobody cancels."""
    return False
