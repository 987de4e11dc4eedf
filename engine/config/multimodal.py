"""When pictures and sound can be embedded at all, by the keys that stand beside each other."""

from __future__ import annotations

from collections.abc import Iterator

from engine.config.layers import Settings

MODEL = "gemini-embedding-2"
"""Its preview can do it too."""
MOST_BYTES = 14 * 1024 * 1024
"""A request holds 20 MB, and base64 makes four bytes of three."""


def obstacles(settings: Settings) -> Iterator[tuple[str, str]]:
    """What keeps ``multimodal.enabled`` from having any effect, each with its remedy."""
    provider, model = settings["provider"].value, settings["model"].value
    if provider.strip() != "gemini":
        yield (
            f"multimodal.enabled needs provider gemini, not {provider}",
            f'Set provider to "gemini" and model to "{MODEL}".',
        )
    elif not model.strip().rpartition("/")[2].startswith(MODEL):
        named = model or "the default model"
        yield f"multimodal.enabled needs model {MODEL}, not {named}", f'Set model to "{MODEL}".'
    fallback = settings["fallback"].value
    if fallback.strip() not in ("", "none"):
        yield (
            f"multimodal.enabled needs fallback none, because {fallback} has no vectors for "
            "media files",
            'Set fallback to "none".',
        )
