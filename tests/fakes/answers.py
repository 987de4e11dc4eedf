"""What a scripted provider can answer: good vectors, and every fault seen in the field."""

from __future__ import annotations

import base64
import json
import struct
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

Embed = Callable[[str], Sequence[float]]


@dataclass(frozen=True, slots=True)
class Received:
    """One request; ``number`` counts from 1, header names are lower case."""

    number: int
    path: str
    headers: Mapping[str, str]
    body: bytes
    embed: Embed
    method: str = "POST"

    @property
    def json(self) -> dict[str, Any]:
        """The body as an object."""
        found = json.loads(self.body)
        assert isinstance(found, dict)
        return found

    @property
    def inputs(self) -> list[str]:
        """The texts that were sent."""
        given = self.json["input"]
        return [given] if isinstance(given, str) else list(given)


@dataclass(frozen=True, slots=True)
class Answer:
    """What goes back over the socket.

    ``sent`` cuts the body after so many bytes and closes the connection; ``hang_up``
    closes it without a word; ``wait`` holds the answer back until the event is set.
    ``drips`` sends one byte after another, so slowly that it never ends.
    """

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    sent: int | None = None
    hang_up: bool = False
    wait: threading.Event | None = None
    drips: bool = False


Responder = Callable[[Received], Answer]


def as_json(value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Answer:
    """An answer with a JSON body; NaN and Infinity are written as JavaScript words."""
    body = json.dumps(value).encode()
    return Answer(body, status, {"Content-Type": "application/json", **(headers or {})})


def data_of(received: Received) -> list[dict[str, Any]]:
    """The ``data`` list of a right answer, base64 where the request asks for it."""
    wants_base64 = received.json.get("encoding_format") == "base64"
    return [
        {"object": "embedding", "index": i, "embedding": packed(v) if wants_base64 else v}
        for i, v in enumerate(list(received.embed(text)) for text in received.inputs)
    ]


def packed(vector: Sequence[float]) -> str:
    """Little-endian float32 as base64."""
    return base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode()


def envelope(received: Received, data: Sequence[Mapping[str, Any]]) -> Answer:
    """The whole answer around a ``data`` list; a token is counted per word."""
    tokens = sum(len(text.split()) for text in received.inputs)
    usage = {"prompt_tokens": tokens, "total_tokens": tokens}
    model = received.json.get("model")
    return as_json({"object": "list", "model": model, "data": list(data), "usage": usage})


def vectors(received: Received) -> Answer:
    """The right answer."""
    return envelope(received, data_of(received))


def shuffled(received: Received) -> Answer:
    """All vectors, last first, with their right ``index``."""
    return envelope(received, data_of(received)[::-1])


def short(received: Received) -> Answer:
    """One vector too few."""
    return envelope(received, data_of(received)[:-1])


def doubled(received: Received) -> Answer:
    """The first vector twice, the last one missing; the count is right."""
    data = data_of(received)
    return envelope(received, [data[0], *data[:-1]])


def with_vector(vector: Any) -> Responder:
    """The same given thing as vector of every text: NaN, zeros, null, words."""

    def respond(received: Received) -> Answer:
        data = [{"index": i, "embedding": vector} for i in range(len(received.inputs))]
        return envelope(received, data)

    return respond


def resized(dimensions: int) -> Responder:
    """Vectors cut to another size than the last time."""

    def respond(received: Received) -> Answer:
        data = [
            {"index": i, "embedding": list(received.embed(text))[:dimensions]}
            for i, text in enumerate(received.inputs)
        ]
        return envelope(received, data)

    return respond


def status(code: int, body: Any = None, headers: Mapping[str, str] | None = None) -> Responder:
    """An error status with a JSON body (or plain text when the body is a string)."""
    if isinstance(body, str):
        answer = Answer(body.encode(), code, headers or {})
    else:
        answer = as_json(body or {"error": {"message": f"status {code}"}}, code, headers)
    return lambda received: answer


def html(received: Received) -> Answer:
    """A login page where JSON was expected."""
    return Answer(b"<html><body>Please log in</body></html>", 200, {"Content-Type": "text/html"})


def truncated(received: Received) -> Answer:
    """Half of the right body, then the connection closes."""
    right = vectors(received)
    return replace(right, sent=len(right.body) // 2)


def hang_up(received: Received) -> Answer:
    """The connection closes without an answer."""
    return Answer(hang_up=True)


def slow(until: threading.Event, then: Responder = vectors) -> Responder:
    """An answer that comes once the event is set."""
    return lambda received: replace(then(received), wait=until)


def dripping(received: Received) -> Answer:
    """The right answer, byte by byte: never silent for long, never done."""
    return replace(vectors(received), drips=True)


def huge(size: int) -> Responder:
    """A syntactically right body of so many bytes."""
    return lambda received: Answer(b'{"data": "' + b"x" * (size - 12) + b'"}')


def redirect(location: str, code: int = 307) -> Responder:
    """Go elsewhere with the same request."""
    return lambda received: Answer(b"", code, {"Location": location})
