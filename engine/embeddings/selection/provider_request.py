"""What a configuration asks for, as plain values: the input of provider selection."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from engine.net.auth_profiles import SecretPointer
from engine.net.credentials import KeySetting

if TYPE_CHECKING:
    from engine.config.resolved import ResolvedConfig

Mode = Literal["agent", "folder", "demo"]
AUTO = "auto"
NONE = "none"


@dataclass(frozen=True, slots=True)
class RemoteRequest:
    """``memorySearch.remote`` or one entry of ``models.providers``; secrets not in ``repr``.

    ``api`` names the wire shape of an entry; ``key_first`` is its ``auth: "api-key"``;
    ``model`` the one of its listed models that is used when none is named.
    """

    base_url: str = ""
    api_key: KeySetting = field(default=None, repr=False)
    headers: Mapping[str, KeySetting] = field(default_factory=dict, repr=False)
    api: str = ""
    key_first: bool = False
    model: str = ""


@dataclass(frozen=True, slots=True)
class ProviderRequest:
    """Everything that selection looks at, besides environment and clock.

    ``era`` is the era's name. ``entries`` are the ``models.providers``; ``auth_folders``
    the folders with auth profiles, the agent's own first, and ``state_dir`` the one around
    them. ``index_seconds`` is the configured limit of one indexing request, ``concurrency``
    how many may run at once, each None for the provider's own. ``local_context`` is in
    tokens, None for the model's own.
    """

    mode: Mode = "agent"
    era: str = "memlens"
    provider: str = AUTO
    model: str = ""
    fallback: str = NONE
    remote: RemoteRequest = RemoteRequest()
    local_model_path: str = ""
    local_cache_dir: str = ""
    local_context: int | None = 4096
    workspace: Path = Path()
    home: Path | None = None
    query_input_type: str | None = None
    document_input_type: str | None = None
    dimensions: int | None = None
    index_seconds: float | None = None
    concurrency: int | None = None
    entries: Mapping[str, RemoteRequest] = field(default_factory=dict)
    auth_folders: tuple[Path, ...] = ()
    state_dir: Path | None = None
    auth_order: Mapping[str, Sequence[str]] = field(default_factory=dict)


def request_of(config: ResolvedConfig) -> ProviderRequest:
    """The request that a resolved configuration makes."""
    search = config.memory_search
    remote = search.remote
    return ProviderRequest(
        mode=config.mode,
        era=config.era.name,
        provider=search.provider.strip() or AUTO,
        model=search.model.strip(),
        fallback=search.fallback.strip() or NONE,
        remote=RemoteRequest(
            (remote.base_url or "").strip(),
            _key_setting(remote.api_key),
            {name: _key_setting(value) for name, value in remote.headers.items()},
        ),
        local_model_path=(search.local.model_path or "").strip(),
        local_cache_dir=(search.local.model_cache_dir or "").strip(),
        local_context=None if search.local.context_size == "auto" else search.local.context_size,
        workspace=config.workspace,
        query_input_type=search.query_input_type or search.input_type,
        document_input_type=search.document_input_type or search.input_type,
        dimensions=search.output_dimensionality,
        index_seconds=search.sync.embedding_batch_timeout_seconds,
        concurrency=remote.non_batch_concurrency,
        entries=entries_of(config.model_providers),
        auth_folders=_auth_folders(config),
        state_dir=config.state_dir if config.mode == "agent" else None,
        auth_order=config.auth_order,
    )


def entries_of(providers: Mapping[str, Any]) -> dict[str, RemoteRequest]:
    """The entries of ``models.providers`` as written; what is no object is left out."""
    return {name: _entry(entry) for name, entry in providers.items() if isinstance(entry, dict)}


def _entry(entry: Mapping[str, Any]) -> RemoteRequest:
    headers = entry.get("headers")
    return RemoteRequest(
        _text(entry.get("baseUrl")),
        _key_setting(entry.get("apiKey")),
        {str(name): _key_setting(value) for name, value in headers.items()}
        if isinstance(headers, dict)
        else {},
        _text(entry.get("api")),
        entry.get("auth") == "api-key",
        _listed_model(entry.get("models")),
    )


def _listed_model(models: Any) -> str:
    """The only model of a list, or the first that is called an embedding model."""
    if not isinstance(models, list):
        return ""
    listed = [_text(model.get("id")) for model in models if isinstance(model, dict)]
    names = [name for name in listed if name]
    suited = names if len(names) == 1 else [name for name in names if "embed" in name.lower()]
    return suited[0] if suited else ""


def _text(value: Any) -> str:
    return value.strip() if isinstance(value, str) else ""


def _key_setting(value: Any) -> KeySetting:
    """A plain text stays; a secret reference (object or model) becomes a pointer."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, dict):
        source, name = value.get("source"), value.get("id")
    else:
        source, name = getattr(value, "source", None), getattr(value, "id", None)
    return SecretPointer(str(source), str(name)) if source and name else None


def _auth_folders(config: ResolvedConfig) -> tuple[Path, ...]:
    """The agent's own profile folder, then that of the main agent, which others inherit."""
    if config.mode != "agent":
        return ()
    agents = dict.fromkeys((config.agent_id, "main"))
    return tuple(config.state_dir / "agents" / agent / "agent" for agent in agents)
