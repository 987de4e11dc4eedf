"""The two outcomes of looking for a provider: everything it needs, or why it cannot be used."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from engine.embeddings.local.settings import LocalSettings
from engine.embeddings.plugins.settings import PluginSettings
from engine.embeddings.remote.settings import RemoteSettings

Ready: TypeAlias = RemoteSettings | PluginSettings | LocalSettings
"""What a provider is made of. Each kind has ``provider``, ``model``, ``remote``, ``note``."""


@dataclass(frozen=True, slots=True)
class NotReady:
    """Why a provider cannot be used as configured, and what would mend it."""

    reason: str
    hint: str = ""
