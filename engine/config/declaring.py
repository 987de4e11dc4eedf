"""How the keys of a configuration are declared: fields with a default, a range and a meaning.

Plain dataclasses on purpose: building the same models with pydantic took more than half
of the CPU that a whole search command may take. Tests hold the outcome against it.
A field that is kept out of ``repr`` is a secret. Modules that declare keys keep their
annotations as objects, so that nothing needs to be evaluated.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, fields, is_dataclass
from typing import Any, TypeGuard

DECLARED = "declared"


@dataclass(frozen=True, slots=True)
class Spelled:
    """How a key's spelling becomes its number; ``read`` gives None for what it cannot read."""

    read: Callable[[Any], float | None]
    expected: str


@dataclass(frozen=True, slots=True)
class Declared:
    """What is known of a key beside its type: meaning, range (None: open), and how to read it.

    ``expects`` says what may be written where the type does not say it well enough.
    """

    about: str
    low: float | None = None
    high: float | None = None
    expects: str = ""
    spelled: Spelled | None = None


def key(
    about: str,
    *,
    low: float | None = None,
    high: float | None = None,
    expects: str = "",
    spelled: Spelled | None = None,
) -> Mapping[str, Declared]:
    """The metadata of a field that is a key."""
    return {DECLARED: Declared(about, low, high, expects, spelled)}


def spelling(name: str) -> str:
    """The name in a file: ``half_life_days`` is ``halfLifeDays``, ``lambda_`` is ``lambda``."""
    first, *others = name.rstrip("_").split("_")
    return first + "".join(part.capitalize() for part in others)


class Section:
    """A group of keys: a frozen dataclass whose fields are keys and further groups."""

    __slots__ = ()

    def model_dump(self, *, by_alias: bool = False) -> dict[str, Any]:
        """Names and values, groups as objects; ``by_alias`` spells names as files do.

        Holds secrets as they are: never show it.
        """
        return {
            spelling(part.name) if by_alias else part.name: _plain(
                getattr(self, part.name), by_alias
            )
            for part in parts(type(self))
        }


def parts(group: type[Section]) -> tuple[Field[Any], ...]:
    """The fields of a group; each concrete one is a dataclass."""
    return fields(group) if is_dataclass(group) else ()


def is_group(kind: Any) -> TypeGuard[type[Section]]:
    """True when a field's type is a group of keys."""
    return isinstance(kind, type) and issubclass(kind, Section)


def declared(part: Field[Any]) -> Declared:
    """What is declared of a field; an empty declaration for one without."""
    known = part.metadata.get(DECLARED)
    return known if isinstance(known, Declared) else Declared("")


def _plain(value: Any, by_alias: bool) -> Any:
    if isinstance(value, Section):
        return value.model_dump(by_alias=by_alias)
    if isinstance(value, tuple):
        return [_plain(part, by_alias) for part in value]
    if isinstance(value, dict):
        return {name: _plain(part, by_alias) for name, part in value.items()}
    return value
