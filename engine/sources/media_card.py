"""What can be said of a picture or a recording without showing what is in it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine.errors import PathError
from engine.sources.found import FoundFile
from engine.sources.media import Modality, modality_of
from engine.sources.reading import read_media


@dataclass(frozen=True, slots=True)
class MediaCard:
    """A media file of the memory; ``size`` in bytes, ``mtime_ms`` since the epoch."""

    path: str
    modality: Modality
    mime_type: str
    size: int
    mtime_ms: float


def media_card(files: Iterable[FoundFile], path: str) -> MediaCard:
    """The card of a media file that a scan found. Raises PathError."""
    modality = modality_of(path)
    found = next((file for file in files if file.path == path), None)
    if modality is None or found is None:
        raise PathError(
            "Not part of the memory",
            f"{path} is no media file of this memory (any more).",
            "Media files count below extraPaths only, with multimodal.enabled.",
        )
    mime_type = read_media(found).mime_type
    return MediaCard(path, modality, mime_type, found.size, found.mtime_ms)
