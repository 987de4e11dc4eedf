"""One layer of settings: which keys a part of a file sets, each mended and with its place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine.config.document import Document
from engine.config.expectation import found_words
from engine.config.key import Key
from engine.config.key_path import KeyPath, dotted
from engine.config.key_table import KeyTable
from engine.config.mending import Refused, mend
from engine.config.resolved import ConfigProblem, Provenance

MAX_PROBLEMS = 40
"""Problems told of one part of a file; what is beyond is counted only."""

_LATER_KEYS = frozenset({"rememberAcrossConversations"})


@dataclass(frozen=True, slots=True)
class Setting:
    """A value and where it came from."""

    value: Any
    source: Provenance


Settings = dict[str, Setting]
"""Settings by dotted key."""


@dataclass(frozen=True, slots=True)
class Place:
    """A part of a file that may set the keys of one table.

    ``base`` is the path of that part in the file. ``allows`` says which keys may be
    set here, ``refusal`` why others may not. ``dotted`` accepts ``a.b: 1`` for
    ``a: {b: 1}``. ``skip`` names keys of the part that others read.
    """

    layer: str
    document: Document
    table: KeyTable
    base: KeyPath = ()
    allows: Callable[[str], bool] | None = None
    refusal: str = ""
    dotted: bool = False
    skip: frozenset[str] = frozenset()


@dataclass(slots=True)
class Layer:
    """What a place sets, and what was wrong there."""

    settings: Settings = field(default_factory=dict)
    problems: list[ConfigProblem] = field(default_factory=list)
    untold: int = 0


def read_layer(place: Place) -> Layer:
    """Read every key of a place. Never raises; what cannot be used becomes a problem."""
    layer = Layer()
    raw = place.document.at(place.base)
    if isinstance(raw, dict):
        _read_group(place, layer, raw, "", place.base)
    elif raw is not None:
        _tell(place, layer, place.base, _no_object(raw))
    if layer.untold:
        message = f"{place.document.file.name}: {layer.untold} further values were not used."
        layer.problems.append(ConfigProblem(message, file=place.document.file))
    return layer


def _read_group(
    place: Place, layer: Layer, group: dict[str, Any], prefix: str, path: KeyPath
) -> None:
    for name, raw in group.items():
        key, here = prefix + name, (*path, name)
        if not prefix and name in place.skip:
            continue
        if "." in name and not place.dotted:
            _unknown(place, layer, key, here)
        elif key in place.table.keys:
            _read_key(place, layer, place.table.keys[key], raw, here)
        elif key not in place.table.groups:
            if prefix or not place.table.open_ended:
                _unknown(place, layer, key, here)
        elif isinstance(raw, dict):
            _read_group(place, layer, raw, f"{key}.", here)
        else:
            _tell(place, layer, here, _no_object(raw))


def _no_object(raw: Any) -> str:
    return f"expected an object, found {found_words(raw, secret=True)}"


def _read_key(place: Place, layer: Layer, key: Key, raw: Any, path: KeyPath) -> None:
    if place.allows is not None and not place.allows(key.name):
        _tell(place, layer, path, place.refusal)
        return
    if key.name == "extraPaths":
        raw = _path_entries(place, layer, raw, path)
    result = mend(key, raw)
    if isinstance(result, Refused):
        _tell(place, layer, path, f"{result.reason}; the value is not used")
        return
    if result.remark:
        _tell(place, layer, path, result.remark)
    line, _ = place.document.position(path)
    source = Provenance(place.layer, place.document.file, line)
    layer.settings[key.name] = Setting(result.value, source)


def _path_entries(place: Place, layer: Layer, raw: Any, path: KeyPath) -> Any:
    """``extraPaths`` of later releases: an entry may be ``{path, pattern}``."""
    if not isinstance(raw, list):
        return raw
    entries = []
    for index, entry in enumerate(raw):
        if isinstance(entry, dict) and isinstance(entry.get("path"), str):
            if "pattern" in entry:
                _tell(place, layer, (*path, index), "the pattern is not applied, only the path")
            entry = entry["path"]
        entries.append(entry)
    return entries


def _unknown(place: Place, layer: Layer, key: str, path: KeyPath) -> None:
    if len(layer.problems) >= MAX_PROBLEMS:
        layer.untold += 1
        return
    if key in _LATER_KEYS:
        _tell(place, layer, path, "a key of later releases; memlens does not use it")
        return
    nearest = place.table.nearest(key)
    hint = f'Did you mean "{nearest}"?' if nearest else "memlens config show --all lists the keys."
    _tell(place, layer, path, "unknown key", hint)


def _tell(place: Place, layer: Layer, path: KeyPath, what: str, hint: str = "") -> None:
    if len(layer.problems) >= MAX_PROBLEMS:
        layer.untold += 1
        return
    layer.problems.append(problem_at(place.document, path, what, hint))


def problem_at(document: Document, path: KeyPath, what: str, hint: str = "") -> ConfigProblem:
    """A sentence on one key of a file, with the place where it stands."""
    line, column = document.position(path)
    message = f"{where(document.file, line)}: {dotted(path)}: {what}."
    return ConfigProblem(message, hint, document.file, line, column)


def where(file: Path, line: int | None) -> str:
    """``openclaw.json, line 12``: the place that a sentence begins with."""
    return f"{file.name}, line {line}" if line else file.name
