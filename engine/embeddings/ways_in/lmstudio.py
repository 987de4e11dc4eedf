"""LM Studio's way in: find the model, have it loaded, and call it by its instance."""

from __future__ import annotations

import json
import re
import threading
from dataclasses import replace
from typing import TYPE_CHECKING

from engine.embeddings.contract import Tell
from engine.embeddings.remote.access import Entrance, KeyAccess
from engine.embeddings.remote.failures import Explained
from engine.embeddings.ways_in.lmstudio_models import ListedModel, listed_models, named
from engine.errors import ProviderError
from engine.net.error_text import error_codes, error_text
from engine.net.host_guard import joined, origin
from engine.net.messages import (
    Cancelled,
    ExchangeLimits,
    HttpRequest,
    HttpResponse,
    TransportError,
)
from engine.net.retry import PROBING

if TYPE_CHECKING:
    from engine.embeddings.remote.settings import RemoteSettings
    from engine.net.client import HttpClient

LIST_S = 10.0
LOAD_S = 120.0
_NOT_LOADED = re.compile(r"no models? loaded|failed to load model|model .*unloaded", re.IGNORECASE)


class LMStudioAccess(KeyAccess):
    """Asks the server once which instance answers; loading is its work, and may take a while.

    Where the list or the loading fails, the model is called by its configured name: many
    servers load on demand. ``tell`` hears about it.
    """

    def __init__(self, settings: RemoteSettings, tell: Tell) -> None:
        super().__init__(settings)
        self._host = origin(settings.base_url)
        self._name = settings.wire.model
        self._secrets = [] if settings.key is None else [settings.key.reveal()]
        self._tell = tell
        self._lock = threading.Lock()
        self._instance: str | None = None

    def open(self, client: HttpClient, cancelled: Cancelled) -> Entrance:
        """The entrance of the loaded instance. Raises TransportError for a server that is off."""
        entrance = super().open(client, cancelled)
        with self._lock:
            if self._instance is None:
                self._instance = self._warmed_up(entrance, client, cancelled)
            return replace(entrance, model=self._instance)

    def forget(self, response: HttpResponse) -> bool:
        """An instance may have been unloaded since: it is looked for again, once."""
        if not _unloaded(response):
            return False
        with self._lock:
            found, self._instance = self._instance, None
        return found is not None

    def explained(self, response: HttpResponse) -> Explained | None:
        """No model in memory, or one that cannot be loaded."""
        if not _unloaded(response):
            return None
        return Explained(
            "Model not loaded",
            f"LM Studio on {self._host} has not loaded {self._name!r} ({response.status}).",
            f"Load it there, or with `lms load {self._name}`; it has to be an embedding model.",
        )

    def _warmed_up(self, entrance: Entrance, client: HttpClient, cancelled: Cancelled) -> str:
        try:
            listed = self._listed(entrance, client, cancelled)
            if listed is None or listed.instances:
                return listed.instances[0] if listed else self._name
            return self._loaded(listed, entrance, client, cancelled)
        except TransportError as error:
            if error.trouble == "unreachable":
                raise
            self._warn(error.message)
        except ProviderError as error:
            self._warn(error.message)
        return self._name

    def _listed(
        self, entrance: Entrance, client: HttpClient, cancelled: Cancelled
    ) -> ListedModel | None:
        request = HttpRequest(self._native("models"), entrance.headers, method="GET")
        response = client.send(request, _within(LIST_S), PROBING, cancelled)
        if response.status == 404:  # a server from before this list loads on demand
            return None
        self._require(response, "does not list its models")
        try:
            models = listed_models(response.body)
        except ValueError:
            self._warn(f"{self._host} lists its models in a way that is not understood.")
            return None
        found = named(models, self._name)
        if found is None:
            self._warn(f"LM Studio on {self._host} lists no model {self._name!r}.")
        elif found.kind != "embedding":
            self._warn(f"LM Studio lists {found.key!r} as {found.kind!r}, not as embedding model.")
        return found

    def _loaded(
        self, listed: ListedModel, entrance: Entrance, client: HttpClient, cancelled: Cancelled
    ) -> str:
        body = json.dumps({"model": listed.key}).encode()
        request = HttpRequest(self._native("models/load"), entrance.headers, body)
        response = client.send(request, _within(LOAD_S), PROBING, cancelled)
        self._require(response, f"does not load {listed.key!r}")
        instance = response.fields().get("instance_id")
        return instance if isinstance(instance, str) and instance else listed.key

    def _require(self, response: HttpResponse, failing: str) -> None:
        if response.ok:
            return
        said = error_text(response.body, self._secrets)
        words = f"LM Studio on {self._host} {failing} ({response.status})."
        raise ProviderError("Not ready", f"{words} It says: {said}" if said else words)

    def _warn(self, what: str) -> None:
        self._tell(f"{what} It is asked for {self._name!r} all the same.")

    def _native(self, path: str) -> str:
        return joined(self._host, f"api/v1/{path}")


def _unloaded(response: HttpResponse) -> bool:
    if response.status not in (400, 404, 500):
        return False
    said = error_text(response.body)
    return bool(_NOT_LOADED.search(said)) or "model_not_found" in error_codes(response.body)


def _within(seconds: float) -> ExchangeLimits:
    return ExchangeLimits(read_s=seconds, total_s=seconds)
