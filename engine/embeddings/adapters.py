"""From the name of an adapter to its wire shape and its way in; loads only what is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.embeddings.contract import EmbeddingProvider, KnownSize, Tell, tell_nobody

if TYPE_CHECKING:
    from engine.embeddings.remote.access import Access
    from engine.embeddings.remote.settings import RemoteSettings
    from engine.embeddings.remote.wire import WireShape
    from engine.net.client import HttpClient


def remote_provider(
    settings: RemoteSettings,
    client: HttpClient,
    known_size: KnownSize,
    tell: Tell = tell_nobody,
) -> EmbeddingProvider:
    """The provider of an endpoint. Raises KeyError for an adapter that does not exist."""
    from engine.embeddings.remote.provider import RemoteProvider

    shape, access = _parts(settings, tell)
    return RemoteProvider(settings, shape, access, client, known_size)


def _parts(settings: RemoteSettings, tell: Tell) -> tuple[WireShape, Access]:
    from engine.embeddings.remote.access import KeyAccess

    match settings.adapter:
        case "openai":
            from engine.embeddings.shapes.openai import OpenAIShape

            return OpenAIShape(settings), KeyAccess(settings)
        case "gemini":
            from engine.embeddings.shapes.gemini import GeminiShape
            from engine.embeddings.shapes.gemini_access import GeminiAccess

            return GeminiShape(settings), GeminiAccess(settings)
        case "voyage" | "mistral":
            from engine.embeddings.shapes.openai import OpenAIShape

            return OpenAIShape(settings, "output_dimension"), KeyAccess(settings)
        case "ollama":
            from engine.embeddings.shapes.ollama import OllamaRoute, OllamaShape
            from engine.embeddings.ways_in.ollama import OllamaAccess

            route = OllamaRoute()
            return OllamaShape(settings, route), OllamaAccess(settings, route, tell)
        case "lmstudio":
            from engine.embeddings.shapes.openai import OpenAIShape
            from engine.embeddings.ways_in.lmstudio import LMStudioAccess

            return OpenAIShape(settings), LMStudioAccess(settings, tell)
        case "github-copilot":
            from engine.embeddings.shapes.openai import OpenAIShape
            from engine.embeddings.ways_in.copilot import CopilotAccess

            return OpenAIShape(settings), CopilotAccess(settings)
        case "bedrock":
            from engine.embeddings.shapes.bedrock.shape import BedrockShape
            from engine.embeddings.ways_in.bedrock import bedrock_access

            return BedrockShape(settings), bedrock_access(settings)
    raise KeyError(settings.adapter)
