"""JSON lines between the application and the process that runs a local model.

Vectors travel as base64 of little-endian float32.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

from engine.local_models.bindings.binding import BindingName

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]

Trouble = Literal["no-binding", "model", "text"]
"""No library, no loadable model, or a call that could not be answered."""


@dataclass(frozen=True, slots=True)
class Start:
    """The first line: which model, at most how many tokens a window (None: the model's own)."""

    model: str
    context: int | None
    threads: int
    binding: BindingName | None = None


@dataclass(frozen=True, slots=True)
class Loaded:
    """The model is ready: numbers a vector, tokens a window, and what runs it."""

    dimensions: int
    window: int
    binding: str
    version: str


@dataclass(frozen=True, slots=True)
class Embedded:
    """One vector a text, None where a reason stands; ``tokens`` of all windows together.

    Vectors are float32 of unit length, or as the model gave them when they have none.
    """

    vectors: tuple[Vector | None, ...]
    reasons: Mapping[int, str]
    tokens: int


@dataclass(frozen=True, slots=True)
class Failed:
    """Why a line could not be answered."""

    trouble: Trouble
    message: str


def encode_start(start: Start) -> str:
    """The first line to the worker."""
    return json.dumps(asdict(start))


def decode_start(line: str) -> Start:
    """Raises ValueError or TypeError for anything else."""
    return Start(**json.loads(line))


def clean(text: str) -> str:
    """What a model can take: no NUL, and U+FFFD for each half of a character."""
    return text.replace("\0", "").encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def encode_texts(texts: Sequence[str]) -> str:
    """Texts to be embedded, cleaned."""
    return json.dumps({"texts": [clean(text) for text in texts]}, ensure_ascii=False)


def decode_texts(line: str) -> list[str]:
    """Raises ValueError, KeyError or TypeError for anything else."""
    return list(json.loads(line)["texts"])


def encode_loaded(loaded: Loaded) -> str:
    """The worker's first answer."""
    return json.dumps({"loaded": asdict(loaded)})


def encode_embedded(answer: Embedded) -> str:
    """The worker's answer to texts."""
    vectors = [
        None if v is None else b64encode(v.astype("<f4").tobytes()).decode() for v in answer.vectors
    ]
    reasons = {str(place): reason for place, reason in answer.reasons.items()}
    return json.dumps({"vectors": vectors, "reasons": reasons, "tokens": answer.tokens})


def encode_failed(failed: Failed) -> str:
    """The worker's answer when there is no other."""
    return json.dumps({"failed": asdict(failed)})


def decode_answer(line: str) -> Loaded | Embedded | Failed:
    """What a line of the worker says. Raises ValueError when it is none of ours."""
    try:
        data: Any = json.loads(line)
        if "loaded" in data:
            return Loaded(**data["loaded"])
        if "failed" in data:
            return Failed(**data["failed"])
        reasons = {int(place): str(reason) for place, reason in data["reasons"].items()}
        vectors = tuple(None if text is None else _vector(text) for text in data["vectors"])
        return Embedded(vectors, reasons, int(data["tokens"]))
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError("not a line of the model's process") from error


def _vector(text: str) -> Vector:
    import numpy as np

    return np.frombuffer(b64decode(text, validate=True), dtype="<f4").astype(np.float32)
