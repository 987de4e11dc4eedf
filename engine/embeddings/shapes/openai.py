"""The OpenAI shape of an embeddings call: one request out, vectors in."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from engine.embeddings.remote.answer import parsed_answer, whole
from engine.embeddings.remote.settings import RemoteSettings
from engine.embeddings.remote.unit_vector import unit_vector
from engine.embeddings.remote.wire import AnswerError, Call, Decoded, Purpose

if TYPE_CHECKING:
    from engine.embeddings.contract import Vector

PATH = "embeddings"


class OpenAIShape:
    """The shape of ``POST {base}/embeddings`` with what one endpoint wants beside the texts.

    ``dimensions_field`` is what the host calls the length of a vector.
    """

    version = ""

    def __init__(self, settings: RemoteSettings, dimensions_field: str = "dimensions") -> None:
        self._dimensions_field = dimensions_field
        self._wire = settings.wire
        self._input_types: Mapping[Purpose, str | None] = {
            "query": settings.query_input_type,
            "document": settings.document_input_type,
        }

    def encode(self, texts: Sequence[str], purpose: Purpose, model: str) -> Call:
        """One request. Half characters (lone surrogates) become U+FFFD."""
        body: dict[str, Any] = {"model": model, "input": [whole(text) for text in texts]}
        if self._wire.dimensions is not None:
            body[self._dimensions_field] = self._wire.dimensions
        if (input_type := self._input_types[purpose]) is not None:
            body["input_type"] = input_type
        if self._wire.base64:
            body["encoding_format"] = "base64"
        return Call(PATH, json.dumps(body, ensure_ascii=False).encode())

    def decode(self, body: bytes, count: int) -> Decoded:
        """The vectors for ``count`` texts, matched by ``index``. Raises AnswerError."""
        return decode_answer(body, count)


def decode_answer(body: bytes, count: int) -> Decoded:
    """The vectors for ``count`` texts, matched by ``index``. Raises AnswerError."""
    answer = parsed_answer(body)
    items = answer.get("data")
    if not isinstance(items, list):
        raise AnswerError("it holds no list of vectors")
    placed, doubled = _placed(items, count)
    vectors: list[Vector | None] = [None] * count
    problems: dict[int, str] = {}
    for place in range(count):
        if place in doubled:
            problems[place] = "the provider sent two vectors for this text"
        elif place not in placed:
            problems[place] = "the provider sent no vector for this text"
        else:
            vector, problem = unit_vector(placed[place])
            vectors[place] = vector
            if problem is not None:
                problems[place] = problem
    return Decoded(tuple(vectors), problems, _tokens(answer))


def _placed(items: Sequence[Any], count: int) -> tuple[dict[int, Any], set[int]]:
    """Embeddings by place, and the places that came twice.

    An answer without any ``index`` is taken in order if its length is right.
    """
    numbered = [item for item in items if isinstance(item, dict) and "index" in item]
    if not numbered:
        if len(items) != count:
            raise AnswerError(f"it holds {len(items)} vectors for {count} texts")
        return {i: _embedding(item) for i, item in enumerate(items)}, set()
    placed: dict[int, Any] = {}
    doubled: set[int] = set()
    for item in numbered:
        place = item["index"]
        if not isinstance(place, int) or isinstance(place, bool) or not 0 <= place < count:
            raise AnswerError(f"it numbers a vector that is none of the {count} asked for")
        if place in placed:
            doubled.add(place)
        placed[place] = item.get("embedding")
    return placed, doubled


def _embedding(item: Any) -> Any:
    return item.get("embedding") if isinstance(item, dict) else None


def _tokens(answer: Mapping[str, Any]) -> int | None:
    usage = answer.get("usage")
    tokens = usage.get("total_tokens") if isinstance(usage, dict) else None
    return tokens if isinstance(tokens, int) and tokens > 0 else None
