"""Every key that may be written, as data: derived from the models, used to read and to explain.

``OWN_FILE`` is the documented table of our own files and of ``--set``; ``config show``
and the README are made from these tables.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import Field, dataclass
from types import NoneType
from typing import Any, Literal, get_args, get_origin

from engine.config.declaring import Declared, Section, declared, default_of, is_group, spelling
from engine.config.own_settings import OwnSettings
from engine.config.schema import MemorySearch
from engine.config.schema_agent import Compaction, ContextLimits, PluginSlots, SessionTools
from engine.config.schema_memory import Memory
from engine.config.structure import members

WHOLE_LIMIT = 2**31 - 1
"""Upper bound of whole numbers without one of their own."""


@dataclass(frozen=True, slots=True)
class Key:
    """One key: dotted name as files write it, type, default, and what is declared of it."""

    name: str
    type: Any
    default: Any
    declared: Declared
    secret: bool = False

    @property
    def kinds(self) -> tuple[Any, ...]:
        """The types it may have: the members of a union, or the one type."""
        return members(self.type)

    @property
    def expected(self) -> str:
        """What may be written, in words."""
        known = self.declared
        if known.expects or known.spelled:
            return known.expects or (known.spelled.expected if known.spelled else "")
        return " or ".join(_words(kind, known) for kind in self.kinds if kind is not NoneType)


@dataclass(frozen=True, slots=True)
class KeyTable:
    """The keys of one place; ``groups`` are the names that hold further keys.

    ``open_ended`` marks a place that also holds keys of others, which pass in silence.
    """

    keys: dict[str, Key]
    groups: frozenset[str]
    open_ended: bool = False

    def nearest(self, name: str) -> str | None:
        """The known key that looks most like a name; None when none does."""
        from difflib import get_close_matches

        found = get_close_matches(name[:200], self.keys, n=1, cutoff=0.7)
        if not found:
            last = name[:200].rpartition(".")[2].lower()
            found = [key for key in self.keys if key.rpartition(".")[2].lower() == last]
        return found[0] if found else None


def _words(kind: Any, known: Declared) -> str:
    if kind is bool:
        return "true or false"
    if kind in (int, float):
        return _number_words("whole number" if kind is int else "number", known.low, known.high)
    if get_origin(kind) is Literal:
        return _choice_words(get_args(kind))
    if get_origin(kind) is tuple:
        item = get_args(kind)[0]
        return "a list of " + ("texts" if item is str else _choice_words(get_args(item)))
    return "text"


def _choice_words(choices: tuple[Any, ...]) -> str:
    quoted = [f'"{choice}"' for choice in choices]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} or {quoted[-1]}"


def _number_words(noun: str, low: float | None, high: float | None) -> str:
    if low is not None and high is not None:
        return f"a {noun} from {low:g} to {high:g}"
    return f"a {noun} of at least {low:g}" if low is not None else f"a {noun}"


def _walk(model: type[Section], prefix: str) -> Iterator[Key | str]:
    """Keys of a model and the names of its groups, depth first."""
    for part in model.parts:
        name = prefix + spelling(part.name)
        if is_group(part.type):
            yield name
            yield from _walk(part.type, f"{name}.")
        else:
            yield _key(name, part)


def _key(name: str, part: Field[Any]) -> Key:
    return Key(name, part.type, default_of(part), declared(part), secret=not part.repr)


def table(*models: type[Section], open_ended: bool = False) -> KeyTable:
    """The joined table of some models."""
    found = [item for model in models for item in _walk(model, "")]
    keys = {item.name: item for item in found if isinstance(item, Key)}
    return KeyTable(keys, frozenset(item for item in found if isinstance(item, str)), open_ended)


MEMORY_SEARCH = table(MemorySearch)
OWN = table(OwnSettings)
OWN_FILE = table(OwnSettings, MemorySearch)
MEMORY = table(Memory)
COMPACTION = table(Compaction, open_ended=True)
CONTEXT_LIMITS = table(ContextLimits, open_ended=True)
SESSION_TOOLS = table(SessionTools, open_ended=True)
PLUGIN_SLOTS = table(PluginSlots, open_ended=True)
