"""What each family of Bedrock models takes and gives, and how it refuses anything else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tests.fakes.answers import Embed
from tests.fakes.asymmetric import as_document, as_nothing, as_query

Body = Mapping[str, Any]


class RefusedError(Exception):
    """A body that breaks the contract, in the service's words."""


@dataclass(frozen=True, slots=True)
class FakeFamily:
    """``keys`` are allowed and ``required`` needed; ``most_words`` of a text are taken."""

    keys: frozenset[str]
    required: frozenset[str]
    most_words: int
    texts: Callable[[Body], list[str]]
    answer: Callable[[Body, Embed], dict[str, Any]]
    most_texts: int = 1
    most_chars: int = 50_000

    def check(self, body: Body) -> None:
        """Raise RefusedError for what this family would not take."""
        for key in sorted(self.required - body.keys()):
            raise RefusedError(
                f"Malformed input request: #: required key [{key}] not found, {_AGAIN}"
            )
        for key in sorted(body.keys() - self.keys):
            raise RefusedError(
                f"Malformed input request: #: extraneous key [{key}] is not permitted, {_AGAIN}"
            )
        texts = self.texts(body)
        if len(texts) > self.most_texts:
            raise RefusedError(
                f"Malformed input request: #/texts: expected maximum item count: "
                f"{self.most_texts}, found: {len(texts)}, {_AGAIN}"
            )
        for i, text in enumerate(texts):
            self._check_text(i, text)

    def _check_text(self, i: int, text: str) -> None:
        if len(text) > self.most_chars:
            raise RefusedError(
                f"Malformed input request: #/texts/{i}: expected maxLength: "
                f"{self.most_chars}, actual: {len(text)}, {_AGAIN}"
            )
        words = len(text.split())
        if words > self.most_words:
            raise RefusedError(
                f"400 Bad Request: Too many input tokens. Max input tokens: "
                f"{self.most_words}, request input token count: {words} "
            )


def base_model(model: str) -> str:
    """The id without ARN and regions."""
    name = model.rpartition("/")[2]
    return name.partition(".")[2] if name.split(".")[0] in ("us", "eu", "apac", "global") else name


def _titan(size: int) -> Callable[[Body, Embed], dict[str, Any]]:
    def answer(body: Body, embed: Embed) -> dict[str, Any]:
        text = body["inputText"]
        vector = as_document(embed(text), body.get("dimensions", size))
        return {"embedding": vector, "inputTextTokenCount": len(text.split())}

    return answer


def _cohere(body: Body, embed: Embed) -> dict[str, Any]:
    turn = {"search_document": as_document, "search_query": as_query}.get(body["input_type"])
    size = body.get("output_dimension", 1536 if "embedding_types" in body else 1024)
    vectors = [(turn or as_nothing)(embed(text), size) for text in body["texts"]]
    if "embedding_types" not in body:
        kind = {"response_type": "embeddings_floats", "texts": body["texts"]}
        return {"id": "c1", "embeddings": vectors, **kind}
    return {"id": "c1", "embeddings": {"float": vectors}, "response_type": "embeddings_by_type"}


def _nova(body: Body, embed: Embed) -> dict[str, Any]:
    params = body["singleEmbeddingParams"]
    turns = {"GENERIC_INDEX": as_document, "TEXT_RETRIEVAL": as_query}
    turn = turns.get(params["embeddingPurpose"], as_nothing)
    vector = turn(embed(params["text"]["value"]), params.get("embeddingDimension", 3072))
    return {"embeddings": [{"embeddingType": "TEXT", "embedding": vector}]}


def _marengo(body: Body, embed: Embed) -> dict[str, Any]:
    return {"data": [{"embedding": as_document(embed(body["text"]["inputText"]), 512)}]}


def _one(*path: str) -> Callable[[Body], list[str]]:
    def texts(body: Body) -> list[str]:
        value: Any = body
        for key in path:
            value = value[key]
        return [value]

    return texts


def _many(body: Body) -> list[str]:
    return list(body["texts"])


_AGAIN = "please reformat your input and try again."
_TITAN_2 = frozenset({"inputText", "dimensions", "normalize", "embeddingTypes"})
_COHERE = frozenset({"texts", "input_type", "truncate", "embedding_types"})
_NEEDED = frozenset({"texts", "input_type"})
_NOVA = frozenset({"schemaVersion", "taskType", "singleEmbeddingParams"})
_TEXT = frozenset({"inputText"})
_MARENGO = frozenset({"inputType", "text"})
_VALUE = ("singleEmbeddingParams", "text", "value")

_COHERE_3 = FakeFamily(_COHERE, _NEEDED, 512, _many, _cohere, 96, 2048)
FAMILIES: Mapping[str, FakeFamily] = {
    "amazon.titan-embed-text-v2:0": FakeFamily(
        _TITAN_2, _TEXT, 8192, _one("inputText"), _titan(1024)
    ),
    "amazon.titan-embed-text-v1": FakeFamily(_TEXT, _TEXT, 8000, _one("inputText"), _titan(1536)),
    "cohere.embed-english-v3": _COHERE_3,
    "cohere.embed-multilingual-v3": _COHERE_3,
    "cohere.embed-v4:0": FakeFamily(
        _COHERE | {"output_dimension", "max_tokens"}, _NEEDED, 128_000, _many, _cohere, 96, 10**6
    ),
    "amazon.nova-2-multimodal-embeddings-v1:0": FakeFamily(
        _NOVA, _NOVA - {"schemaVersion"}, 8192, _one(*_VALUE), _nova
    ),
    "twelvelabs.marengo-embed-3-0-v1:0": FakeFamily(
        _MARENGO, _MARENGO, 512, _one("text", "inputText"), _marengo
    ),
}
