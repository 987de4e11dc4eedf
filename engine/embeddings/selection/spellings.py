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
