"""Where and how a remote provider is asked: what selection decides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.embeddings.contract import ProviderLimits
from engine.embeddings.remote.limits import openai_limits
from engine.net.secret import Secret

LIMITS = openai_limits("")
QUERY_SECONDS = 60.0
INDEX_SECONDS = 120.0
CONCURRENCY = 4


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

    ``adapter`` names the wire shape and the way in, see ``engine.embeddings.adapters``.
    The key travels in ``key_header``, as a bearer when that is ``authorization``.
    ``variables`` are further values of the environment that the way in asks for.
    ``headers`` are extra ones and win over ours, an ``Authorization`` among them over
    the key. ``index_seconds`` bounds one indexing request, ``query_seconds`` one query;
    ``concurrency`` is how many indexing requests may run at once. ``local`` says that a
    server on this machine takes no key: texts do not leave, nothing is paid. ``note``
    tells what of the configuration is not sent as written.
    """

    provider: str
    base_url: str
    wire: WireSettings
    key: Secret | None = None
    key_source: str | None = None
    key_header: str = "authorization"
    variables: Mapping[str, Secret] = field(default_factory=dict, repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    query_input_type: str | None = None
    document_input_type: str | None = None
    query_seconds: float = QUERY_SECONDS
    index_seconds: float = INDEX_SECONDS
    concurrency: int = CONCURRENCY
    limits: ProviderLimits = LIMITS
    adapter: str = "openai"
    local: bool = False
    note: str = ""

    @property
    def model(self) -> str:
        """The model as it is named to a person and in the index."""
        return self.wire.model

    @property
    def remote(self) -> bool:
        """True when texts leave this machine or are paid for."""
        return not self.local
