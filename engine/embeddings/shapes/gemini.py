"""The Gemini shape: one content a text, its task in a field or, for embedding 2, in a prefix."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from engine.embeddings.media_text import MediaText
from engine.embeddings.remote.answer import in_order, parsed_answer, whole
from engine.embeddings.remote.settings import RemoteSettings
from engine.embeddings.remote.wire import AnswerError, Call, Decoded, Purpose
from engine.embeddings.shapes.gemini_tasks import prefix, takes_prefix


class GeminiShape:
    """``:embedContent`` for a query, ``:batchEmbedContents`` for everything else."""

    def __init__(self, settings: RemoteSettings) -> None:
        self._dimensions = settings.wire.dimensions
        self._tasks: Mapping[Purpose, str | None] = {
            "query": settings.query_input_type,
            "document": settings.document_input_type,
        }
        self._by_prefix = takes_prefix(settings.model)

    @property
    def version(self) -> str:
        """Prefixed texts make other vectors than a task in a field."""
        return "task-prefix" if self._by_prefix else ""

    def encode(self, texts: Sequence[str], purpose: Purpose, model: str) -> Call:
        """One request for all texts. Half characters (lone surrogates) become U+FFFD."""
        requests = [self._request(text, purpose, model) for text in texts]
        name = quote(model, safe="")
        if purpose == "query" and len(requests) == 1:
            return Call(f"models/{name}:embedContent", _json(requests[0]))
        return Call(f"models/{name}:batchEmbedContents", _json({"requests": requests}))

    def decode(self, body: bytes, count: int) -> Decoded:
        """The vectors in the order of the texts; the host counts no tokens. Raises AnswerError."""
        answer = parsed_answer(body)
        found = answer.get("embeddings")
        if found is None and "embedding" in answer:
            found = [answer["embedding"]]
        if not isinstance(found, list):
            raise AnswerError("it holds no list of vectors")
        return in_order([_values(item) for item in found], count, None)

    def _request(self, text: str, purpose: Purpose, model: str) -> dict[str, Any]:
        task = self._tasks[purpose]
        before = prefix(task, purpose) if task and self._by_prefix else ""
        request: dict[str, Any] = {
            "model": f"models/{model}",
            "content": {"parts": _parts(before, text)},
        }
        if task and not self._by_prefix:
            request["taskType"] = task
        if self._dimensions is not None:
            request["outputDimensionality"] = self._dimensions
        return request


def _parts(before: str, text: str) -> list[dict[str, Any]]:
    """A text; or a media file and the text that stands for it, which make one vector."""
    parts: list[dict[str, Any]] = [{"text": before + whole(text)}]
    if isinstance(text, MediaText):
        data = b64encode(text.data).decode("ascii")
        parts.append({"inlineData": {"mimeType": text.mime_type, "data": data}})
    return parts


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def _values(item: Any) -> Any:
    return item.get("values") if isinstance(item, dict) else None
