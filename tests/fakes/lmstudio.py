"""A scripted LM Studio: its list, loading on request, the OpenAI shape, errors word for word."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.fakes.answers import Answer, Embed, Received, Responder, as_json, data_of
from tests.fakes.bow192 import bow_192
from tests.fakes.service import FakeService

MODEL = "text-embedding-nomic-embed-text-v1.5"
NO_MODELS = (
    "No models loaded. Please load a model in the developer page or use the 'lms load' command."
)


class FakeLMStudio(FakeService):
    """``loaded`` are instances in memory; ``lists`` False is a server from before the list.

    ``kind`` is what the model is listed as; ``loads`` False a model that does not fit;
    ``listing`` answers for the list.
    """

    def __init__(
        self,
        embed: Embed = bow_192,
        *,
        loaded: Sequence[str] = (),
        kind: str = "embedding",
        lists: bool = True,
        loads: bool = True,
        listing: Responder | None = None,
        key: str | None = None,
        script: Sequence[Responder] = (),
    ) -> None:
        super().__init__(right, embed=embed, script=script)
        self.loaded = list(loaded)
        self._kind = kind
        self._lists = lists
        self._loads = loads
        self._listing = listing
        self._key = key

    @property
    def base_url(self) -> str:
        """What goes into ``remote.baseUrl``."""
        return f"{self.origin}/v1"

    @property
    def calls(self) -> list[str]:
        """Method and path of every request."""
        return [f"{received.method} {received.path}" for received in self.requests]

    @property
    def texts(self) -> list[str]:
        """All texts received so far."""
        return [text for r in self.requests if r.path == "/v1/embeddings" for text in r.inputs]

    def aside(self, received: Received) -> Answer | None:
        """Keys, the list, loading, and embeddings without a loaded model."""
        if self._key is not None and received.headers.get("authorization") != f"Bearer {self._key}":
            return as_json({"error": "Invalid API token"}, 401)
        if received.path == "/api/v1/models" and self._lists:
            listing = self._listing or (lambda received: as_json({"models": [self._entry()]}))
            return listing(received)
        if received.path == "/api/v1/models/load" and self._lists:
            return self._load()
        if received.path != "/v1/embeddings":
            return as_json({"error": f"Unexpected endpoint or method. ({received.path})"}, 404)
        model = received.json["model"]
        if not self._lists and model == MODEL and self._loads:
            return None
        if not self.loaded:
            return as_json({"error": NO_MODELS}, 400)
        return None if model in (MODEL, *self.loaded) else _failed(model)

    def _load(self) -> Answer:
        if not self._loads:
            return _failed(MODEL)
        self.loaded.append(f"{MODEL}:{len(self.loaded) + 1}")
        instance = self.loaded[-1]
        return as_json({"type": self._kind, "instance_id": instance, "status": "loaded"})

    def _entry(self) -> dict[str, Any]:
        instances = [{"id": name, "config": {"context_length": 2048}} for name in self.loaded]
        return {
            "key": MODEL,
            "type": self._kind,
            "publisher": "nomic-ai",
            "loaded_instances": instances,
            "max_context_length": 2048,
        }


def right(received: Received) -> Answer:
    """The right answer; its counts are always 0."""
    usage = {"prompt_tokens": 0, "total_tokens": 0}
    body = {"object": "list", "data": data_of(received), "usage": usage}
    return as_json({**body, "model": received.json["model"]})


def _failed(model: str) -> Answer:
    message = f'Failed to load model "{model}". Error: not enough memory.'
    error = {"message": message, "type": "invalid_request_error", "param": "model"}
    return as_json({"error": {**error, "code": "model_not_found"}}, 404)
