"""A plug-in where no provider of memlens' own is meant: found, loaded, and given its settings."""

from __future__ import annotations

from engine.embeddings.builtin.provider import BUILTIN_ID
from engine.embeddings.plugins.discovery import InstalledPlugin, installed_plugins
from engine.embeddings.plugins.loading import BrokenPluginError, LoadedPlugin, load
from engine.embeddings.plugins.settings import PluginSettings
from engine.embeddings.selection.catalogue import KNOWN, LOCAL_IDS, speaking
from engine.embeddings.selection.choice import ProviderChoice
from engine.embeddings.selection.endpoints import EndpointFinder
from engine.embeddings.selection.known_provider import KnownProvider
from engine.embeddings.selection.provider_request import (
    AUTO,
    NONE,
    ProviderRequest,
    RemoteRequest,
)
from engine.embeddings.selection.ready import NotReady
from engine.embeddings.selection.wanted import Wanted
from engine.net.credentials import KeyRing
from engine.status import PassedOver

TAKEN = frozenset({*KNOWN, *LOCAL_IDS, BUILTIN_ID, AUTO, NONE})
"""Ids that no plug-in can have."""


def plugins_at_hand() -> tuple[InstalledPlugin, ...]:
    """All that are installed; nothing of them is loaded."""
    return installed_plugins(TAKEN)


def passed_over_plugins(choice: ProviderChoice) -> tuple[PassedOver, ...]:
    """The installed plug-ins that a choice does not use, each with its distribution and why."""
    return tuple(
        PassedOver(
            plugin.id,
            f"{plugin.label}: {plugin.problem or 'used where it is named'}",
            "unusable" if plugin.problem else "usable",
        )
        for plugin in plugins_at_hand()
        if plugin.id != choice.provider or plugin.problem
    )


def plugin_settings(
    request: ProviderRequest, keys: KeyRing, provider: str
) -> PluginSettings | NotReady | None:
    """The plug-in that ``provider`` or its entry's ``api`` names; None when none is meant."""
    entry = request.entries.get(provider, RemoteRequest())
    if provider in TAKEN or (provider in request.entries and speaking(entry.api) is not None):
        return None
    wanted = entry.api or provider
    found = next((plugin for plugin in plugins_at_hand() if plugin.id == wanted), None)
    if found is None:
        return None
    try:
        loaded = load(found)
    except BrokenPluginError as error:
        hint = f"Update or remove {found.distribution}, or choose another provider."
        return NotReady(str(error), hint)
    at = EndpointFinder(request, keys).made(_target(loaded, request, provider))
    return at if isinstance(at, NotReady) else PluginSettings(loaded, at)


def _target(plugin: LoadedPlugin, request: ProviderRequest, provider: str) -> Wanted:
    """The plug-in as the catalogue would describe it; an entry has its own keys only."""
    own = provider == plugin.installed.id
    known = KnownProvider(
        plugin.installed.id,
        adapter="plug-in",
        default_model=plugin.default_model,
        base_url=plugin.base_url,
        key="required" if plugin.needs_key else "optional",
        input_types=None,
        placeless=True,
    )
    return Wanted(
        provider,
        known,
        provider,
        request.entries.get(provider, RemoteRequest()),
        plugin.base_url if own else "",
        provider,
        plugin.key_variables if own else (),
    )
