"""Choosing the provider: the documented order, with a reason for every step of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from engine.embeddings.builtin.provider import BUILTIN_ID, BUILTIN_MODEL
from engine.embeddings.remote.settings import RemoteSettings
from engine.embeddings.selection.agent_view import AgentView, agent_has_key, agent_view
from engine.embeddings.selection.catalogue import AUTO_BY_KEY, KEY_VARIABLES, KNOWN, OPENAI
from engine.embeddings.selection.choice import ProviderChoice
from engine.embeddings.selection.endpoints import OPENAI_COMPATIBLE, EndpointFinder, NotReady
from engine.embeddings.selection.local_file import local_model_problem
from engine.embeddings.selection.provider_request import AUTO, NONE, ProviderRequest, RemoteRequest
from engine.net.auth_profiles import AuthProfiles, read_auth_profiles
from engine.net.credentials import KeyRing
from engine.status import PassedOver

LOCAL = "local"
_OPENAI_APIS = frozenset(
    {"", "openai", "openai-completions", "openai-responses", "openai-compatible"}
)


def select_provider(
    request: ProviderRequest, environ: Mapping[str, str], now_ms: float
) -> ProviderChoice:
    """Which provider to use for a request; sends nothing and never raises.

    Reads auth profiles only for an agent's configuration. In the demo and in a plain
    folder a key of the environment is no choice: only a named provider is used.
    ``now_ms`` is the time in milliseconds since the epoch, for logins that expire.
    """
    if request.home is None and environ.get("HOME"):
        request = replace(request, home=Path(environ["HOME"]))
    profiles = AuthProfiles()
    if request.mode == "agent":
        profiles = read_auth_profiles(request.auth_folders, request.auth_order)
    keys = KeyRing(environ, profiles, now_ms)
    selection = _Selection(request, keys)
    choice = selection.with_standby(selection.choose())
    view = agent_view(request, keys)
    return replace(
        choice,
        agent_provider=view.provider,
        agent_would=_sentence(view, choice),
        at_hand=_at_hand(choice, keys),
    )


@dataclass(frozen=True, slots=True)
class _Selection:
    """One run of the rules."""

    request: ProviderRequest
    keys: KeyRing

    def choose(self) -> ProviderChoice:
        """By mode first, then by what is named."""
        request = self.request
        if request.provider == NONE:
            return ProviderChoice(NONE, NONE, "", "Keywords only, as configured.")
        if request.mode == "demo":
            return self._builtin("The demo always uses the built-in model.", self._left_alone())
        if request.provider != AUTO:
            return self._named()
        if request.mode == "folder":
            reason = "A plain folder uses the built-in model unless a provider is named."
            return self._builtin(reason, self._left_alone())
        return self._in_order()

    def _in_order(self) -> ProviderChoice:
        passed = [PassedOver(LOCAL, self._local_reason())]
        for known in AUTO_BY_KEY:
            if known.id == OPENAI.id:
                found = self._finder().find(OPENAI.id)
                if isinstance(found, RemoteSettings):
                    return self._remote(found, "First usable one in the order.", passed)
                passed.append(PassedOver(OPENAI.id, found.reason))
            else:
                passed.append(PassedOver(known.id, self._hosted_reason(known.id)))
        reason = "None of the providers in the order can be used, so the built-in model is."
        return self._builtin(reason, passed)

    def _named(self) -> ProviderChoice:
        found = self._ready(self.request, self.request.provider)
        if not isinstance(found, NotReady):
            return self._taken(found, "Named in the configuration.")
        if self.request.fallback in (NONE, self.request.provider):
            return self._failed(found)
        return self._fallen_back(found)

    def with_standby(self, choice: ProviderChoice) -> ProviderChoice:
        """The choice with the configured fallback beside it, or with why there is none."""
        fallback = self._fallback
        if choice.settings is None or choice.fallback_from or fallback in (NONE, choice.provider):
            return choice
        found = self._ready_fallback()
        if isinstance(found, NotReady):
            passed = PassedOver(fallback, f"no use as fallback: {found.reason}")
            return replace(choice, passed_over=(*choice.passed_over, passed))
        return replace(choice, standby=self._taken(found, f"Fallback of {choice.provider}."))

    @property
    def _fallback(self) -> str:
        return BUILTIN_ID if self.request.fallback == AUTO else self.request.fallback

    def _ready_fallback(self) -> RemoteSettings | NotReady | None:
        """It uses its own address and model: ``remote`` belongs to the named provider."""
        fallback = self._fallback
        own = replace(
            self.request, provider=fallback, model="", dimensions=None, remote=RemoteRequest()
        )
        return self._ready(own, fallback)

    def _fallen_back(self, first: NotReady) -> ProviderChoice:
        request, fallback = self.request, self._fallback
        second = self._ready_fallback()
        if isinstance(second, NotReady):
            both = f"{first.reason}; the fallback {fallback}: {second.reason}"
            return self._failed(NotReady(both, first.hint))
        choice = self._taken(second, f"Fallback, because {request.provider}: {first.reason}.")
        return replace(choice, fallback_from=request.provider, error=first.reason, hint=first.hint)

    def _ready(self, request: ProviderRequest, provider: str) -> RemoteSettings | NotReady | None:
        """Settings of a remote provider, None for the built-in one, or why not."""
        if provider == BUILTIN_ID:
            return None
        if provider in (OPENAI.id, OPENAI_COMPATIBLE):
            return EndpointFinder(request, self.keys).find(provider)
        if provider == LOCAL:
            return NotReady(self._local_reason(), "Choose builtin, which needs no model file.")
        if provider in KNOWN:
            return NotReady(_no_adapter(provider), "Choose builtin, openai or openai-compatible.")
        entry = request.entries.get(provider)
        if entry is None:
            return NotReady(
                f"{provider!r} is neither a provider nor an entry of models.providers",
                "Choose builtin, openai, openai-compatible or none.",
            )
        if entry.api not in _OPENAI_APIS:
            return NotReady(
                f"models.providers.{provider} speaks {entry.api!r}, which has no adapter here",
                "Use an entry whose api is openai-completions.",
            )
        return EndpointFinder(request, self.keys).find(provider)

    def _taken(self, found: RemoteSettings | None, reason: str) -> ProviderChoice:
        if found is not None:
            return self._remote(found, reason, ())
        return self._builtin(reason, self._left_alone() if self.request.mode == "folder" else ())

    def _builtin(
        self, reason: str, passed: list[PassedOver] | tuple[PassedOver, ...]
    ) -> ProviderChoice:
        requested = self.request.provider
        return ProviderChoice(requested, BUILTIN_ID, BUILTIN_MODEL, reason, tuple(passed))

    def _remote(
        self,
        settings: RemoteSettings,
        reason: str,
        passed: list[PassedOver] | tuple[PassedOver, ...],
    ) -> ProviderChoice:
        return ProviderChoice(
            self.request.provider,
            settings.provider,
            settings.wire.model,
            reason,
            tuple(passed),
            key_source=settings.key_source,
            remote=not settings.local,
            settings=settings,
        )

    def _failed(self, problem: NotReady) -> ProviderChoice:
        requested = self.request.provider
        return ProviderChoice(
            requested,
            NONE,
            "",
            f"{requested} was named but cannot be used, so search is by keywords only.",
            error=problem.reason,
            hint=problem.hint,
        )

    def _finder(self) -> EndpointFinder:
        return EndpointFinder(self.request, self.keys)

    def _local_reason(self) -> str:
        request = self.request
        path = request.local_model_path
        problem = local_model_problem(path, request.workspace, request.home)
        return problem or f"the model file is there, but {_no_adapter(LOCAL)}"

    def _hosted_reason(self, provider: str) -> str:
        found = agent_has_key(self.request, self.keys, provider)
        if found is not None:
            return f"there is a key from {found.source}, but {_no_adapter(provider)}"
        variables = KNOWN[provider].variables_in(self.request.era)
        return f"no key: {' and '.join(variables)} not set, nor any other source"

    def _left_alone(self) -> list[PassedOver]:
        """Providers whose key lies in the environment, which nobody chose."""
        return [
            PassedOver(provider, f"{name} is set in the environment, which is no choice here")
            for provider, name in KEY_VARIABLES
            if self.keys.at_hand((name,))
        ]


def _no_adapter(provider: str) -> str:
    return f"this version has no adapter for {provider} yet"


def _at_hand(choice: ProviderChoice, keys: KeyRing) -> tuple[str, ...]:
    """Names of variables with a key of another provider than the chosen one."""
    others = [name for provider, name in KEY_VARIABLES if provider != choice.provider]
    return tuple(keys.at_hand(tuple(others)))


def _sentence(view: AgentView, choice: ProviderChoice) -> str:
    """The agent's view, unless it is the same as ours, which needs no second sentence."""
    if view.provider == choice.provider != NONE:
        return f"The agent itself would use {view.provider} as well."
    return view.sentence
