"""A plug-in that is ready to be opened: what it is, and where and how it asks."""

from __future__ import annotations

from dataclasses import dataclass

from engine.embeddings.plugins.contract import PluginRequest
from engine.embeddings.plugins.loading import LoadedPlugin
from engine.embeddings.remote.settings import RemoteSettings


@dataclass(frozen=True, slots=True)
class PluginSettings:
    """``at`` holds address, key, model and input types as for any other provider."""

    plugin: LoadedPlugin
    at: RemoteSettings

    @property
    def provider(self) -> str:
        """The id that the configuration names."""
        return self.at.provider

    @property
    def model(self) -> str:
        """The model's name."""
        return self.at.model

    @property
    def remote(self) -> bool:
        """As the plug-in declares; True when it does not say."""
        return self.plugin.remote

    @property
    def key_source(self) -> str | None:
        """Where the key came from."""
        return self.at.key_source

    @property
    def note(self) -> str:
        """Whose plug-in it is, and what else a person should know."""
        installed = self.plugin.installed
        words = f"From the {installed.label}."
        return f"{words} {self.at.note}".rstrip()

    def request(self) -> PluginRequest:
        """What the plug-in is given."""
        at = self.at
        return PluginRequest(
            at.model,
            at.wire.dimensions,
            at.base_url,
            at.key.reveal() if at.key is not None else None,
            dict(at.headers),
            at.query_input_type,
            at.document_input_type,
        )
