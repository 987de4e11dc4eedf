"""The ``builtin`` provider: the packaged static model behind the provider contract."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from engine.embeddings.contract import (
    Cancelled,
    EmbeddedBatch,
    ProviderIdentity,
    ProviderLimits,
    Refusal,
)
from engine.errors import CancelledError, ProviderError

if TYPE_CHECKING:
    from engine.embeddings.builtin.static_model import StaticModel
    from engine.embeddings.contract import Vector

BUILTIN_ID = "builtin"
BUILTIN_MODEL = "static-en-256"
DIMENSIONS = 256
LIFT = 0.35
RULES = 1
"""Counts up whenever tokenising or summing changes any vector."""
MODEL_SHA256 = "702c7589029477ddcfce4c37c33db42c004fcfe2e5f4875872296798bc38e9cd"
"""Of the packaged model.safetensors; a constant, because hashing 8 MB would cost each start."""

NO_KNOWN_WORD = "the text holds no word that the built-in model knows"
_LIMITS = ProviderLimits(inputs_per_request=256, bytes_per_request=1 << 24, bytes_per_input=1 << 24)
_CANCEL_EVERY = 64


class BuiltinProvider:
    """Loads the model on first use; thread-safe; nothing leaves the machine."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or Path(__file__).parent
        self._lock = threading.Lock()
        self._model: StaticModel | None = None

    @property
    def identity(self) -> ProviderIdentity:
        """The vector space: the model file, the lift and the rules of reading it."""
        fingerprint = f"sha256:{MODEL_SHA256};lift:{LIFT};rules:{RULES}"
        return ProviderIdentity(BUILTIN_ID, BUILTIN_MODEL, fingerprint, DIMENSIONS)

    @property
    def limits(self) -> ProviderLimits:
        """Sizes of one call; the model itself knows no limit."""
        return _LIMITS

    @property
    def remote(self) -> bool:
        """Nothing leaves the machine."""
        return False

    @property
    def vector_floor(self) -> float:
        """The lift: the cosine of texts that have nothing in common."""
        return LIFT

    def embed_documents(self, texts: Sequence[str], cancelled: Cancelled) -> EmbeddedBatch:
        """Embed texts of any length; those without a known word are refused."""
        model = self._loaded()
        vectors: list[Vector | None] = []
        for at, text in enumerate(texts):
            if at % _CANCEL_EVERY == 0 and cancelled():
                raise CancelledError("Embedding")
            vectors.append(model.embed(text))
        refusals = tuple(Refusal(i, NO_KNOWN_WORD) for i, v in enumerate(vectors) if v is None)
        return EmbeddedBatch(tuple(vectors), refusals, tokens=None, requests=0)

    def embed_query(self, text: str) -> Vector | None:
        """Embed a query; None when it holds no known word."""
        return self._loaded().embed(text)

    def cached_query(self, text: str) -> Vector | None:
        """The same as ``embed_query``: a local vector costs nothing."""
        return self.embed_query(text)

    def close(self) -> None:
        """Let the model go."""
        with self._lock:
            self._model = None

    def _loaded(self) -> StaticModel:
        with self._lock:
            if self._model is None:
                self._model = _load(self._folder)
            return self._model


def _load(folder: Path) -> StaticModel:
    from engine.embeddings.builtin.static_model import StaticModel

    try:
        return StaticModel.load(folder)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ProviderError(
            "The built-in model cannot be read",
            f"The model files that belong to the installation are damaged or missing ({error}).",
            "Install memlens again.",
        ) from error
