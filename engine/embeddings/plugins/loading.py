"""Loading the one plug-in that a configuration names; what it declares is checked, not trusted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from engine.embeddings.contract import ProviderLimits
from engine.embeddings.plugins.contract import Embedder, PluginRequest
from engine.embeddings.plugins.discovery import InstalledPlugin
from engine.redaction import redact

_LONGEST = 300
_LIMITS = ProviderLimits(64, 300_000, 8192)


@dataclass(frozen=True, slots=True)
class LoadedPlugin:
    """A plug-in with what it declares; see ``contract.EmbeddingPlugin``."""

    installed: InstalledPlugin
    open: Callable[[PluginRequest], Embedder] = field(repr=False)
    remote: bool = True
    default_model: str = ""
    base_url: str = ""
    key_variables: tuple[str, ...] = ()
    needs_key: bool = False
    version: str = ""
    limits: ProviderLimits = _LIMITS


class BrokenPluginError(Exception):
    """The plug-in cannot be used; the text says why, in a clause."""


def load(plugin: InstalledPlugin) -> LoadedPlugin:
    """Import what the entry point names. Raises BrokenPluginError, whatever went wrong."""
    if plugin.problem or plugin.entry_point is None:
        raise BrokenPluginError(f"the {plugin.label} cannot be used: {plugin.problem}")
    try:
        found = plugin.entry_point.load()
        if isinstance(found, type):
            found = found()
        return _declared(plugin, found)
    except BrokenPluginError:
        raise
    except (Exception, SystemExit) as error:
        raise BrokenPluginError(f"the {plugin.label} cannot be loaded: {told(error)}") from error


def told(error: BaseException, secrets: tuple[str, ...] = ()) -> str:
    """What a plug-in raised, on one line, without keys."""
    words = " ".join(f"{type(error).__name__}: {error}".split()).rstrip(": ")
    line = redact(words, secrets)
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"


def _declared(plugin: InstalledPlugin, found: Any) -> LoadedPlugin:
    if not callable(getattr(found, "open", None)):
        raise BrokenPluginError(f"the {plugin.label} has no function open(request)")

    def declared(name: str, default: Any) -> Any:
        value = getattr(found, name, default)
        if type(value) is not type(default):
            kind = type(default).__name__
            raise BrokenPluginError(f"the {plugin.label} declares a {name} that is no {kind}")
        return value

    def positive(name: str, default: int) -> int:
        number: int = declared(name, default)
        if number < 4:
            raise BrokenPluginError(f"the {plugin.label} declares {name} below 4")
        return number

    variables = declared("key_variables", ())
    if not all(isinstance(name, str) for name in variables):
        raise BrokenPluginError(f"the {plugin.label} declares key_variables that are no words")
    return LoadedPlugin(
        plugin,
        found.open,
        declared("remote", True),
        declared("default_model", ""),
        declared("base_url", ""),
        variables,
        declared("needs_key", False),
        declared("version", ""),
        ProviderLimits(
            max(declared("inputs_per_request", _LIMITS.inputs_per_request), 1),
            positive("bytes_per_request", _LIMITS.bytes_per_request),
            positive("bytes_per_input", _LIMITS.bytes_per_input),
        ),
    )
