"""The base address that is meant by what people write for it."""

from __future__ import annotations

from urllib.parse import urlsplit, urlunsplit

_GEMINI_HOST = "generativelanguage.googleapis.com"


def gemini_address(url: str) -> str:
    """Without the OpenAI-shaped part (``/openai`` and on); the bare host gets its version."""
    try:
        parts = urlsplit(url.strip())
    except ValueError:
        return url
    path = parts.path.split("/openai")[0].rstrip("/")
    if not path and parts.hostname == _GEMINI_HOST:
        path = "/v1beta"
    return urlunsplit(parts._replace(path=path))


def ollama_address(base_url: str) -> str:
    """The server's root; other programs want ``/v1`` or ``/api`` behind it."""
    return _root(base_url, "/v1", "/api")


def lmstudio_address(base_url: str) -> str:
    """Where LM Studio speaks like OpenAI."""
    return f"{_root(base_url, '/api/v1', '/api/v0', '/v1')}/v1"


def _root(base_url: str, *ends: str) -> str:
    root = base_url.strip().rstrip("/")
    for end in ends:
        root = root.removesuffix(end)
    return root
