"""Which host a request goes to: addresses are checked, keys stay with their own host."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import SplitResult, parse_qsl, urlencode, urlsplit, urlunsplit

from engine.errors import ProviderError

_PORTS = {"http": 80, "https": 443}
_SECRET_WORDS = ("key", "token", "secret", "password", "signature", "sig", "auth", "cookie")


def checked_base_url(url: str, setting: str) -> str:
    """A base address without trailing slash and fragment. Raises ProviderError.

    ``setting`` names where the address came from. User names and passwords inside
    an address are refused: they would end up in logs and in the index.
    """
    try:
        parts = urlsplit(url.strip())
        usable = parts.scheme in _PORTS and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable, parts = False, SplitResult("", "", "", "", "")
    if not usable:
        raise ProviderError(
            "Address cannot be used",
            f"{setting} is not an http or https address with a host.",
            f"Write {setting} as https://host/v1.",
        )
    if "@" in parts.netloc:
        raise ProviderError(
            "Address holds a password",
            f"{setting} holds a user name or password before the host name.",
            "Put credentials into remote.apiKey or remote.headers.",
        )
    path = parts.path.rstrip("/")
    return urlunsplit((parts.scheme, parts.netloc.lower(), path, parts.query, ""))


def joined(base_url: str, path: str) -> str:
    """The address of an endpoint below a checked base address; a query string is kept."""
    parts = urlsplit(base_url)
    return urlunsplit(parts._replace(path=f"{parts.path.rstrip('/')}/{path.lstrip('/')}"))


def origin(url: str) -> str:
    """Scheme, host and port, the port always written out."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.hostname}:{parts.port or _PORTS.get(parts.scheme, 0)}"


def same_origin(one: str, other: str) -> bool:
    """True when both addresses name the same scheme, host and port."""
    return origin(one) == origin(other)


def is_loopback(url: str) -> bool:
    """True when the address stays on this machine."""
    host = urlsplit(url).hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    from ipaddress import ip_address

    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def is_secret_name(name: str) -> bool:
    """True for the name of a header or query field that may hold a credential."""
    lowered = name.lower()
    return any(word in lowered for word in _SECRET_WORDS)


def secrets_in(headers: Mapping[str, str]) -> list[str]:
    """The values that no error may repeat: whole, and without the scheme before them."""
    values = [value for name, value in headers.items() if is_secret_name(name)]
    return [*values, *(value.rpartition(" ")[2] for value in values if " " in value)]


def without_secrets(url: str) -> str:
    """The address with query fields that may hold a credential left out."""
    parts = urlsplit(url)
    kept = [(k, v) for k, v in parse_qsl(parts.query, True) if not is_secret_name(k)]
    return urlunsplit(parts._replace(query=urlencode(kept)))
