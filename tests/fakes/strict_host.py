"""Hosted services of the OpenAI shape that refuse whatever their own contract does not name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from tests.fakes.answers import Answer, Embed, Received, Responder, as_json, packed
from tests.fakes.asymmetric import as_document, as_nothing, as_query, tokens
from tests.fakes.bow192 import bow_192
from tests.fakes.service import FakeService

KEY = "vendor-key-123456"


class StrictHost(FakeService):
    """``POST /v1/embeddings`` with the fields, limits and error bodies of one vendor."""

    fields: ClassVar[frozenset[str]] = frozenset({"model", "input", "encoding_format"})
    dimensions_field: ClassVar[str] = "dimensions"
    default_size: ClassVar[int] = 192
    encodings: ClassVar[tuple[str, ...]] = ("float", "base64")
    asymmetric: ClassVar[bool] = False

    def __init__(
        self, *, embed: Embed = bow_192, script: Sequence[Responder] = (), key: str = KEY
    ) -> None:
        super().__init__(self.vectors, embed=embed, script=script)
        self.key = key

    @property
    def base_url(self) -> str:
        """What goes into ``remote.baseUrl``."""
        return f"{self.origin}/v1"

    @property
    def texts(self) -> list[str]:
        """All texts received so far."""
        return [text for received in self.requests for text in received.inputs]

    def aside(self, received: Received) -> Answer | None:
        """The refusal of a wrong route, a wrong key, an unknown field or too much text."""
        if received.path != "/v1/embeddings":
            return self.error(404, f"no route {received.path}")
        if received.headers.get("authorization") != f"Bearer {self.key}":
            return self.wrong_key()
        unknown = received.json.keys() - self.fields
        if unknown:
            return self.unknown_field(sorted(unknown)[0])
        if received.json.get("encoding_format", "float") not in self.encodings:
            return self.unknown_field("encoding_format")
        return self.beyond(received.inputs, str(received.json["model"]))

    def vectors(self, received: Received) -> Answer:
        """The right answer, shuffled as the contract allows."""
        size = received.json.get(self.dimensions_field) or self.default_size
        turned = self._turned(received.json.get("input_type"))
        found = [turned(received.embed(text), size) for text in received.inputs]
        packs = received.json.get("encoding_format") == "base64"
        data = [
            {"object": "embedding", "index": i, "embedding": packed(v) if packs else v}
            for i, v in enumerate(found)
        ]
        body = {"object": "list", "model": received.json["model"], "data": data[::-1]}
        return as_json({**body, "usage": self.usage(sum(map(tokens, received.inputs)))})

    def usage(self, total: int) -> dict[str, int]:
        """How this vendor counts."""
        return {"prompt_tokens": total, "total_tokens": total}

    def error(self, status: int, message: str) -> Answer:
        """An error in this vendor's own form."""
        raise NotImplementedError

    def wrong_key(self) -> Answer:
        """The answer to a key that is missing or not the right one."""
        raise NotImplementedError

    def unknown_field(self, name: str) -> Answer:
        """The answer to a field that the contract does not name, or a value it does not know."""
        raise NotImplementedError

    def beyond(self, texts: Sequence[str], model: str) -> Answer | None:
        """The refusal of a request beyond the limits; None for one within them."""
        raise NotImplementedError

    def _turned(self, input_type: Any) -> Callable[[Sequence[float], int], list[float]]:
        if not self.asymmetric:
            return as_document
        return {"document": as_document, "query": as_query}.get(input_type, as_nothing)
