"""Where and how a remote provider is asked: what selection decides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.embeddings.contract import ProviderLimits
from engine.net.secret import Secret

LIMITS = ProviderLimits(inputs_per_request=2048, bytes_per_request=300_000, bytes_per_input=8192)
"""OpenAI counts tokens: 300,000 a request, 8,192 a text; a token is at least one byte."""
QUERY_SECONDS = 60.0
INDEX_SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class WireSettings:
    """What is sent beside the texts; None leaves a field out.

    ``base64`` asks for vectors as little-endian float32 in base64, a quarter of the
    bytes; an answer may hold either form whatever was asked.
    """

    model: str
    dimensions: int | None = None
    base64: bool = False


@dataclass(frozen=True, slots=True)
class RemoteSettings:
    """Where and how to ask; secrets stay out of ``repr``.

    ``headers`` are extra ones and win over ours, an ``Authorization`` among them over
    the key. ``index_seconds`` bounds one indexing request.
    """

    provider: str
    base_url: str
    wire: WireSettings
    key: Secret | None = None
    key_source: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    query_input_type: str | None = None
    document_input_type: str | None = None
    index_seconds: float = INDEX_SECONDS
    limits: ProviderLimits = LIMITS
    adapter: str = "openai"
    """The name of the wire shape and of the way in, see ``engine.embeddings.adapters``."""
    local: bool = False
    """A server on this machine that takes no key: texts do not leave, nothing is paid."""
