"""Ollama's way in: no key on this machine, two routes, and refusals in its own words."""

from __future__ import annotations

import re

from engine.embeddings.contract import Tell, tell_nobody
from engine.embeddings.remote.access import KeyAccess
from engine.embeddings.remote.failures import Explained
from engine.embeddings.remote.settings import RemoteSettings
from engine.embeddings.shapes.ollama import OllamaRoute
from engine.net.error_text import error_text
from engine.net.host_guard import origin
from engine.net.messages import HttpResponse

_NO_ROUTE = re.compile(r"\s*404 page not found\s*|", re.IGNORECASE)
"""What its server says of an address it does not have; a proxy may say nothing."""
_NO_MODEL = re.compile(r"model .* not found", re.IGNORECASE | re.DOTALL)
_TOO_LONG = re.compile(r"input length exceeds|exceeds (?:the )?(?:maximum )?context", re.IGNORECASE)
_NO_NUMBER = re.compile(r"\bNaN\b|unsupported value", re.IGNORECASE)
_NO_EMBEDDER = re.compile(r"does not support embed|not an embedding model", re.IGNORECASE)


class OllamaAccess(KeyAccess):
    """A fixed address; a key only where one was found."""

    def __init__(
        self, settings: RemoteSettings, route: OllamaRoute, tell: Tell = tell_nobody
    ) -> None:
        super().__init__(settings)
        self._tell = tell
        self._host = origin(settings.base_url)
        self._model = settings.wire.model
        self._route = route

    def forget(self, response: HttpResponse) -> bool:
        """A server without the newer route is asked on the older one from now on."""
        if self._route.older or response.status != 404 or not _no_route(response):
            return False
        self._route.older = True
        self._tell(
            f"{self._host} has no /api/embed and is asked as an older Ollama: one text a "
            "request, and a text that is too long is cut there without a word."
        )
        return True

    def explained(self, response: HttpResponse) -> Explained | None:
        """A model that is not there or cannot embed, a text that is too long or has no vector."""
        said = error_text(response.body)
        if response.status == 404:
            return self._missing(said)
        if response.status not in (400, 500):
            return None
        if _TOO_LONG.search(said):
            message = f"{self._host} takes no text that long with {self._model}."
            return Explained("Text too long", message, "", about="length")
        if _NO_NUMBER.search(said):
            message = f"{self._model} makes no vector of finite numbers out of a text."
            hint = "A newer Ollama or another model may do it."
            return Explained("No usable vector", message, hint, about="content")
        if _NO_EMBEDDER.search(said):
            return Explained(
                "Not an embedding model",
                f"{self._model} on {self._host} makes no embeddings.",
                "Set model to an embedding model such as nomic-embed-text.",
            )
        return None

    def _missing(self, said: str) -> Explained:
        if _NO_MODEL.search(said):
            return Explained(
                "Model not there",
                f"Ollama on {self._host} has no model {self._model!r} (404).",
                f"Fetch it with `ollama pull {self._model}`, or set another model.",
            )
        return Explained(
            "No Ollama there",
            f"{self._host} has no address for embeddings as Ollama has (404).",
            "Check remote.baseUrl; Ollama's own address is http://127.0.0.1:11434.",
        )


def _no_route(response: HttpResponse) -> bool:
    return _NO_ROUTE.fullmatch(error_text(response.body)) is not None
