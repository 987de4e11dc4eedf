"""Every key that may be written, as data: derived from the models, used to read and to explain.

``OWN_FILE`` is the documented table of our own files and of ``--set``; ``config show``
and the README are made from these tables.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from engine.config.declaring import is_group, spelling
from engine.config.key import Key, key_of
from engine.config.own_settings import OwnSettings
from engine.config.schema import MemorySearch

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


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


def _walk(model: type[DataclassInstance], prefix: str) -> Iterator[Key | str]:
    """Keys of a model and the names of its groups, depth first."""
    for part in fields(model):
        name = prefix + spelling(part.name)
        if is_group(part.type):
            yield name
            yield from _walk(part.type, f"{name}.")
        else:
            yield key_of(name, part)


def table(*models: type[DataclassInstance], open_ended: bool = False) -> KeyTable:
    """The joined table of some models."""
    found = [item for model in models for item in _walk(model, "")]
    keys = {item.name: item for item in found if isinstance(item, Key)}
    return KeyTable(keys, frozenset(item for item in found if isinstance(item, str)), open_ended)


MEMORY_SEARCH = table(MemorySearch)
OWN = table(OwnSettings)
OWN_FILE = table(OwnSettings, MemorySearch)
