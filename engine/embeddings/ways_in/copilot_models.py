"""Copilot's list of models: the ones that make embeddings, the preferred ones first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.errors import ProviderError

PREFERRED = ("text-embedding-3-small", "text-embedding-3-large", "text-embedding-ada-002")


def offered_models(answer: Mapping[str, Any]) -> tuple[str, ...]:
    """Names of the embedding models, without doubles; empty for an answer of another shape."""
    entries = answer.get("data")
    named = [
        str(entry["id"])
        for entry in (entries if isinstance(entries, list) else ())
        if isinstance(entry, dict) and isinstance(entry.get("id"), str) and _embeds(entry)
    ]
    return tuple(sorted(dict.fromkeys(named), key=_rank))


def unoffered(model: str, offered: Sequence[str]) -> ProviderError:
    """The error for a model that is not among the offered ones."""
    return ProviderError(
        "Model not there",
        f"Copilot offers no embedding model {model!r} for this login, but {', '.join(offered)}.",
        f"Set model to {offered[0]}.",
    )


def _embeds(entry: Mapping[str, Any]) -> bool:
    endpoints = entry.get("supported_endpoints")
    listed = [str(name) for name in endpoints] if isinstance(endpoints, list) else []
    return any("embeddings" in name for name in listed) or "embedding" in str(entry["id"])


def _rank(model: str) -> int:
    return PREFERRED.index(model) if model in PREFERRED else len(PREFERRED)
