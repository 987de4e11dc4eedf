"""The words in which keys are declared, and how they are spelled in files.

A group is a plain frozen dataclass; each field is a key or a further group. All that is
known of a key stands in its annotation: type, range (``annotated_types``, which pydantic
understands) and meaning (``doc``). A field kept out of ``repr`` is a secret. Modules that
declare keys keep their annotations as objects, so that nothing needs to be evaluated.
"""

from __future__ import annotations

from dataclasses import asdict, is_dataclass
from typing import TYPE_CHECKING, Annotated, Any, TypeGuard

from annotated_types import Ge, Le, Predicate

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


def has_no_nul(text: str) -> bool:
    """True for a text that a path or an address may hold."""
    return "\0" not in text


Text = Annotated[str, Predicate(has_no_nul)]
Positive = Annotated[int, Ge(1)]
NonNegative = Annotated[int, Ge(0)]
Dollars = Annotated[float, Ge(0), Le(100_000)]
Fraction = Annotated[float, Ge(0), Le(1)]


def spelling(name: str) -> str:
    """The name in a file: ``half_life_days`` is ``halfLifeDays``, ``lambda_`` is ``lambda``."""
    first, *others = name.rstrip("_").split("_")
    return first + "".join(part.capitalize() for part in others)


def as_written(group: DataclassInstance) -> dict[str, Any]:
    """A group as a file would hold it: names as spelled there, unset values left out.

    Holds secrets as they are: never show it.
    """
    return asdict(group, dict_factory=_written)


def _written(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    return {spelling(name): value for name, value in pairs if value is not None}


def is_group(kind: Any) -> TypeGuard[type[DataclassInstance]]:
    """True when a field's type is a group of keys."""
    return isinstance(kind, type) and is_dataclass(kind)
