"""The agent's stored logins as plain values, and which of them is tried first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from engine.net.secret import Secret

Kind = Literal["oauth", "token", "api_key"]
_KINDS: Mapping[str, tuple[Kind, tuple[str, ...], str]] = {
    "oauth": ("oauth", ("access",), ""),
    "token": ("token", ("token",), "tokenRef"),
    "api_key": ("api_key", ("key", "apiKey"), "keyRef"),
}
_RANK: Mapping[Kind, int] = {"oauth": 0, "token": 1, "api_key": 2}


@dataclass(frozen=True, slots=True)
class SecretPointer:
    """Where a secret lies instead of in the file: source "env", "file", "exec", and its name."""

    source: str
    name: str


@dataclass(frozen=True, slots=True)
class AuthProfile:
    """One stored login. Times are milliseconds since the epoch; 0 is never."""

    name: str
    provider: str
    kind: Kind
    value: Secret | SecretPointer
    expires_ms: float = 0.0
    last_used_ms: float = 0.0
    cooldown_until_ms: float = 0.0


@dataclass(frozen=True, slots=True)
class AuthProfiles:
    """All profiles, the stored order by provider, and files that were not read, by their names.

    ``unreadable`` ones are broken, ``superseded`` ones are no longer looked at by the release.
    """

    profiles: tuple[AuthProfile, ...] = ()
    order: Mapping[str, Sequence[str]] = field(default_factory=dict)
    unreadable: tuple[str, ...] = ()
    superseded: tuple[str, ...] = ()

    def usable(self, provider: str, now_ms: float) -> list[AuthProfile]:
        """The profiles of a provider that may be tried, best first; expired ones are left out.

        A stored order rules; else oauth before token before api_key, then the one that
        was used longest ago. Profiles in cool-down come last.
        """
        stored = list(self.order.get(provider, ()))
        fit = [p for p in self.profiles if p.provider == provider and not _expired(p, now_ms)]
        if stored:
            fit = [p for p in fit if p.name in stored]

        def place(profile: AuthProfile) -> tuple[bool, int, int, float]:
            cooling = profile.cooldown_until_ms > now_ms
            listed = stored.index(profile.name) if stored else 0
            return cooling, listed, _RANK[profile.kind], profile.last_used_ms

        return sorted(fit, key=place)

    def expired(self, provider: str, now_ms: float) -> list[str]:
        """Names of the provider's profiles whose time is over."""
        return [p.name for p in self.profiles if p.provider == provider and _expired(p, now_ms)]


def merged(
    stores: Sequence[Mapping[str, Any]], config_order: Mapping[str, Sequence[str]]
) -> AuthProfiles:
    """The profiles of several stores; an earlier store wins by name, a later one by order."""
    profiles: dict[str, AuthProfile] = {}
    order: dict[str, Sequence[str]] = dict(config_order)
    for stored in stores:
        for profile in _profiles(stored):
            profiles.setdefault(profile.name, profile)
        order.update(_order(stored))
    return AuthProfiles(tuple(profiles.values()), order)


def _profiles(stored: Mapping[str, Any]) -> list[AuthProfile]:
    usage = _mapping(stored.get("usageStats"))
    entries = _mapping(stored.get("profiles")).items()
    found = (_profile(name, _mapping(entry), _mapping(usage.get(name))) for name, entry in entries)
    return [profile for profile in found if profile is not None]


def _profile(name: str, entry: Mapping[str, Any], usage: Mapping[str, Any]) -> AuthProfile | None:
    kind = _KINDS.get(str(entry.get("type") or entry.get("mode")))
    if kind is None:
        return None
    named, fields, pointer = kind
    value = next((entry[f] for f in fields if isinstance(entry.get(f), str)), "").strip()
    target = _pointer(entry.get(pointer)) if pointer else None
    if target is None and not value:
        return None
    return AuthProfile(
        name,
        str(entry.get("provider", "")),
        named,
        target or Secret(value),
        _time(entry.get("expires")),
        _time(usage.get("lastUsed")),
        _time(usage.get("cooldownUntil")),
    )


def _pointer(value: Any) -> SecretPointer | None:
    reference = _mapping(value)
    if "source" not in reference or "id" not in reference:
        return None
    return SecretPointer(str(reference["source"]), str(reference["id"]))


def _order(stored: Mapping[str, Any]) -> dict[str, Sequence[str]]:
    order = _mapping(stored.get("order"))
    return {k: [str(name) for name in v] for k, v in order.items() if isinstance(v, list)}


def _expired(profile: AuthProfile, now_ms: float) -> bool:
    return profile.kind != "api_key" and 0 < profile.expires_ms <= now_ms


def _time(value: Any) -> float:
    return float(value) if isinstance(value, int | float) else 0.0


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
