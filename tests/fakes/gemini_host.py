"""The Gemini API: one or many contents, tasks as fields or prefixes, Google's error bodies."""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Callable, Sequence
from typing import Any

from tests.fakes.answers import Answer, Embed, Received, Responder, as_json
from tests.fakes.asymmetric import as_document, as_nothing, as_query
from tests.fakes.bow192 import bow_192
from tests.fakes.service import FakeService

KEY = "AIza-vendor-key-123456"
_ROUTE = re.compile(r"/v1beta/models/([^/:]+):(embedContent|batchEmbedContents)")
_FIELDS = {"model", "content", "taskType", "title", "outputDimensionality"}
_PREFIXES = {"title: none | text: ": as_document, "task: search result | query: ": as_query}
_TASKS = {"RETRIEVAL_DOCUMENT": as_document, "RETRIEVAL_QUERY": as_query}
_MEDIA = {"image/png", "image/jpeg", "audio/mpeg", "audio/mp3", "audio/wav"}
_WORDS = re.compile("[a-z]{4,}")
_SIZES = {"text-embedding-004": 768}

Turn = Callable[[Sequence[float], int], list[float]]


class GeminiHost(FakeService):
    """100 requests a batch; a bad key is 400; vectors below full size are not of unit length."""

    models = ("text-embedding-004", "gemini-embedding-001", "gemini-embedding-2-preview")

    def __init__(
        self,
        *,
        embed: Embed = bow_192,
        script: Sequence[Responder] = (),
        key: str = KEY,
        token: str = "",
        wrapped: bool = False,
    ) -> None:
        super().__init__(self.vectors, embed=embed, script=script)
        self.key = key
        self.token = token
        self.wrapped = wrapped
        """Errors come inside a list of one."""

    @property
    def base_url(self) -> str:
        """What goes into ``remote.baseUrl``."""
        return f"{self.origin}/v1beta"

    @property
    def texts(self) -> list[str]:
        """All texts received so far, without the prefix that says what they are for."""
        requests = [each for received in self.requests for each in _requests(received)]
        return [_plain(_text(each))[1] for each in requests]

    def aside(self, received: Received) -> Answer | None:
        """The refusal of a wrong route, a wrong key, a wrong model or too many contents."""
        route = _ROUTE.fullmatch(received.path)
        if route is None or route[1] not in (*self.models, "gemini-embedding-2"):
            return self.error(404, "NOT_FOUND", "The model is not found for this API version.")
        if not self._let_in(received):
            return self.wrong_key()
        requests = _requests(received)
        if len(requests) > 100:
            words = "* BatchEmbedContentsRequest.requests: at most 100 requests can be in one batch"
            return self.error(400, "INVALID_ARGUMENT", words)
        for each in requests:
            if refusal := self._bad_media(each, route[1]):
                return refusal
            if each.keys() - _FIELDS or each.get("model", f"models/{route[1]}") != (
                f"models/{route[1]}"
            ):
                return self.error(400, "INVALID_ARGUMENT", "Invalid JSON payload received.")
        return None

    def vectors(self, received: Received) -> Answer:
        """``embedding`` for one content, ``embeddings`` for a batch."""
        route = _ROUTE.fullmatch(received.path)
        assert route is not None
        found = [{"values": self._values(received, each, route[1])} for each in _requests(received)]
        single = route[2] == "embedContent"
        return as_json({"embedding": found[0]} if single else {"embeddings": found})

    def error(
        self, status: int, name: str, message: str, details: Sequence[dict[str, Any]] = ()
    ) -> Answer:
        """Google's form of an error."""
        error = {"code": status, "message": message, "status": name, "details": list(details)}
        body: Any = {"error": error}
        return as_json([body] if self.wrapped else body, status)

    def wrong_key(self) -> Answer:
        """400, not 401."""
        words = "API key not valid. Please pass a valid API key."
        info = {
            "@type": "type.googleapis.com/google.rpc.ErrorInfo",
            "reason": "API_KEY_INVALID",
            "domain": "googleapis.com",
        }
        return self.error(400, "INVALID_ARGUMENT", words, [info])

    def exhausted(self, quota: str, delay: str = "") -> Responder:
        """429 with the quota that is used up, and when to come back."""
        details: list[dict[str, Any]] = [
            {
                "@type": "type.googleapis.com/google.rpc.QuotaFailure",
                "violations": [{"quotaMetric": "embed_content_requests", "quotaId": quota}],
            }
        ]
        if delay:
            kind = "type.googleapis.com/google.rpc.RetryInfo"
            details.append({"@type": kind, "retryDelay": delay})
        words = "You exceeded your current quota, please check your plan and billing details."
        answer = self.error(429, "RESOURCE_EXHAUSTED", words, details)
        return lambda received: answer

    def _bad_media(self, request: dict[str, Any], model: str) -> Answer | None:
        media = _media(request)
        if not media:
            return None
        if not model.startswith("gemini-embedding-2"):
            return self.error(400, "INVALID_ARGUMENT", "Multimodal input is not supported.")
        if any(part["mimeType"] not in _MEDIA for part in media):
            return self.error(
                400, "INVALID_ARGUMENT", f"Unsupported MIME type: {media[0]['mimeType']}"
            )
        return None

    def _let_in(self, received: Received) -> bool:
        if self.token and received.headers.get("authorization") == f"Bearer {self.token}":
            return "x-goog-api-key" not in received.headers
        return received.headers.get("x-goog-api-key") == self.key

    def _values(self, received: Received, request: dict[str, Any], model: str) -> list[float]:
        """Not of unit length where the size was asked for, as the real ones are."""
        text, size = _text(request), request.get("outputDimensionality")
        turn: Turn = _TASKS.get(request.get("taskType", ""), as_nothing)
        if model == "gemini-embedding-2":
            turn, text = _plain(text) if "taskType" not in request else (as_nothing, text)
        seen = [text, *(shown(b64decode(part["data"])) for part in _media(request))]
        full = turn(received.embed(" ".join(seen[-1:])), size or _SIZES.get(model, 3072))
        return [0.6 * value for value in full] if size else full


def _requests(received: Received) -> list[dict[str, Any]]:
    body = received.json
    return list(body["requests"]) if "requests" in body else [body]


def _text(request: dict[str, Any]) -> str:
    return str(request["content"]["parts"][0]["text"])


def _media(request: dict[str, Any]) -> list[dict[str, str]]:
    parts = request["content"]["parts"]
    return [part["inlineData"] for part in parts if "inlineData" in part]


def shown(data: bytes) -> str:
    """What a made-up picture shows: the words behind its head."""
    return " ".join(_WORDS.findall(data.decode("latin-1")))


def _plain(text: str) -> tuple[Turn, str]:
    for prefix, turn in _PREFIXES.items():
        if text.startswith(prefix):
            return turn, text.removeprefix(prefix)
    return as_nothing, text
