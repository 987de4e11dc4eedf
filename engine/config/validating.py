"""Written values against the declared types, by pydantic: strict, nothing unknown in an object.

pydantic is loaded when the first value is judged, so a start without settings goes without it.
Values are judged as JSON, where strictness takes a list for a tuple and an object for a group.
"""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

from engine.config.declaring import spelling

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pydantic import TypeAdapter, ValidationError


class MismatchError(ValueError):
    """A value of another type; ``part`` is the list index or the name that does not fit."""

    def __init__(self, part: int | str | None = None) -> None:
        super().__init__("a value of another type")
        self.part = part


def validated(kind: Any, raw: Any) -> Any:
    """A JSON value as a declared type. Raises MismatchError, which never holds the value."""
    from pydantic import ValidationError

    try:
        return _judge(kind).validate_json(json.dumps(raw))
    except ValidationError as error:
        raise MismatchError(next(_culprits(error, raw), None)) from None


@cache
def _judge(kind: Any) -> TypeAdapter[Any]:
    from pydantic import ConfigDict, TypeAdapter

    config = ConfigDict(strict=True, extra="forbid", alias_generator=spelling)
    return TypeAdapter(kind, config=config)


def _culprits(error: ValidationError, raw: Any) -> Iterator[int | str]:
    """Parts of a list or an object that do not fit: wrong ones first, then missing ones.

    A location also names the member of a union that was tried; that is no part of the value.
    """
    found = error.errors(include_url=False, include_context=False, include_input=False)
    for problem in found:
        yield from (step for step in problem["loc"] if _is_part(step, raw))
    yield from (problem["loc"][-1] for problem in found if problem["type"] == "missing")


def _is_part(step: int | str, raw: Any) -> bool:
    return isinstance(step, int) if isinstance(raw, list) else isinstance(raw, dict) and step in raw
