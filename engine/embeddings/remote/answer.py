"""Reading the JSON of an answer, and putting vectors beside the texts they belong to."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from engine.embeddings.remote.unit_vector import unit_vector
from engine.embeddings.remote.wire import AnswerError, Decoded

if TYPE_CHECKING:
    from engine.embeddings.contract import Vector


def parsed_answer(body: bytes) -> Mapping[str, Any]:
    """The JSON object of an answer. Raises AnswerError."""
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        raise AnswerError("it is not JSON") from None
    if not isinstance(answer, dict):
        raise AnswerError("it is no JSON object")
    return answer


def in_order(values: Sequence[Any], count: int, tokens: int | None) -> Decoded:
    """Vectors that came in the order of the texts. Raises AnswerError for another number."""
    if len(values) != count:
        raise AnswerError(f"it holds {len(values)} vectors for {count} texts")
    vectors: list[Vector | None] = []
    problems: dict[int, str] = {}
    for place, value in enumerate(values):
        vector, problem = unit_vector(value)
        vectors.append(vector)
        if problem is not None:
            problems[place] = problem
    return Decoded(tuple(vectors), problems, tokens)


def stated_tokens(headers: Mapping[str, str]) -> int | None:
    """The count of input tokens that some hosts give beside the body, None elsewhere."""
    stated = headers.get("x-amzn-bedrock-input-token-count", "")
    counts = stated.isascii() and stated.isdigit() and len(stated) < 12
    return int(stated) or None if counts else None


def whole(text: str) -> str:
    """The text with half characters (lone surrogates) as U+FFFD, so that it can be sent."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
