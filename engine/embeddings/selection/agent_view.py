"""What the agent itself would do with a configuration, which memlens may do differently."""

from __future__ import annotations

from dataclasses import dataclass

from engine.embeddings.selection.catalogue import (
    AUTO_BY_KEY,
    COMPATIBLE,
    KNOWN,
    LOCAL,
    LOCAL_IDS,
    OPENAI,
)
from engine.embeddings.selection.known_provider import EARLY_ERAS
from engine.embeddings.selection.local_file import local_model_problem
from engine.embeddings.selection.provider_request import AUTO, NONE, ProviderRequest, RemoteRequest
from engine.net.credentials import FoundKey, KeyQuestion, KeyRing
from engine.net.host_guard import same_origin

_STRICT_HOSTS = frozenset({"2026.9"})
"""Eras in which keys of the environment stay away from a foreign ``remote.baseUrl``."""


@dataclass(frozen=True, slots=True)
class AgentView:
    """The provider id, "none" for keywords only, and a sentence."""

    provider: str
    sentence: str


def agent_view(request: ProviderRequest, keys: KeyRing) -> AgentView:
    """The agent's own choice, by its era's rules and its own key sources."""
    if request.mode != "agent":
        return AgentView(NONE, "No agent is involved: this is no agent's configuration.")
    if request.provider == NONE:
        return AgentView(NONE, "The agent itself would search by keywords only, on purpose.")
    if request.provider == AUTO:
        return _unnamed(request, keys)
    return _named(request, keys)


def agent_has_key(request: ProviderRequest, keys: KeyRing, provider: str) -> FoundKey | None:
    """The key that the agent would use for one of the known hosted providers."""
    known = KNOWN[provider]
    entry = request.entries.get(known.auth_id, RemoteRequest())
    base = request.remote.base_url
    home = entry.base_url or known.base_url
    foreign = bool(base) and request.era in _STRICT_HOSTS and not _same(base, home)
    found = keys.find(
        KeyQuestion(
            known.auth_id,
            known.variables_in(request.era),
            remote_key=request.remote.api_key,
            entry_name=known.auth_id if entry.api_key is not None else "",
            entry_key=entry.api_key,
            own_host=not foreign,
            entry_host=not foreign,
            entry_first=entry.key_first,
        )
    )
    return found if isinstance(found, FoundKey) else None


def _unnamed(request: ProviderRequest, keys: KeyRing) -> AgentView:
    if request.era not in EARLY_ERAS and request.era != "memlens":
        if agent_has_key(request, keys, OPENAI.id):
            return _uses(OPENAI.id, "which it takes when none is named")
        return _keywords("openai, its default, has no key")
    path = request.local_model_path
    if local_model_problem(path, request.workspace, request.home) is None:
        return _uses(LOCAL, "the first usable one in its order")
    for known in AUTO_BY_KEY:
        if agent_has_key(request, keys, known.id):
            return _uses(known.id, "the first usable one in its order")
    return _keywords("no provider in its order has a key or a model file")


def _named(request: ProviderRequest, keys: KeyRing) -> AgentView:
    provider = request.provider
    if _usable(request, keys, provider):
        return _uses(provider, "as named")
    fallback = request.fallback
    if fallback not in (NONE, provider) and _usable(request, keys, fallback):
        return _uses(fallback, f"the fallback, because {provider} has no key")
    if request.era in EARLY_ERAS or request.era == "memlens":
        return _keywords(f"{provider} has no key")
    return AgentView(
        NONE, f"The agent itself would call its search unavailable: {provider} has no key."
    )


def _usable(request: ProviderRequest, keys: KeyRing, provider: str) -> bool:
    if provider in LOCAL_IDS or provider in request.entries:
        return True
    if provider == COMPATIBLE.id:
        return bool(request.model and request.remote.base_url)
    if provider not in KNOWN:
        return False
    needed = KNOWN[provider].key == "required"
    return not needed or agent_has_key(request, keys, provider) is not None


def _uses(provider: str, why: str) -> AgentView:
    return AgentView(provider, f"The agent itself would use {provider}, {why}.")


def _keywords(why: str) -> AgentView:
    return AgentView(NONE, f"The agent itself would search by keywords only: {why}.")


def _same(one: str, other: str) -> bool:
    try:
        return bool(other) and same_origin(one, other)
    except ValueError:
        return False
