"""Tokens where a provider counts none: a guess from the length of the texts."""

from __future__ import annotations

from collections.abc import Iterable

BYTES_PER_TOKEN = 4
"""UTF-8 bytes of a token in English text, as the originals count."""


def estimated_tokens(texts: Iterable[str]) -> int:
    """A quarter of the UTF-8 bytes of all texts, rounded up."""
    return tokens_of_bytes(sum(len(text.encode("utf-8", "replace")) for text in texts))


def tokens_of_bytes(octets: int) -> int:
    """A quarter, rounded up."""
    return -(-octets // BYTES_PER_TOKEN)
