"""Which providers take batch jobs, and in which dialect."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.embeddings.batch_jobs.dialect import BatchDialect
    from engine.embeddings.batch_jobs.service import BatchService
    from engine.embeddings.contract import KnownSize
    from engine.embeddings.remote.access import Access
    from engine.embeddings.remote.settings import RemoteSettings
    from engine.net.client import HttpClient
    from engine.net.streaming import StreamingTransport

DIALECTS = frozenset({"openai", "voyage", "gemini"})
"""By adapter. A server that only speaks like OpenAI may refuse, which is found out then."""


def batch_service(
    settings: object,
    space: str,
    client: HttpClient,
    transport: StreamingTransport,
    known_size: KnownSize,
) -> BatchService | None:
    """The batch jobs of an endpoint that fill a vector space; None where there are none.

    ``settings`` are those of any provider. Sends nothing.
    """
    from engine.embeddings.remote.settings import RemoteSettings

    if not isinstance(settings, RemoteSettings):
        return None
    if settings.adapter not in DIALECTS or settings.local:
        return None
    from engine.embeddings.batch_jobs.exchange import Exchange
    from engine.embeddings.batch_jobs.service import BatchService

    dialect, access = _parts(settings)
    exchange = Exchange(settings, access, client)
    return BatchService(dialect, exchange, transport, space, known_size)


def _parts(settings: RemoteSettings) -> tuple[BatchDialect, Access]:
    if settings.adapter == "gemini":
        from engine.embeddings.batch_jobs.gemini import GeminiBatches
        from engine.embeddings.shapes.gemini import GeminiShape
        from engine.embeddings.shapes.gemini_access import GeminiAccess

        return GeminiBatches(GeminiShape(settings)), GeminiAccess(settings)
    from engine.embeddings.remote.access import KeyAccess
    from engine.embeddings.shapes.openai import OpenAIShape

    if settings.adapter == "voyage":
        from engine.embeddings.batch_jobs.voyage import VoyageBatches

        shape = OpenAIShape(settings, "output_dimension")
        return VoyageBatches(shape), KeyAccess(settings)
    from engine.embeddings.batch_jobs.openai import OpenAIBatches

    return OpenAIBatches(OpenAIShape(settings)), KeyAccess(settings)
