"""The OpenAI shape of an embeddings call: one request out, vectors in."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.embeddings.openai_settings import WireSettings

if TYPE_CHECKING:
    from engine.embeddings.contract import Vector

PATH = "embeddings"
_ZERO = 1e-10


@dataclass(frozen=True, slots=True)
class Decoded:
    """The vectors of an answer in the order of the texts.

    Each is float32 of unit length; None where ``problems`` says, by place, why there
    is none. ``tokens`` is the server's count, None when it gives none.
    """

    vectors: tuple[Vector | None, ...]
    problems: Mapping[int, str]
    tokens: int | None


class AnswerError(Exception):
    """The answer as a whole is not what the OpenAI shape says; the text says how."""


def encode_request(texts: Sequence[str], settings: WireSettings, input_type: str | None) -> bytes:
    """The body of one request. Half characters (lone surrogates) become U+FFFD."""
    body: dict[str, Any] = {"model": settings.model, "input": [_whole(text) for text in texts]}
    if settings.dimensions is not None:
        body["dimensions"] = settings.dimensions
    if input_type is not None:
        body["input_type"] = input_type
    if settings.base64:
        body["encoding_format"] = "base64"
    return json.dumps(body, ensure_ascii=False).encode()


def decode_answer(body: bytes, count: int) -> Decoded:
    """The vectors for ``count`` texts, matched by ``index``. Raises AnswerError."""
    answer = _parsed(body)
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
            vector, problem = _vector(placed[place])
            vectors[place] = vector
            if problem is not None:
                problems[place] = problem
    return Decoded(tuple(vectors), problems, _tokens(answer))


def _parsed(body: bytes) -> Mapping[str, Any]:
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        raise AnswerError("it is not JSON") from None
    if not isinstance(answer, dict):
        raise AnswerError("it is no JSON object")
    return answer


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


def _vector(value: Any) -> tuple[Vector | None, str | None]:
    """A unit vector, or what is wrong with the value."""
    import numpy as np

    try:
        raw = _from_base64(value) if isinstance(value, str) else np.asarray(value, np.float64)
    except (TypeError, ValueError, OverflowError):
        return None, "the provider sent something that is no vector for this text"
    if raw.ndim != 1 or raw.size == 0:
        return None, "the provider sent an empty vector for this text"
    if not np.isfinite(raw).all():
        return None, "the provider sent a vector with gaps or without finite numbers"
    largest = float(np.abs(raw).max())
    if largest < _ZERO:
        return None, "the provider sent a vector of zeros for this text"
    scaled = raw / largest
    unit: Vector = (scaled / np.linalg.norm(scaled)).astype(np.float32)
    return unit, None


def _from_base64(text: str) -> Any:
    import numpy as np

    try:
        data = base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise ValueError("not base64") from error
    return np.frombuffer(data, "<f4").astype(np.float64)


def _tokens(answer: Mapping[str, Any]) -> int | None:
    usage = answer.get("usage")
    tokens = usage.get("total_tokens") if isinstance(usage, dict) else None
    return tokens if isinstance(tokens, int) and tokens > 0 else None


def _whole(text: str) -> str:
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
