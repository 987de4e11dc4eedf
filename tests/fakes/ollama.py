"""A scripted Ollama: both embedding routes, its models, its limits, its errors word for word."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.fakes.answers import Answer, Embed, Received, Responder, as_json
from tests.fakes.bow192 import bow_192
from tests.fakes.service import FakeService


class FakeOllama(FakeService):
    """``models`` are present; ``context`` is the most words of a text.

    ``older`` servers know ``/api/embeddings`` only; ``key`` is a proxy's.
    """

    def __init__(
        self,
        embed: Embed = bow_192,
        *,
        models: Sequence[str] = ("nomic-embed-text",),
        context: int = 512,
        older: bool = False,
        key: str | None = None,
        script: Sequence[Responder] = (),
    ) -> None:
        super().__init__(right, embed=embed, script=script)
        self._models = models
        self._context = context
        self._older = older
        self._key = key

    @property
    def texts(self) -> list[str]:
        """All texts received so far, request after request."""
        return [text for received in self.requests for text in inputs(received)]

    def aside(self, received: Received) -> Answer | None:
        """Unknown routes, a wrong key, a missing model, a text beyond the context."""
        older = received.path == "/api/embeddings"
        if not older and (self._older or received.path != "/api/embed"):
            return Answer(b"404 page not found", 404, {"Content-Type": "text/plain"})
        if self._key is not None and received.headers.get("authorization") != f"Bearer {self._key}":
            return as_json({"error": "unauthorized"}, 401)
        if not received.body:
            return as_json({"error": "missing request body"}, 400)
        model = received.json.get("model")
        if model not in self._models:
            tried = f'model "{model}" not found, try pulling it first'
            return as_json({"error": tried if older else f"model '{model}' not found"}, 404)
        if not all(isinstance(text, str) for text in inputs(received)):
            return as_json({"error": "invalid input type"}, 400)
        return None if older else self._too_long(received)

    def _too_long(self, received: Received) -> Answer | None:
        cuts = received.json.get("truncate", True)
        if not cuts and any(len(text.split()) > self._context for text in inputs(received)):
            return as_json({"error": "the input length exceeds the context length"}, 400)
        return None


def inputs(received: Received) -> list[str]:
    """The texts of a request to either route."""
    given = received.json.get("input", received.json.get("prompt"))
    return list(given) if isinstance(given, list) else [given] if given else []


def right(received: Received) -> Answer:
    """The right answer of either route; the older one does not normalise."""
    vectors = [list(received.embed(text)) for text in inputs(received)]
    if received.path == "/api/embeddings":
        return as_json({"embedding": [3.0 * number for number in vectors[0]] if vectors else []})
    size: int | None = received.json.get("dimensions")
    words = sum(len(text.split()) for text in inputs(received))
    return enveloped(received, [vector[:size] for vector in vectors], words)


def enveloped(received: Received, vectors: Sequence[Any], tokens: int = 1) -> Answer:
    """Vectors in the answer of ``/api/embed``."""
    model = received.json.get("model")
    times = {"total_duration": 14_143_917, "load_duration": 1_019_500}
    return as_json(
        {"model": model, "embeddings": list(vectors), **times, "prompt_eval_count": tokens}
    )
