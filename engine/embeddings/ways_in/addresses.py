"""Base addresses out of the spellings that people write, each for its own service."""

from __future__ import annotations


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
