"""JSON values as the types that keys declare: texts, choices, lists, objects. Strict."""

from __future__ import annotations

from dataclasses import MISSING
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from engine.config.declaring import Section, default_of, is_group, spelling


class MismatchError(ValueError):
    """A value of another type; ``part`` is the list index or the name that does not fit."""

    def __init__(self, part: int | str | None = None) -> None:
        super().__init__("a value of another type")
        self.part = part


def members(kind: Any) -> tuple[Any, ...]:
    """The types that a type allows: those of a union, else itself."""
    return get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)


def read_as(kind: Any, raw: Any) -> Any:
    """A JSON value as a type: nothing is converted but lists to tuples and objects to groups.

    Raises MismatchError.
    """
    for member in members(kind):
        if member is NoneType:
            continue
        try:
            return _read(member, raw)
        except MismatchError as error:
            mismatch = error
    raise mismatch


def _read(kind: Any, raw: Any) -> Any:
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is tuple and isinstance(raw, list):
        return tuple(_part(arguments[0], part, index) for index, part in enumerate(raw))
    if origin is dict and isinstance(raw, dict):
        return {name: _part(arguments[1], part, name) for name, part in raw.items()}
    if origin is Literal and isinstance(raw, str) and raw in arguments:
        return raw
    if is_group(kind) and isinstance(raw, dict):
        return _section(kind, raw)
    if kind in (str, bool) and type(raw) is kind:
        return raw
    raise MismatchError


def _part(kind: Any, raw: Any, place: int | str) -> Any:
    try:
        return read_as(kind, raw)
    except MismatchError as error:
        raise MismatchError(place) from error


def _section(kind: type[Section], raw: dict[str, Any]) -> Section:
    """A group inside a list: every name known, every field without a default there."""
    known = {spelling(part.name): part for part in kind.parts}
    for name in raw:
        if name not in known:
            raise MismatchError(name)
    given = {
        part.name: _part(part.type, raw[name], name) for name, part in known.items() if name in raw
    }
    for part in known.values():
        if part.name not in given and default_of(part) is MISSING:
            raise MismatchError(spelling(part.name))
    return kind(**given)
