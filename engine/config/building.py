"""From settings to typed groups: defaults where nothing was set, then the groups themselves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any, TypeVar

from engine.config.declaring import is_group, spelling
from engine.config.key_table import KeyTable
from engine.config.layers import Setting, Settings
from engine.config.resolved import Provenance

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Model = TypeVar("Model", bound="DataclassInstance")

_DEFAULT = Provenance("default")
_ERA = Provenance("era")


def complete(settings: Settings, table: KeyTable) -> Settings:
    """Settings for every key of a table, defaults where nothing was set."""
    return {
        name: settings.get(name) or Setting(key.default, _DEFAULT)
        for name, key in table.keys.items()
    }


def fill(settings: Settings, values: Mapping[str, Any]) -> None:
    """Put the era's values where nothing was set."""
    for key, value in values.items():
        if settings[key].value is None:
            settings[key] = Setting(value, _ERA)


def build(model: type[Model], settings: Settings, prefix: str = "") -> Model:
    """A model of complete settings; keys of other models in them do not matter."""
    given: dict[str, Any] = {}
    for part in fields(model):
        name = prefix + spelling(part.name)
        if is_group(part.type):
            given[part.name] = build(part.type, settings, f"{name}.")
        else:
            given[part.name] = settings[name].value
    return model(**given)
