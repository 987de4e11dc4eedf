"""``--set KEY=VALUE``: the last layer. A mistake here is a wrong command, so it raises."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.config.key import Key
from engine.config.key_table import OWN_FILE
from engine.config.layers import Layer, Setting
from engine.config.legible import without_surrogates
from engine.config.mending import Mended, Refused, mend
from engine.config.resolved import ConfigProblem, Provenance
from engine.errors import ConfigError

_SOURCE = Provenance("--set")


def read_assignments(texts: Iterable[str]) -> Layer:
    """Read the texts of ``--set`` in order; later ones win.

    Keys are relative to memorySearch; a value is JSON5, or plain text where it is
    none. Raises ConfigError for a key that does not exist and a value of the wrong
    kind; a number out of range is brought into range and told.
    """
    layer = Layer()
    for text in texts:
        name, equals, value = without_surrogates(text).partition("=")
        if not equals:
            raise ConfigError(
                "Wrong --set", "Expected KEY=VALUE.", "For example: --set query.maxResults=8"
            )
        _assign(layer, name.strip(), _parsed(value), value)
    return layer


def _assign(layer: Layer, name: str, value: Any, text: str | None) -> None:
    """Set a key, or with an object the keys of a group; ``text`` is the value as typed."""
    if name not in OWN_FILE.groups:
        _put(layer, _known(name), value, text)
        return
    if not isinstance(value, dict):
        example = next(key for key in OWN_FILE.keys if key.startswith(f"{name}."))
        hint = f"For example: --set {example}=VALUE"
        raise ConfigError("Wrong --set", f"{name} is a group of keys.", hint)
    for part, below in value.items():
        _assign(layer, f"{name}.{part}", below, None)


def _parsed(text: str) -> Any:
    from engine.config.parsing import parse
    from engine.config.positions import Json5Error

    try:
        return parse(text).value
    except Json5Error:
        return text


def _known(name: str) -> Key:
    key = OWN_FILE.keys.get(name)
    if key is None:
        nearest = OWN_FILE.nearest(name)
        hint = f"Did you mean {nearest}?" if nearest else "memlens config show --all lists them."
        raise ConfigError("Unknown key", f"There is no key {name[:80]!r} for --set.", hint)
    return key


def _put(layer: Layer, key: Key, value: Any, text: str | None) -> None:
    result = mend(key, value)
    if isinstance(result, Refused) and text is not None:
        as_text = mend(key, text)
        result = as_text if isinstance(as_text, Mended) else result
    if isinstance(result, Refused):
        raise ConfigError("Wrong value", f"--set {key.name}: {result.reason}.", key.about)
    if result.remark:
        layer.problems.append(ConfigProblem(f"--set {key.name}: {result.remark}."))
    layer.settings[key.name] = Setting(result.value, _SOURCE)
