"""Texts from files, made fit to be stored and to stand in a sentence."""

from __future__ import annotations

import re

_SURROGATES = re.compile("[\ud800-\udfff]")


def without_surrogates(text: str) -> str:
    """Surrogate pairs joined, lone surrogates as U+FFFD: text that UTF-8 can hold."""
    if not _SURROGATES.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def legible(text: str, length: int = 80) -> str:
    """A name cut to a length, without characters that could act or hide."""
    shown = "".join(c if c.isprintable() else "\ufffd" for c in text[:length])
    return shown if len(text) <= length else f"{shown}…"


def legible_path(path: object) -> str:
    """A path for a sentence; long ones are cut at the end."""
    return legible(str(path), 400)
