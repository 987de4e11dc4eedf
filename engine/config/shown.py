"""Effective values as ``config show`` prints them: JSON-ready, secrets masked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import is_dataclass
from typing import Any

from engine.config.declaring import as_written
from engine.config.key import Key
from engine.config.key_table import KeyTable
from engine.config.layers import Settings
from engine.config.resolved import ConfigValue

MASK = "***"

_REFERENCE = re.compile(r"\$\{[A-Za-z_][A-Za-z0-9_]*\}")
_HARMLESS_HEADERS = {"accept", "content-type", "user-agent"}
_USER_INFO = re.compile(r"//[^/?#]*@")
_QUERY = re.compile(r"\?[^#]*")


def config_values(settings: Settings, table: KeyTable, prefix: str = "") -> Iterator[ConfigValue]:
    """The values of a table in its order, each under its full dotted key."""
    for name, key in table.keys.items():
        setting = settings[name]
        yield ConfigValue(
            prefix + name, masked(key, setting.value), _plain(key.default), setting.source
        )


def masked(key: Key, value: Any) -> Any:
    """A value with nothing secret in it; references to secrets stay readable."""
    plain = _plain(value)
    if key.name.endswith("baseUrl") and isinstance(plain, str):
        return _QUERY.sub(f"?{MASK}", _USER_INFO.sub(f"//{MASK}@", plain))
    if not key.secret:
        return plain
    if isinstance(plain, dict) and isinstance(value, dict):
        return {
            name: content if name.lower() in _HARMLESS_HEADERS else _masked_text(content)
            for name, content in plain.items()
        }
    return _masked_text(plain)


def _masked_text(value: Any) -> Any:
    if isinstance(value, str) and not _REFERENCE.fullmatch(value):
        return MASK
    return value


def _plain(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return as_written(value)
    if isinstance(value, (tuple, list)):
        return [_plain(part) for part in value]
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items()}
    return value
