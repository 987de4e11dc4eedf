"""Bedrock's way in: a bearer key of its own, or requests signed with keys of AWS."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from engine.embeddings.remote.access import Access, Entrance, KeyAccess
from engine.embeddings.shapes.bedrock.models import arn_region
from engine.embeddings.ways_in.aws_keys import KeySource, keys_in
from engine.embeddings.ways_in.aws_region import USUAL, environment_region, host_region
from engine.embeddings.ways_in.bedrock_refusals import (
    EXPIRED,
    Asked,
    error_type,
    signed_too_long_ago,
)
from engine.errors import ProviderError
from engine.net.host_guard import origin
from engine.net.messages import Cancelled, HttpRequest, HttpResponse
from engine.net.sigv4 import AwsKeys, SigningScope, signed_request

if TYPE_CHECKING:
    from engine.clock import Clock
    from engine.embeddings.remote.failures import Explained
    from engine.embeddings.remote.settings import RemoteSettings
    from engine.net.client import HttpClient

SERVICE = "bedrock"


class BedrockAccess(KeyAccess):
    """A fixed address; the key travels as a bearer."""

    def __init__(self, settings: RemoteSettings) -> None:
        super().__init__(settings)
        self._asked = Asked(
            origin(settings.base_url),
            settings.wire.model,
            region_of(settings),
            settings.key_source or "the headers",
        )

    def open(self, client: HttpClient, cancelled: Cancelled) -> Entrance:
        """The entrance. Raises ProviderError for a model of another region."""
        asked, model = self._asked, arn_region(self._asked.model)
        there = host_region(urlsplit(asked.host).hostname or "")
        if model and there and model != there:
            raise ProviderError(
                "Another region",
                f"{asked.model} is a model of {model}, and {asked.host} serves {there}.",
                f"Set AWS_REGION to {model}.",
            )
        return super().open(client, cancelled)

    def explained(self, response: HttpResponse) -> Explained | None:
        """By the type that comes with every error."""
        return self._asked.explain(response)


class SignedBedrockAccess(BedrockAccess):
    """Signs each request; the keys themselves never leave the machine, a session token does."""

    def __init__(self, settings: RemoteSettings) -> None:
        super().__init__(settings)
        self._variables = settings.variables
        self._scope = SigningScope(self._asked.region, SERVICE)
        self._lock = threading.Lock()
        self._source: KeySource | None = None
        self._ready: tuple[AwsKeys, Clock] | None = None

    def open(self, client: HttpClient, cancelled: Cancelled) -> Entrance:
        """The entrance, with keys at hand. Raises ProviderError when there are none."""
        entrance = super().open(client, cancelled)
        with self._lock:
            if self._source is None:
                self._source = keys_in(self._variables)
            self._ready = (self._source.keys(), client.clock)
        return entrance

    def signed(self, request: HttpRequest) -> HttpRequest:
        """The request with a signature of this moment."""
        assert self._ready is not None
        keys, clock = self._ready
        return signed_request(request, keys, self._scope, clock.now_ms())

    def forget(self, response: HttpResponse) -> bool:
        """A signature that came too late is made anew; keys of a profile are looked up again."""
        if signed_too_long_ago(response):
            return True
        if error_type(response) not in EXPIRED:
            return False
        with self._lock:
            return self._source is not None and self._source.renew()


def bedrock_access(settings: RemoteSettings) -> Access:
    """By what there is: a key, else an authorization among the headers, else signatures."""
    names = {name.lower() for name in settings.headers}
    if settings.key is not None or "authorization" in names:
        return BedrockAccess(settings)
    return SignedBedrockAccess(settings)


def region_of(settings: RemoteSettings) -> str:
    """The region that signatures are for: the address', else the environment's."""
    named = host_region(urlsplit(settings.base_url).hostname or "")
    environ = {name: value.reveal() for name, value in settings.variables.items()}
    return named or environment_region(environ) or USUAL
