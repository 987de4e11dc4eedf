"""What a wire shape is: texts in, the body of one request; its answer in, vectors out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from engine.embeddings.contract import Vector

Purpose = Literal["document", "query"]
"""What a text is embedded for; asymmetric models want to know."""


@dataclass(frozen=True, slots=True)
class Call:
    """One request without its address and key: the path below the base address, and the body."""

    path: str
    body: bytes


@dataclass(frozen=True, slots=True)
class Decoded:
    """The vectors of an answer in the order of the texts.

    Each is float32 of unit length; None where ``problems`` says, by place, why there
    is none. ``tokens`` is the server's count, None when it gives none.
    """

    vectors: tuple[Vector | None, ...]
    problems: Mapping[int, str]
    tokens: int | None


class AnswerError(Exception):
    """The answer as a whole is not what the shape says; the text says how."""


class TooManyTextsError(Exception):
    """The shape puts no more than ``rows`` texts into one request."""

    def __init__(self, rows: int) -> None:
        super().__init__(f"at most {rows} texts a request")
        self.rows = rows


class WireShape(Protocol):
    """The dialect of one kind of embeddings API; pure, and made for one model.

    ``version`` names what the shape does to texts and vectors beyond the plain
    request (a prefix, a cut); it is part of the vector space. Empty when it does nothing.
    """

    @property
    def version(self) -> str:
        """A short name of the treatment; changes whenever the vectors would."""
        ...

    def encode(self, texts: Sequence[str], purpose: Purpose, model: str) -> Call:
        """One request for all texts; ``model`` is the name that the server wants to hear.

        Raises TooManyTextsError.
        """
        ...

    def decode(self, body: bytes, count: int) -> Decoded:
        """The vectors for ``count`` texts. Raises AnswerError."""
        ...
