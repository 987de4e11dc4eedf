"""Copilot's way in: where GitHub says that it is, with the login itself or a short-lived token.

The service is not documented; this follows what the agent does.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from engine.embeddings.remote.access import Entrance, KeyAccess
from engine.embeddings.remote.failures import Explained
from engine.embeddings.ways_in.copilot_hosts import (
    USUAL,
    checked_copilot_address,
    speaks_for_copilot,
)
from engine.embeddings.ways_in.copilot_models import offered_models, unoffered
from engine.errors import ProviderError
from engine.net.error_text import error_codes, error_text
from engine.net.host_guard import joined, origin
from engine.net.messages import Cancelled, ExchangeLimits, HttpRequest, HttpResponse
from engine.net.retry import PROBING

if TYPE_CHECKING:
    from engine.embeddings.remote.settings import RemoteSettings
    from engine.net.client import HttpClient

CLIENT_HEADERS = {
    "editor-version": "vscode/1.107.0",
    "editor-plugin-version": "copilot-chat/0.35.0",
    "user-agent": "GitHubCopilotChat/0.35.0",
    "copilot-integration-id": "copilot-developer-cli",
    "openai-organization": "github-copilot",
}
"""What the service wants to see, as the agent sends it; configured headers win."""
ASKING = ExchangeLimits(read_s=20.0, total_s=20.0)
_EARLY_S = 60.0
"""A token is renewed this long before its end."""


@dataclass(frozen=True, slots=True)
class _Login:
    """Where Copilot is and what lets in; ``until_s`` is epoch seconds, None for no end."""

    base_url: str
    bearer: str = field(repr=False)
    until_s: float | None = None


class CopilotAccess(KeyAccess):
    """Asks GitHub once where Copilot is, then sends the login there.

    A login that is refused there is exchanged once for a token, as older services want.
    """

    def __init__(self, settings: RemoteSettings) -> None:
        super().__init__(settings)
        self._settings = settings
        self._key = self._entrance.headers.get("authorization", "").removeprefix("Bearer ")
        self._secrets = [self._key]
        self._lock = threading.Lock()
        self._login: _Login | None = None
        self._exchanges = False

    def open(self, client: HttpClient, cancelled: Cancelled) -> Entrance:
        """The entrance; asks GitHub the first time. Raises ProviderError."""
        entrance = super().open(client, cancelled)
        entrance = replace(entrance, headers={**CLIENT_HEADERS, **entrance.headers})
        now_s = client.clock.now_ms() / 1000.0
        with self._lock:
            login = self._login
            if login is None or (login.until_s is not None and login.until_s - _EARLY_S <= now_s):
                login = self._logged_in(entrance, client, cancelled)
                self._login = login
        headers = {**entrance.headers, "authorization": f"Bearer {login.bearer}"}
        return replace(entrance, base_url=login.base_url, headers=headers)

    def forget(self, response: HttpResponse) -> bool:
        """A refused login is exchanged for a token; a refused token for the next one."""
        if response.status != 401:
            return False
        with self._lock:
            self._exchanges = not speaks_for_copilot(self._settings.base_url)
            found, self._login = self._login, None
            return found is not None and self._exchanges

    def explained(self, response: HttpResponse) -> Explained | None:
        """A plan without embeddings, or a model that it does not offer."""
        host, model = origin(self._settings.base_url), self._settings.wire.model
        if response.status == 403:
            return Explained(
                "Not allowed",
                f"Copilot does not let the login from {self._place} make embeddings (403).",
                "Check that the login's plan has Copilot, and that its organisation allows it.",
            )
        if response.status == 400 and "model_not_supported" in error_codes(response.body):
            return Explained(
                "Model not there",
                f"Copilot, as {host} names it, has no embedding model {model!r} (400).",
                "Set model to text-embedding-3-small.",
            )
        return None

    @property
    def _place(self) -> str:
        return self._settings.key_source or "the headers"

    def _logged_in(self, entrance: Entrance, client: HttpClient, cancelled: Cancelled) -> _Login:
        if speaks_for_copilot(entrance.base_url):
            return _Login(entrance.base_url, self._key)
        path = "copilot_internal/v2/token" if self._exchanges else "copilot_internal/user"
        request = HttpRequest(joined(entrance.base_url, path), entrance.headers, method="GET")
        response = client.send(request, ASKING, PROBING, cancelled)
        if not response.ok:
            raise self._refused(response, entrance.base_url)
        login = self._read(response.fields(), entrance.base_url)
        self._check_model(login, entrance, client, cancelled)
        return login

    def _read(self, answer: Mapping[str, Any], github_api: str) -> _Login:
        endpoints = answer.get("endpoints")
        named = endpoints.get("api") if isinstance(endpoints, dict) else None
        token = answer.get("token") if self._exchanges else None
        if not (isinstance(named, str) and named):
            named = _from_token(token) if isinstance(token, str) else USUAL
        base_url = checked_copilot_address(named, github_api)
        if not self._exchanges:
            return _Login(base_url, self._key)
        if not (isinstance(token, str) and token.isascii() and token.isprintable()):
            raise ProviderError(
                "Answer not understood",
                f"{origin(github_api)} gave no token for Copilot in exchange for the login.",
                "Log in to GitHub again.",
            )
        self._secrets.append(token)
        end = answer.get("expires_at")
        return _Login(base_url, token, float(end) if isinstance(end, int | float) else None)

    def _check_model(
        self, login: _Login, entrance: Entrance, client: HttpClient, cancelled: Cancelled
    ) -> None:
        """Raise ProviderError for a model that Copilot lists others instead of."""
        headers = {**entrance.headers, "authorization": f"Bearer {login.bearer}"}
        request = HttpRequest(joined(login.base_url, "models"), headers, method="GET")
        response = client.send(request, ASKING, PROBING, cancelled)
        if not response.ok:
            return  # the embeddings call itself will say what is wrong
        offered = offered_models(response.fields())
        if offered and entrance.model not in offered:
            raise unoffered(entrance.model, offered)

    def _refused(self, response: HttpResponse, github_api: str) -> ProviderError:
        said = error_text(response.body, self._secrets)
        host = origin(github_api)
        return ProviderError(
            "Key not accepted" if response.status in (401, 403, 404) else "Provider failed",
            f"{host} does not say where Copilot is for the login from {self._place} "
            f"({response.status})." + (f" It says: {said}" if said else ""),
            "Check the login, and that its plan has Copilot.",
            status=response.status,
        )


def _from_token(token: str) -> str:
    """The address inside a token: its ``proxy-ep``, with ``api`` for ``proxy``."""
    fields = dict(part.partition("=")[::2] for part in token.split(";"))
    proxy = fields.get("proxy-ep", "").strip()
    if not proxy:
        return USUAL
    host = proxy.partition("://")[2] or proxy
    return f"https://api.{host.removeprefix('proxy.')}"
