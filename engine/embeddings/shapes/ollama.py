"""Ollama's two shapes of an embeddings call: many texts a request, and the older one of one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.embeddings.remote.answer import in_order, parsed_answer, whole
from engine.embeddings.remote.settings import RemoteSettings
from engine.embeddings.remote.wire import (
    AnswerError,
    Call,
    Decoded,
    Purpose,
    TooManyTextsError,
)
from engine.embeddings.shapes.ollama_models import query_prefix

PATH = "api/embed"
OLDER_PATH = "api/embeddings"


@dataclass(slots=True)
class OllamaRoute:
    """Which of the two a server has; a server without the first one shows it by its refusal."""

    older: bool = False


class OllamaShape:
    """``POST /api/embed``, or ``/api/embeddings`` of servers before it.

    A text beyond the context is refused, not cut, so that its rest is not lost unseen.
    The older route cannot be told so, nor how long a vector should be.
    """

    version = ""

    def __init__(self, settings: RemoteSettings, route: OllamaRoute) -> None:
        self._dimensions = settings.wire.dimensions
        self._prefix = query_prefix(settings.wire.model)
        self._route = route

    def encode(self, texts: Sequence[str], purpose: Purpose, model: str) -> Call:
        """One request; a query begins with what its model wants. Raises TooManyTextsError."""
        prefix = self._prefix if purpose == "query" else ""
        sent = [prefix + whole(text) for text in texts]
        if not self._route.older:
            body: dict[str, Any] = {"model": model, "input": sent, "truncate": False}
            if self._dimensions is not None:
                body["dimensions"] = self._dimensions
            return _call(PATH, body)
        if len(sent) > 1:
            raise TooManyTextsError(1)
        return _call(OLDER_PATH, {"model": model, "prompt": sent[0]})

    def decode(self, body: bytes, count: int) -> Decoded:
        """The vectors for ``count`` texts, in their order. Raises AnswerError."""
        answer = parsed_answer(body)
        vectors = answer.get("embeddings")
        if vectors is None and "embedding" in answer:
            vectors = [answer["embedding"]]
        if not isinstance(vectors, list):
            raise AnswerError("it holds no list of vectors")
        tokens = answer.get("prompt_eval_count")
        counted = tokens if isinstance(tokens, int) and tokens > 0 else None
        return in_order([self._cut(vector) for vector in vectors], count, counted)

    def _cut(self, vector: Any) -> Any:
        """Servers that do not know ``dimensions`` send all of a vector, as newer ones cut it."""
        return vector[: self._dimensions] if isinstance(vector, list) else vector


def _call(path: str, body: dict[str, Any]) -> Call:
    return Call(path, json.dumps(body, ensure_ascii=False).encode())
