"""Which key goes to which host: four sources in a fixed order, and a host rule above them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from engine.net.auth_profiles import AuthProfiles, SecretPointer
from engine.net.secret import Secret

KeySetting = str | SecretPointer | None
"""A key as configured: plain, ``${VARIABLE}``, the name of a known variable, or a pointer."""

KNOWN_VARIABLES = frozenset(
    {
        "OPENAI_API_KEY",
        "GEMINI_API_KEY",
        "GOOGLE_API_KEY",
        "VOYAGE_API_KEY",
        "MISTRAL_API_KEY",
        "OLLAMA_API_KEY",
        "DEEPINFRA_API_KEY",
        "COPILOT_GITHUB_TOKEN",
    }
)
_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")


@dataclass(frozen=True, slots=True)
class FoundKey:
    """A key and where it came from, in words that hold no part of it.

    ``bearer`` says that it was the token of a JSON key, which travels as a bearer at any host.
    """

    secret: Secret
    source: str
    bearer: bool = False


@dataclass(frozen=True, slots=True)
class NoKey:
    """Why there is none, one plain clause for each source that was looked at."""

    reasons: tuple[str, ...]

    @property
    def reason(self) -> str:
        """All reasons as one clause."""
        return "; ".join(self.reasons)


@dataclass(frozen=True, slots=True)
class KeyQuestion:
    """For whom a key is looked for.

    ``auth_id`` names the provider in auth profiles. ``own_host`` says that the request
    goes to the provider's own address: profiles and the environment are asked only
    then. ``entry_host`` says the same of the key in ``models.providers``; that key
    goes first with ``entry_first`` (its ``auth`` is "api-key").
    """

    auth_id: str
    variables: tuple[str, ...]
    remote_key: KeySetting = None
    entry_name: str = ""
    entry_key: KeySetting = None
    own_host: bool = True
    entry_host: bool = True
    entry_first: bool = False


class KeyRing:
    """Looks keys up in the environment and the agent's profiles; both only read."""

    def __init__(self, environ: Mapping[str, str], profiles: AuthProfiles, now_ms: float) -> None:
        self._environ = environ
        self._profiles = profiles
        self._now_ms = now_ms

    def find(self, question: KeyQuestion) -> FoundKey | NoKey:
        """The first key in order: remote.apiKey, profiles, environment, models.providers.

        Keys that belong to another host are not looked at; the reasons say so.
        """
        reasons: list[str] = []
        for source in self._sources(question):
            found = source()
            if isinstance(found, FoundKey):
                return found
            reasons += found.reasons
        return NoKey(tuple(reasons))

    @property
    def environ(self) -> Mapping[str, str]:
        """The environment, for the settings in it that are no keys."""
        return self._environ

    def handed_on(self, variables: tuple[str, ...]) -> dict[str, Secret]:
        """The values of those variables that are set."""
        return {name: Secret(self._environ[name].strip()) for name in self.at_hand(variables)}

    def at_hand(self, variables: tuple[str, ...]) -> list[str]:
        """Which of the variables are set, by name."""
        return [name for name in variables if self._environ.get(name, "").strip()]

    def read(self, setting: KeySetting, name: str) -> FoundKey | NoKey:
        """A key that a configuration writes under ``name``."""
        value = self._value(setting, name)
        return _sendable(value) if isinstance(value, FoundKey) else value

    def read_header(self, setting: KeySetting, name: str) -> str | NoKey:
        """The value of an extra header that a configuration writes under ``name``."""
        value = self._value(setting, name)
        if isinstance(value, NoKey):
            return value
        text = value.secret.reveal()
        if not (text.isascii() and text.isprintable()):
            return NoKey((f"{name} holds characters that cannot be sent",))
        return text

    def _sources(self, question: KeyQuestion) -> Iterator[Callable[[], FoundKey | NoKey]]:
        yield lambda: self.read(question.remote_key, "remote.apiKey")
        entry = self._entry_source(question)
        if question.entry_first:
            yield entry
        if question.own_host:
            yield lambda: self._profile(question.auth_id)
            yield lambda: self._variable(question.variables)
        else:
            yield lambda: NoKey(
                ("keys of the environment and of auth profiles belong to another host",)
            )
        if not question.entry_first:
            yield entry

    def _entry_source(self, question: KeyQuestion) -> Callable[[], FoundKey | NoKey]:
        name = f"models.providers.{question.entry_name}.apiKey"
        if not question.entry_name:
            return lambda: NoKey(())
        if not question.entry_host:
            return lambda: NoKey((f"{name} belongs to another host",))
        return lambda: self.read(question.entry_key, name)

    def _profile(self, auth_id: str) -> FoundKey | NoKey:
        for profile in self._profiles.usable(auth_id, self._now_ms):
            name = f"auth profile {profile.name}"
            value = profile.value
            found = (
                FoundKey(value, name) if isinstance(value, Secret) else self._follow(value, name)
            )
            usable = _sendable(found) if isinstance(found, FoundKey) else found
            if isinstance(usable, FoundKey):
                return usable
        expired = self._profiles.expired(auth_id, self._now_ms)
        if expired:
            return NoKey((f"auth profile {expired[0]} has expired",))
        reasons = [f"no auth profile for {auth_id}"]
        reasons += [f"{name} cannot be read" for name in self._profiles.unreadable]
        reasons += [f"{name} counts no longer" for name in self._profiles.superseded]
        return NoKey(tuple(reasons))

    def _variable(self, variables: tuple[str, ...]) -> FoundKey | NoKey:
        for name in self.at_hand(variables):
            value = Secret(self._environ[name].strip())
            return _sendable(FoundKey(value, f"environment variable {name}"))
        return NoKey(tuple(f"{name} is not set" for name in variables))

    def _value(self, setting: KeySetting, name: str) -> FoundKey | NoKey:
        if setting is None or setting == "":
            return NoKey((f"{name} is not set",))
        if isinstance(setting, SecretPointer):
            return self._follow(setting, name)
        return self._expand(setting.strip(), name)

    def _expand(self, setting: str, name: str) -> FoundKey | NoKey:
        if setting in KNOWN_VARIABLES:
            setting = f"${{{setting}}}"
        variables = _VARIABLE.findall(setting)
        missing = [v for v in variables if not self._environ.get(v, "").strip()]
        if missing:
            return NoKey((f"{name} names the variable {missing[0]}, which is not set",))
        value = _VARIABLE.sub(lambda match: self._environ[match[1]].strip(), setting)
        if "${" in value:
            return NoKey((f"{name} holds a reference that is no variable's name",))
        source = f"{name} (variable {variables[0]})" if variables else name
        return FoundKey(Secret(value), source)

    def _follow(self, pointer: SecretPointer, name: str) -> FoundKey | NoKey:
        if pointer.source != "env":
            return NoKey((f"{name} points to a secret of kind {pointer.source!r}, not read here",))
        value = self._environ.get(pointer.name, "").strip()
        if not value:
            return NoKey((f"{name} points to the variable {pointer.name}, which is not set",))
        return FoundKey(Secret(value), f"{name} (variable {pointer.name})")


def _sendable(found: FoundKey) -> FoundKey | NoKey:
    if found.secret.reveal().startswith("{"):
        return _token(found)
    if not found.secret.sendable:
        return NoKey((f"the key from {found.source} holds characters that cannot be sent",))
    return found


def _token(found: FoundKey) -> FoundKey | NoKey:
    """The token of a key that is a JSON object, as some logins write it."""
    import json

    try:
        token = json.loads(found.secret.reveal()).get("token")
    except (ValueError, RecursionError):
        token = None
    if not isinstance(token, str) or not Secret(token.strip()).sendable:
        return NoKey((f"the key from {found.source} is no JSON object with a token",))
    return FoundKey(Secret(token.strip()), found.source, bearer=True)
