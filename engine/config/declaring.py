"""How the keys of a configuration are declared: fields with a default, a range and a meaning.

No model library on purpose: building these groups with pydantic took more than half of
the CPU that a whole search command may take. Tests hold the outcome against pydantic.
A field that is kept out of ``repr`` is a secret. Modules that declare keys keep their
annotations as objects, so that nothing needs to be evaluated.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field
from inspect import get_annotations
from typing import Any, ClassVar, TypeGuard, dataclass_transform

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


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Section:
    """A group of keys: annotated fields, each a key or a further group. Immutable.

    It behaves as a frozen dataclass does and is declared in the same words, but nothing
    is compiled for it: thirty dataclasses would take a tenth of a search command's CPU.
    """

    parts: ClassVar[tuple[Field[Any], ...]] = ()

    def __init_subclass__(cls) -> None:
        annotations = get_annotations(cls)
        cls.parts = tuple(_part(cls, name, kind) for name, kind in annotations.items())

    def __init__(self, *values: Any, **named: Any) -> None:
        names = [part.name for part in self.parts]
        given = dict(zip(names, values, strict=False)) | named
        if len(values) > len(names) or not given.keys() <= set(names):
            raise TypeError(f"{type(self).__name__} takes {', '.join(names)}")
        for part in self.parts:
            value = given[part.name] if part.name in given else default_of(part)
            if value is MISSING:
                raise TypeError(f"{type(self).__name__} needs {part.name}")
            object.__setattr__(self, part.name, value)

    def __setattr__(self, name: str, value: object) -> None:
        raise FrozenInstanceError(f"cannot assign to {name}")

    def __delattr__(self, name: str) -> None:
        raise FrozenInstanceError(f"cannot delete {name}")

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash((type(self), repr(self)))

    def __repr__(self) -> str:
        shown = (f"{p.name}={getattr(self, p.name)!r}" for p in self.parts if p.repr)
        return f"{type(self).__name__}({', '.join(shown)})"

    def model_dump(self, *, by_alias: bool = False) -> dict[str, Any]:
        """Names and values, groups as objects; ``by_alias`` spells names as files do.

        Holds secrets as they are: never show it.
        """
        return {
            spelling(part.name) if by_alias else part.name: _plain(
                getattr(self, part.name), by_alias
            )
            for part in self.parts
        }


def _part(cls: type[Section], name: str, kind: Any) -> Field[Any]:
    """The field of an annotation; its default stays in the field, not in the class."""
    value = cls.__dict__.get(name, MISSING)
    part = value if isinstance(value, Field) else field(default=value)
    part.name, part.type = name, kind
    if value is not MISSING:
        delattr(cls, name)
    return part


def default_of(part: Field[Any]) -> Any:
    """The default of a field; MISSING when it has none."""
    return part.default if part.default_factory is MISSING else part.default_factory()


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
