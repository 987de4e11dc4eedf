"""Citations: where a result comes from, and whether an answer carries them."""

from __future__ import annotations

from typing import Literal

CitationMode = Literal["auto", "on", "off"]

_SHARED = frozenset({"channel", "group"})


def citation(path: str, start_line: int, end_line: int) -> str:
    """``path#L3`` or ``path#L3-L9``."""
    last = f"-L{end_line}" if end_line != start_line else ""
    return f"{path}#L{start_line}{last}"


def includes_citations(mode: CitationMode, session_key: str | None) -> bool:
    """Always, never, or (``auto``) only in direct chats.

    A session key is shared when ``channel`` or ``group`` stands among the parts after
    ``agent:<id>:``; no key counts as direct.
    """
    if mode != "auto":
        return mode == "on"
    parts = (session_key or "").lower().split(":")
    tokens = parts[2:] if parts[0] == "agent" else parts
    return _SHARED.isdisjoint(tokens)
