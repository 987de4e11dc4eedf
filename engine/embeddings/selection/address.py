"""The base address of a provider, and whose keys may go there."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from engine.embeddings.selection.provider_request import ProviderRequest
from engine.embeddings.selection.wanted import Wanted
from engine.net.host_guard import checked_base_url, same_origin


@dataclass(frozen=True, slots=True)
class Address:
    """A checked base address.

    ``at_home`` says that it is the provider's own host; ``own`` that keys of profiles and
    of the environment may go there, ``entry`` that those of ``models.providers`` may.
    """

    base_url: str
    at_home: bool
    own: bool
    entry: bool


def address_of(wanted: Wanted, request: ProviderRequest) -> Address | None:
    """``remote.baseUrl``, else the entry's, else the provider's own; None when there is none.

    Raises ProviderError for an address that cannot be used.
    """
    remote = request.remote.base_url
    written = remote or wanted.entry.base_url or wanted.home
    if not written:
        return Address("", True, True, True) if wanted.known.placeless else None
    setting = "remote.baseUrl" if remote else f"models.providers.{wanted.entry_name}.baseUrl"
    base_url = checked_base_url(wanted.known.mended(written), setting)
    entry_home = wanted.entry.base_url or wanted.home
    homes = [url for url in (wanted.entry.base_url, wanted.home) if url]
    return Address(
        base_url,
        at_home=bool(wanted.known.base_url) and same_origin(base_url, wanted.known.base_url),
        own=any(same_origin(base_url, home) for home in homes) or _hosted(base_url, wanted),
        entry=bool(entry_home) and same_origin(base_url, entry_home),
    )


def _hosted(base_url: str, wanted: Wanted) -> bool:
    """True on one of the provider's further hosts; an entry's id has none."""
    if wanted.id != wanted.known.id or not base_url.startswith("https:"):
        return False
    host = urlsplit(base_url).hostname or ""
    listed = any(host == end or host.endswith(f".{end}") for end in wanted.known.hosts)
    return listed or wanted.known.own_host(host)
