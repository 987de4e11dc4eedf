"""Google's way in: a key in a header of its own, and refusals that say more than their status."""

from __future__ import annotations

import json
from typing import Any

from engine.embeddings.remote.access import KeyAccess
from engine.embeddings.remote.failures import Explained
from engine.embeddings.remote.settings import RemoteSettings
from engine.net.host_guard import origin
from engine.net.messages import HttpResponse

_KEY_REASONS = frozenset({"API_KEY_INVALID", "API_KEY_SERVICE_BLOCKED", "API_KEY_EXPIRED"})


class GeminiAccess(KeyAccess):
    """A key as ``x-goog-api-key``; a token out of a JSON key as a bearer."""

    def __init__(self, settings: RemoteSettings) -> None:
        super().__init__(settings)
        self._settings = settings

    def explained(self, response: HttpResponse) -> Explained | None:
        """A bad key, which comes as 400, an API that is off, a region that is not served."""
        said = _google_error(response.body)
        reasons = _reasons(said)
        host = origin(self._settings.base_url)
        if reasons & _KEY_REASONS:
            key = self._settings.key_source or "the headers"
            return Explained(
                "Key not accepted",
                f"{host} refuses the key from {key} ({response.status}).",
                "Check the key at the provider; it must be one for the Gemini API.",
            )
        if "SERVICE_DISABLED" in reasons:
            return Explained(
                "API switched off",
                f"The key's project may not use the API of {host} ({response.status}).",
                "Switch the Generative Language API on for that project.",
            )
        if response.status == 400 and said.get("status") == "FAILED_PRECONDITION":
            return Explained(
                "Not available for this account",
                f"{host} does not serve this account, its region or its plan (400).",
                "Check region and billing at the provider, or choose another provider.",
            )
        return None


def _google_error(body: bytes) -> dict[str, Any]:
    """The ``error`` object, also out of the one-element list that some answers wrap it in."""
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    if isinstance(answer, list) and answer:
        answer = answer[0]
    error = answer.get("error") if isinstance(answer, dict) else None
    return error if isinstance(error, dict) else {}


def _reasons(error: dict[str, Any]) -> set[str]:
    details = error.get("details")
    entries = details if isinstance(details, list) else []
    return {
        str(entry["reason"]) for entry in entries if isinstance(entry, dict) and "reason" in entry
    }
