"""The agent's stored logins: ``agents/<id>/agent/auth-profiles.json``, only ever read."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from engine.net.secret import Secret

Kind = Literal["oauth", "token", "api_key"]
FILE_NAME = "auth-profiles.json"
_KINDS: Mapping[str, tuple[Kind, tuple[str, ...], str]] = {
    "oauth": ("oauth", ("access",), ""),
    "token": ("token", ("token",), "tokenRef"),
    "api_key": ("api_key", ("key", "apiKey"), "keyRef"),
}
_RANK: Mapping[Kind, int] = {"oauth": 0, "token": 1, "api_key": 2}
_MOST_BYTES = 4 * 1024 * 1024


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
    """All profiles, the stored order by provider, and files that could not be read."""

    profiles: tuple[AuthProfile, ...] = ()
    order: Mapping[str, Sequence[str]] = field(default_factory=dict)
    unreadable: tuple[str, ...] = ()

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


def read_auth_profiles(
    folders: Sequence[Path], config_order: Mapping[str, Sequence[str]] | None = None
) -> AuthProfiles:
    """Read the profile files of several agent folders; an earlier folder wins by name.

    Missing files are normal; a broken one is listed in ``unreadable`` by its name only.
    """
    profiles: dict[str, AuthProfile] = {}
    order: dict[str, Sequence[str]] = dict(config_order or {})
    unreadable: list[str] = []
    for folder in folders:
        path = folder / FILE_NAME
        try:
            stored = _load(path)
        except FileNotFoundError:
            continue
        except (OSError, ValueError, RecursionError):
            unreadable.append(path.name)
            continue
        for profile in _profiles(stored):
            profiles.setdefault(profile.name, profile)
        order.update(_order(stored))
    return AuthProfiles(tuple(profiles.values()), order, tuple(unreadable))


def _load(path: Path) -> Mapping[str, Any]:
    with path.open("rb") as file:
        data = file.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise ValueError("too large")
    return _mapping(json.loads(data))


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
