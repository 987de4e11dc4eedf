"""A scripted GitHub and its Copilot in one: who may come in, which models, embeddings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.fakes.answers import Answer, Embed, Received, Responder, as_json, data_of
from tests.fakes.bow192 import bow_192
from tests.fakes.service import FakeService

LOGIN = "gho-login-5Tz8qWm3Vx1c"
SMALL, LARGE = "text-embedding-3-small", "text-embedding-3-large"


class FakeCopilot(FakeService):
    """``LOGIN`` is let in at GitHub; with ``exchanges`` Copilot itself takes tokens only.

    ``named`` is the address that GitHub gives out for Copilot, its own when None. Tokens
    are good until ``expires_at`` (epoch seconds), or until ``revoke``.
    """

    def __init__(
        self,
        embed: Embed = bow_192,
        *,
        models: Sequence[str] = (SMALL, LARGE),
        exchanges: bool = False,
        named: str | None = None,
        expires_at: float = 0.0,
        script: Sequence[Responder] = (),
    ) -> None:
        super().__init__(right, embed=embed, script=script)
        self.expires_at = expires_at
        self._models = models
        self._exchanges = exchanges
        self._named = named
        self._tokens = 0

    @property
    def calls(self) -> list[str]:
        """Method and path of every request."""
        return [f"{received.method} {received.path}" for received in self.requests]

    @property
    def texts(self) -> list[str]:
        """All texts received so far."""
        return [text for r in self.requests if r.path == "/embeddings" for text in r.inputs]

    @property
    def token(self) -> str:
        """The one that is good now."""
        return f"tid=token{self._tokens};exp={self.expires_at:.0f}"

    def revoke(self) -> None:
        """The token given out last is good no more."""
        self._tokens += 1

    def aside(self, received: Received) -> Answer | None:
        """GitHub's part, a refused login, the list of models, a text instead of a list."""
        bearer = received.headers.get("authorization", "").partition(" ")[2]
        if received.path.startswith("/copilot_internal/"):
            return self._github(received.path, bearer)
        good = self.token if self._exchanges else LOGIN
        if bearer != good:
            return Answer(b"unauthorized: token expired\n", 401)
        if received.path == "/models":
            return as_json({"object": "list", "data": [*map(_listed, self._models), _CHAT]})
        if received.path != "/embeddings":
            return Answer(b"404 page not found\n", 404)
        if not isinstance(received.json["input"], list):
            return as_json({"error": {"message": "input must be a list", "code": ""}}, 400)
        if received.json["model"] not in self._models:
            message = "The requested model is not supported."
            error = {"message": message, "code": "model_not_supported", "param": "model"}
            return as_json({"error": {**error, "type": "invalid_request_error"}}, 400)
        return None

    def _github(self, path: str, bearer: str) -> Answer:
        if bearer != LOGIN:
            return as_json({"message": "Bad credentials", "status": "401"}, 401)
        endpoints = {"api": self._named or self.origin}
        if path == "/copilot_internal/user":
            return as_json({"login": "ada", "copilot_plan": "individual", "endpoints": endpoints})
        if path == "/copilot_internal/v2/token" and self._exchanges:
            self._tokens += 1
            body = {"token": self.token, "expires_at": self.expires_at, "refresh_in": 1500}
            return as_json({**body, "endpoints": endpoints})
        return as_json({"message": "Not Found", "status": "404"}, 404)


_CHAT = {"id": "gpt-4.1", "supported_endpoints": ["/chat/completions"]}


def _listed(model: str) -> dict[str, Any]:
    return {"id": model, "supported_endpoints": ["/embeddings"]}


def right(received: Received) -> Answer:
    """The right answer, without ``object`` and ``model``."""
    words = sum(len(text.split()) for text in received.inputs)
    usage = {"prompt_tokens": words, "total_tokens": words}
    return as_json({"data": data_of(received), "usage": usage})
