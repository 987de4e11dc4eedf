"""One key of a configuration: what its declaration says, taken apart for use."""

from __future__ import annotations

from dataclasses import MISSING, Field, dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from annotated_types import DocInfo, Ge, Le

from engine.config.units import Unit


@dataclass(frozen=True, slots=True)
class Key:
    """Dotted name as files write it, declared type, default, meaning, range (None: open).

    ``kinds`` are the bare types that a value may have, None among them when the key may
    be unset.
    """

    name: str
    type: Any
    default: Any
    kinds: tuple[Any, ...]
    about: str = ""
    low: float | None = None
    high: float | None = None
    unit: Unit | None = None
    secret: bool = False

    @property
    def may_be_unset(self) -> bool:
        """True for a key that knows the value None."""
        return NoneType in self.kinds

    @property
    def is_number(self) -> bool:
        """True for a key that takes numbers, whatever else it takes."""
        return int in self.kinds or float in self.kinds


def key_of(name: str, part: Field[Any]) -> Key:
    """The key that a field of a group declares."""
    kinds, notes = taken_apart(part.type)
    return Key(
        name,
        part.type,
        part.default if part.default_factory is MISSING else part.default_factory(),
        kinds,
        about=_noted(notes, DocInfo, "documentation") or "",
        low=_noted(notes, Ge, "ge"),
        high=_noted(notes, Le, "le"),
        unit=next((note for note in notes if isinstance(note, Unit)), None),
        secret=not part.repr,
    )


def _noted(notes: tuple[Any, ...], kind: type, attribute: str) -> Any:
    return next((getattr(note, attribute) for note in notes if isinstance(note, kind)), None)


def taken_apart(kind: Any) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """The bare types of a union, and everything that is annotated on any of them."""
    if get_origin(kind) is Annotated:
        kinds, notes = taken_apart(kind.__origin__)
        return kinds, (*notes, *kind.__metadata__)
    if get_origin(kind) not in (Union, UnionType):
        return (kind,), ()
    members = [taken_apart(member) for member in get_args(kind)]
    return (
        tuple(bare for kinds, _ in members for bare in kinds),
        tuple(note for _, notes in members for note in notes),
    )
