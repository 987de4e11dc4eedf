"""How a request is let in: the address, the model's name there, and what proves who asks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from engine.net.messages import Cancelled, HttpRequest, HttpResponse

if TYPE_CHECKING:
    from engine.embeddings.remote.failures import Explained
    from engine.embeddings.remote.settings import RemoteSettings
    from engine.net.client import HttpClient

_JSON = {"content-type": "application/json", "accept": "application/json"}


@dataclass(frozen=True, slots=True)
class Entrance:
    """Where requests go now; the headers hold secrets and stay out of ``repr``."""

    base_url: str
    model: str
    headers: Mapping[str, str] = field(repr=False)


class Access(Protocol):
    """Opens an endpoint; thread-safe, and remembers what it found out."""

    def open(self, client: HttpClient, cancelled: Cancelled) -> Entrance:
        """The entrance; may ask the host the first time. Raises ProviderError, CancelledError."""
        ...

    def signed(self, request: HttpRequest) -> HttpRequest:
        """The request with whatever depends on its body."""
        ...

    def forget(self, response: HttpResponse) -> bool:
        """After a refusal: True when opening anew may help."""
        ...

    def explained(self, response: HttpResponse) -> Explained | None:
        """What a refusal means here; None where its status says all there is to say."""
        ...


class KeyAccess:
    """A fixed address; the key travels in the header of the settings."""

    def __init__(self, settings: RemoteSettings) -> None:
        self._entrance = Entrance(settings.base_url, settings.model, _headers(settings))

    def open(self, client: HttpClient, cancelled: Cancelled) -> Entrance:
        """What the settings say; nothing is sent."""
        return self._entrance

    def signed(self, request: HttpRequest) -> HttpRequest:
        """Unchanged."""
        return request

    def forget(self, response: HttpResponse) -> bool:
        """There is nothing else to try."""
        return False

    def explained(self, response: HttpResponse) -> Explained | None:
        """Nothing is known of this service beyond the status."""
        return None


def _headers(settings: RemoteSettings) -> Mapping[str, str]:
    """Ours, and over them those of the configuration; one that lets in stands for the key."""
    own = {name.lower(): value for name, value in settings.headers.items()}
    headers, header = dict(_JSON), settings.key_header
    if settings.key is not None and not own.keys() & {"authorization", header}:
        key = settings.key.reveal()
        headers[header] = f"Bearer {key}" if header == "authorization" else key
    return headers | own
