"""The shape of ``POST /model/{id}/invoke``."""

from __future__ import annotations

import json
from collections.abc import Sequence
from urllib.parse import quote

from engine.embeddings.remote.answer import in_order, parsed_answer, whole
from engine.embeddings.remote.settings import RemoteSettings
from engine.embeddings.remote.wire import (
    AnswerError,
    Call,
    Decoded,
    Purpose,
    TooManyTextsError,
)
from engine.embeddings.shapes.bedrock.dialects import SPEECHES
from engine.embeddings.shapes.bedrock.models import family_of, model_problem
from engine.errors import ProviderError


class BedrockShape:
    """Speaks the dialect of the model. Raises ProviderError for one of no known family."""

    version = ""

    def __init__(self, settings: RemoteSettings) -> None:
        family = family_of(settings.wire.model)
        if family is None:
            raise ProviderError(
                "Model not known",
                f"{model_problem(settings.wire.model)}.",
                "Set model to the id of an embedding model.",
            )
        self._speech = SPEECHES[family.dialect]()
        self._most = family.limits.inputs_per_request
        self._dimensions = settings.wire.dimensions

    def encode(self, texts: Sequence[str], purpose: Purpose, model: str) -> Call:
        """One request; the model's name is part of the address. Raises TooManyTextsError."""
        if len(texts) > self._most:
            raise TooManyTextsError(self._most)
        body = self._speech.body([whole(text) for text in texts], purpose, self._dimensions)
        path = f"model/{quote(model, safe='')}/invoke"
        return Call(path, json.dumps(body, ensure_ascii=False).encode())

    def decode(self, body: bytes, count: int) -> Decoded:
        """The vectors for ``count`` texts, in their order. Raises AnswerError."""
        answer = parsed_answer(body)
        vectors = self._speech.vectors(answer)
        if not isinstance(vectors, list):
            raise AnswerError("it holds no list of vectors")
        tokens = answer.get("inputTextTokenCount")
        return in_order(vectors, count, tokens if isinstance(tokens, int) and tokens > 0 else None)
