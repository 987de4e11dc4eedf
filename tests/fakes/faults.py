"""Faults of any wire shape, made by spoiling its right answer, so that every shape has them all."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tests.fakes.answers import Answer, Responder

Spoil = Callable[[Responder], Responder]
LEAST_NUMBERS = 16
"""A list of so many numbers is a vector, wherever it stands in an answer."""


def in_each_vector(change: Callable[[list[float]], Any]) -> Spoil:
    """Something else in the place of every vector."""
    return _body(lambda value: _changed(value, change))


def with_number(number: Any) -> Spoil:
    """Every vector begins with this."""
    return in_each_vector(lambda vector: [number, *vector[1:]])


def one_less() -> Spoil:
    """The last vector is missing, and nothing says so."""
    return _body(_without_last)


def cut_in_half() -> Spoil:
    """The connection closes in the middle of the body."""

    def spoil(right: Responder) -> Responder:
        def respond(received: Any) -> Answer:
            answer = right(received)
            return replace(answer, sent=len(answer.body) // 2)

        return respond

    return spoil


def instead(responder: Responder) -> Spoil:
    """The same answer to everybody."""
    return lambda right: responder


def _body(change: Callable[[Any], Any]) -> Spoil:
    def spoil(right: Responder) -> Responder:
        def respond(received: Any) -> Answer:
            answer = right(received)
            return replace(answer, body=json.dumps(change(json.loads(answer.body))).encode())

        return respond

    return spoil


def _is_vector(value: Any) -> bool:
    numbers = isinstance(value, list) and len(value) >= LEAST_NUMBERS
    return numbers and all(isinstance(each, int | float) for each in value)


def _changed(value: Any, change: Callable[[list[float]], Any]) -> Any:
    if _is_vector(value):
        return change(value)
    if isinstance(value, list):
        return [_changed(each, change) for each in value]
    if isinstance(value, dict):
        return {key: _changed(each, change) for key, each in value.items()}
    return value


def _holds_vector(value: Any) -> bool:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return _is_vector(value) or any(map(_holds_vector, inner))


def _without_last(value: Any) -> Any:
    if isinstance(value, list) and value and all(map(_holds_vector, value)):
        return value[:-1]
    if isinstance(value, dict):
        return {key: _without_last(each) for key, each in value.items()}
    return value


NOT_NUMBERS: dict[str, Spoil] = {
    "NaN": with_number(math.nan),
    "infinite": with_number(math.inf),
    "null": with_number(None),
    "words": with_number("poison"),
    "huge": with_number(10**400),
    "zeros": in_each_vector(lambda vector: [0.0] * len(vector)),
    "empty": in_each_vector(lambda vector: []),
    "no list": in_each_vector(lambda vector: {"a": 1}),
}
