"""Where an OpenAI-shaped provider is reached, with which key, or why it cannot be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.embeddings.remote.settings import INDEX_SECONDS, RemoteSettings, WireSettings
from engine.embeddings.selection.catalogue import EARLY_ERAS, OPENAI
from engine.embeddings.selection.provider_request import ProviderRequest, RemoteRequest
from engine.errors import ProviderError
from engine.net.credentials import FoundKey, KeyQuestion, KeyRing, KeySetting, NoKey
from engine.net.host_guard import checked_base_url, is_loopback, same_origin

OPENAI_COMPATIBLE = "openai-compatible"


@dataclass(frozen=True, slots=True)
class NotReady:
    """Why a provider cannot be used as configured, and what would mend it."""

    reason: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class _Address:
    """A checked base address; ``own`` and ``entry`` say whose keys may go there."""

    base_url: str
    own: bool
    entry: bool


class EndpointFinder:
    """Puts address, key, headers and model together for one request."""

    def __init__(self, request: ProviderRequest, keys: KeyRing) -> None:
        self._request = request
        self._keys = keys

    def find(self, provider: str) -> RemoteSettings | NotReady:
        """The settings of ``openai``, ``openai-compatible`` or a ``models.providers`` id."""
        try:
            if provider == OPENAI.id:
                return self._openai()
            if provider == OPENAI_COMPATIBLE:
                return self._compatible()
            return self._entry(provider)
        except ProviderError as error:
            return NotReady(error.message, error.hint)

    def _openai(self) -> RemoteSettings | NotReady:
        request = self._request
        entry = request.entries.get(OPENAI.id, RemoteRequest())
        address = self._address(entry, OPENAI.id, OPENAI.base_url)
        headers = self._headers(entry, address)
        if isinstance(headers, NotReady):
            return headers
        key = self._keys.find(
            KeyQuestion(
                OPENAI.auth_id,
                OPENAI.variables,
                remote_key=request.remote.api_key,
                entry_name=OPENAI.id if entry.api_key is not None else "",
                entry_key=entry.api_key,
                own_host=address.own,
                entry_host=address.entry,
                entry_first=entry.key_first,
            )
        )
        if isinstance(key, NoKey) and "authorization" not in map(str.lower, headers):
            return NotReady(f"no key: {key.reason}", _key_hint(address))
        native = same_origin(address.base_url, OPENAI.base_url)
        model = request.model or OPENAI.default_model
        if native or request.era in EARLY_ERAS:
            model = model.removeprefix("openai/")
        return self._settings(OPENAI.id, address, key, headers, model, native=native)

    def _compatible(self) -> RemoteSettings | NotReady:
        request = self._request
        missing = [
            name
            for name, value in (
                ("model", request.model),
                ("remote.baseUrl", request.remote.base_url),
            )
            if not value
        ]
        if missing:
            return NotReady(
                f"{OPENAI_COMPATIBLE} needs {' and '.join(missing)}",
                f"Set {' and '.join(missing)} beside the provider.",
            )
        address = self._address(RemoteRequest(), "", "")
        return self._optional_key(OPENAI_COMPATIBLE, RemoteRequest(), address, request.model)

    def _entry(self, provider: str) -> RemoteSettings | NotReady:
        entry = self._request.entries[provider]
        if not entry.base_url and not self._request.remote.base_url:
            return NotReady(f"models.providers.{provider} has no baseUrl", "Set its baseUrl.")
        model = self._request.model or entry.model
        if not model:
            return NotReady(
                f"{provider} needs a model",
                f"Set model beside the provider, or list one in models.providers.{provider}.",
            )
        address = self._address(entry, provider, "")
        return self._optional_key(provider, entry, address, model.removeprefix(f"{provider}/"))

    def _optional_key(
        self, provider: str, entry: RemoteRequest, address: _Address, model: str
    ) -> RemoteSettings | NotReady:
        """A host that may work without a key; one that is configured must be usable."""
        headers = self._headers(entry, address)
        if isinstance(headers, NotReady):
            return headers
        named = entry.api_key is not None
        question = KeyQuestion(
            provider,
            (),
            remote_key=self._request.remote.api_key,
            entry_name=provider if named else "",
            entry_key=entry.api_key,
            own_host=address.own,
            entry_host=address.entry,
            entry_first=entry.key_first,
        )
        key = self._keys.find(question)
        if isinstance(key, NoKey) and self._request.remote.api_key is not None:
            return NotReady(f"no key: {key.reason}", "Mend remote.apiKey.")
        return self._settings(provider, address, key, headers, model, native=False)

    def _address(self, entry: RemoteRequest, name: str, default: str) -> _Address:
        """``remote.baseUrl``, else the entry's, else the default. Raises ProviderError."""
        remote = self._request.remote.base_url
        setting = "remote.baseUrl" if remote else f"models.providers.{name}.baseUrl"
        base_url = checked_base_url(remote or entry.base_url or default, setting)
        homes = [url for url in (entry.base_url, default) if url]
        entry_home = entry.base_url or default
        return _Address(
            base_url,
            own=any(same_origin(base_url, home) for home in homes),
            entry=bool(entry_home) and same_origin(base_url, entry_home),
        )

    def _headers(self, entry: RemoteRequest, address: _Address) -> Mapping[str, str] | NotReady:
        """Extra headers, those of ``remote`` over the entry's, which stay with its own host."""
        wanted: dict[str, tuple[str, KeySetting]] = {}
        if address.entry:
            wanted |= {name.lower(): (name, value) for name, value in entry.headers.items()}
        remote = self._request.remote.headers
        wanted |= {name.lower(): (name, value) for name, value in remote.items()}
        headers = {}
        for name, setting in wanted.values():
            value = self._keys.read_header(setting, f"header {name}")
            if isinstance(value, NoKey):
                return NotReady(value.reason, "Mend the extra headers.")
            headers[name] = value
        return headers

    def _settings(
        self,
        provider: str,
        address: _Address,
        key: FoundKey | NoKey,
        headers: Mapping[str, str],
        model: str,
        *,
        native: bool,
    ) -> RemoteSettings:
        request = self._request
        found = key if isinstance(key, FoundKey) else None
        return RemoteSettings(
            provider=provider,
            base_url=address.base_url,
            wire=WireSettings(model, request.dimensions, base64=native),
            key=found.secret if found else None,
            key_source=found.source if found else None,
            headers=headers,
            # OpenAI's own host refuses fields that it does not know.
            query_input_type=None if native else request.query_input_type,
            document_input_type=None if native else request.document_input_type,
            index_seconds=request.index_seconds or INDEX_SECONDS,
            local=found is None and not headers and is_loopback(address.base_url),
        )


def _key_hint(address: _Address) -> str:
    if address.own:
        return "Set OPENAI_API_KEY or remote.apiKey."
    return (
        "Set remote.apiKey for this address; a server without keys is reached with the "
        "provider openai-compatible."
    )
