"""The bodies of Bedrock's families: what goes in, and where the vectors are in the answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from engine.embeddings.remote.wire import Purpose
from engine.embeddings.shapes.bedrock.models import Dialect

Body = Mapping[str, Any]


class Speech(Protocol):
    """One dialect. ``dimensions`` is None where the model decides."""

    def body(self, texts: Sequence[str], purpose: Purpose, dimensions: int | None) -> Body:
        """The request."""
        ...

    def vectors(self, answer: Body) -> Any:
        """What stands where the list of vectors belongs."""
        ...


class TitanV1:
    """One text, nothing else."""

    def body(self, texts: Sequence[str], purpose: Purpose, dimensions: int | None) -> Body:
        """The text."""
        return {"inputText": texts[0]}

    def vectors(self, answer: Body) -> Any:
        """The only one."""
        return [answer.get("embedding")]


class TitanV2(TitanV1):
    """One text, with the size that is wanted."""

    def body(self, texts: Sequence[str], purpose: Purpose, dimensions: int | None) -> Body:
        """The text and the size; vectors of unit length, also when they are shortened."""
        body = {"inputText": texts[0], "normalize": True}
        return body if dimensions is None else {**body, "dimensions": dimensions}


class CohereV3:
    """Many texts, told apart by what they are for; a long one is refused, not cut."""

    def body(self, texts: Sequence[str], purpose: Purpose, dimensions: int | None) -> Body:
        """The texts as documents or as queries."""
        kind = "search_query" if purpose == "query" else "search_document"
        return {"texts": list(texts), "input_type": kind, "truncate": "NONE"}

    def vectors(self, answer: Body) -> Any:
        """A list, or the one of floats among several kinds."""
        found = answer.get("embeddings")
        return found.get("float") if isinstance(found, dict) else found


class CohereV4(CohereV3):
    """As before, with a choice of number types and of the size."""

    def body(self, texts: Sequence[str], purpose: Purpose, dimensions: int | None) -> Body:
        """As before, with the kind of numbers that is wanted."""
        body = {**super().body(texts, purpose, dimensions), "embedding_types": ["float"]}
        return body if dimensions is None else {**body, "output_dimension": dimensions}


class Nova:
    """One text, told apart by what it is for; a long one is refused, not cut."""

    def body(self, texts: Sequence[str], purpose: Purpose, dimensions: int | None) -> Body:
        """The text for an index, or as a query for texts."""
        params: dict[str, Any] = {
            "embeddingPurpose": "TEXT_RETRIEVAL" if purpose == "query" else "GENERIC_INDEX",
            "text": {"truncationMode": "NONE", "value": texts[0]},
        }
        if dimensions is not None:
            params["embeddingDimension"] = dimensions
        return {
            "schemaVersion": "nova-multimodal-embed-v1",
            "taskType": "SINGLE_EMBEDDING",
            "singleEmbeddingParams": params,
        }

    def vectors(self, answer: Body) -> Any:
        """One for each kind of content, of which there is one."""
        found = answer.get("embeddings")
        if not isinstance(found, list):
            return None
        return [entry.get("embedding") if isinstance(entry, dict) else None for entry in found]


class Marengo:
    """One text, marked as such."""

    def body(self, texts: Sequence[str], purpose: Purpose, dimensions: int | None) -> Body:
        """The text."""
        return {"inputType": "text", "text": {"inputText": texts[0]}}

    def vectors(self, answer: Body) -> Any:
        """At one of three places, by the model's version."""
        data = answer.get("data", answer)
        first = data[0] if isinstance(data, list) and data else data
        return [first.get("embedding")] if isinstance(first, dict) else None


SPEECHES: Mapping[Dialect, type[Speech]] = {
    "titan-v1": TitanV1,
    "titan-v2": TitanV2,
    "cohere-v3": CohereV3,
    "cohere-v4": CohereV4,
    "nova": Nova,
    "marengo": Marengo,
}
