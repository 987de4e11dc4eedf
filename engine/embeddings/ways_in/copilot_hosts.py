"""Which hosts a GitHub login may be sent to, and which of them speak for Copilot."""

from __future__ import annotations

from urllib.parse import urlsplit

from engine.errors import ProviderError
from engine.net.host_guard import checked_base_url, is_loopback, same_origin

GITHUB_API = "https://api.github.com"
USUAL = "https://api.individual.githubcopilot.com"
OWN_HOSTS = ("githubcopilot.com",)


def github_api_address(base_url: str) -> str:
    """GitHub's API out of a plain web address; other addresses as they are."""
    written = base_url.strip().rstrip("/")
    try:
        host = urlsplit(written).hostname or ""
    except ValueError:
        return written
    if host == "github.com" or (host.endswith(".ghe.com") and host.count(".") == 2):
        return f"https://api.{host}"
    return written


def speaks_for_copilot(base_url: str) -> bool:
    """True for an address of Copilot itself; any other one is GitHub's API, which names it."""
    host = urlsplit(base_url).hostname or ""
    return host.startswith("copilot-api.") or _own(host)


def checked_copilot_address(named: str, github_api: str) -> str:
    """The address that GitHub named for Copilot. Raises ProviderError for a foreign host.

    Allowed are Copilot's own hosts, ``copilot-api.`` of the enterprise that was asked,
    and for a stand-in on this machine that stand-in.
    """
    address = checked_base_url(named, "the address that GitHub names for Copilot")
    host = urlsplit(address).hostname or ""
    domain = (urlsplit(github_api).hostname or "").removeprefix("api.")
    own = _own(host) or (bool(domain) and host == f"copilot-api.{domain}")
    if own and address.startswith("https:"):
        return address
    if is_loopback(github_api) and same_origin(address, github_api):
        return address
    raise ProviderError(
        "Foreign host",
        f"GitHub names {host} for Copilot, which is none of its own hosts; nothing was sent there.",
        "Set remote.baseUrl to the address that is meant, with remote.apiKey.",
    )


def _own(host: str) -> bool:
    return any(host == end or host.endswith(f".{end}") for end in OWN_HOSTS)
