"""Choosing the provider: the documented order, with a reason for every step of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from engine.embeddings.builtin.provider import BUILTIN_ID, BUILTIN_MODEL
from engine.embeddings.selection.agent_view import AgentView, agent_view
from engine.embeddings.selection.catalogue import AUTO_BY_KEY, KEY_VARIABLES, LOCAL, LOCAL_IDS
from engine.embeddings.selection.choice import ProviderChoice
from engine.embeddings.selection.endpoints import EndpointFinder
from engine.embeddings.selection.local_model import local_model
from engine.embeddings.selection.plugins import plugin_settings
from engine.embeddings.selection.provider_request import AUTO, NONE, ProviderRequest, RemoteRequest
from engine.embeddings.selection.ready import NotReady, Ready
from engine.net.auth_profiles import AuthProfiles
from engine.net.auth_stores import read_auth_profiles
from engine.net.credentials import KeyRing
from engine.status import PassedOver

FOLDER = "A plain folder uses the built-in model unless a provider is named."


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
        profiles = read_auth_profiles(
            request.auth_folders, request.auth_order, era=request.era, state_dir=request.state_dir
        )
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
            return self._builtin(FOLDER, self._left_alone())
        return self._in_order()

    def _in_order(self) -> ProviderChoice:
        passed: list[PassedOver] = []
        for provider in (LOCAL, *(known.id for known in AUTO_BY_KEY)):
            found = (
                local_model(self.request, named=False)
                if provider == LOCAL
                else self._endpoint(provider)
            )
            if not isinstance(found, NotReady):
                return self._made(found, "First usable one in the order.", passed)
            passed.append(PassedOver(provider, found.reason))
        reason = "None of the providers in the order can be used, so the built-in model is."
        return self._builtin(reason, passed)

    def _named(self) -> ProviderChoice:
        found = self.ready(self.request.provider)
        if not isinstance(found, NotReady):
            plain_folder = self.request.mode == "folder" and self.request.provider == BUILTIN_ID
            return self._taken(found, FOLDER if plain_folder else "Named in the configuration.")
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

    def _ready_fallback(self) -> Ready | NotReady | None:
        """It uses its own address, model and types: what is written is the named provider's."""
        own = replace(
            self.request,
            provider=self._fallback,
            model="",
            dimensions=None,
            remote=RemoteRequest(),
            query_input_type=None,
            document_input_type=None,
        )
        return replace(self, request=own).ready(self._fallback)

    def _fallen_back(self, first: NotReady) -> ProviderChoice:
        request, fallback = self.request, self._fallback
        second = self._ready_fallback()
        if isinstance(second, NotReady):
            both = f"{request.provider}: {first.reason}; the fallback {fallback}: {second.reason}"
            return self._failed(NotReady(both, first.hint))
        choice = self._taken(second, f"Fallback, because {request.provider}: {first.reason}.")
        return replace(choice, fallback_from=request.provider, error=first.reason, hint=first.hint)

    def ready(self, provider: str) -> Ready | NotReady | None:
        """What a provider is made of, None for the built-in one, or why it cannot be used."""
        if provider == BUILTIN_ID:
            return None
        if provider in LOCAL_IDS:
            return local_model(self.request, named=True)
        return self._endpoint(provider)

    def _endpoint(self, provider: str) -> Ready | NotReady:
        plugin = plugin_settings(self.request, self.keys, provider)
        if plugin is not None:
            return plugin
        return EndpointFinder(self.request, self.keys).find(provider)

    def _taken(self, found: Ready | None, reason: str) -> ProviderChoice:
        if found is not None:
            return self._made(found, reason, ())
        return self._builtin(reason, self._left_alone() if self.request.mode == "folder" else ())

    def _builtin(self, reason: str, passed: Sequence[PassedOver]) -> ProviderChoice:
        requested = self.request.provider
        return ProviderChoice(requested, BUILTIN_ID, BUILTIN_MODEL, reason, tuple(passed))

    def _made(self, found: Ready, reason: str, passed: Sequence[PassedOver]) -> ProviderChoice:
        return ProviderChoice(
            self.request.provider,
            found.provider,
            found.model,
            " ".join(filter(None, (reason, found.note))),
            tuple(passed),
            key_source=found.key_source,
            remote=found.remote,
            settings=found,
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

    def _left_alone(self) -> list[PassedOver]:
        """Providers whose key lies in the environment, which nobody chose."""
        return [
            PassedOver(provider, f"{name} is set in the environment, which is no choice here")
            for provider, name in KEY_VARIABLES
            if self.keys.at_hand((name,))
        ]


def _at_hand(choice: ProviderChoice, keys: KeyRing) -> tuple[str, ...]:
    """Names of variables with a key of another provider than the chosen one."""
    others = [name for provider, name in KEY_VARIABLES if provider != choice.provider]
    return tuple(keys.at_hand(tuple(others)))


def _sentence(view: AgentView, choice: ProviderChoice) -> str:
    """The agent's view, unless it is the same as ours, which needs no second sentence."""
    if view.provider == choice.provider != NONE:
        return f"The agent itself would use {view.provider} as well."
    return view.sentence
