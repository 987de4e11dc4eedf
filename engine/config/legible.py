"""Names from files, made fit for a sentence."""

from __future__ import annotations


def legible(text: str, length: int = 80) -> str:
    """A name cut to a length, without characters that could act or hide."""
    shown = "".join(c if c.isprintable() else "\ufffd" for c in text[:length])
    return shown if len(text) <= length else f"{shown}…"


def legible_path(path: object) -> str:
    """A path for a sentence; long ones are cut at the end."""
    return legible(str(path), 400)
