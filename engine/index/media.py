"""Putting the bytes of media files beside the texts that stand for them, when they are sent."""

from __future__ import annotations

from collections.abc import Iterable

from engine.embeddings.media_text import MediaText
from engine.errors import PathError
from engine.sources.found import FoundFile
from engine.sources.media import LABELS, label_of, modality_of
from engine.sources.reading import file_hash, read_media

_LABELS = tuple(LABELS.values())


def may_be_media(text: str) -> bool:
    """True for a text that is worded like one that stands for a media file."""
    return text.startswith(_LABELS)


class MediaShelf:
    """The media files of a scan, by the texts that stand for them."""

    def __init__(self, files: Iterable[FoundFile] = ()) -> None:
        self._files: dict[str, FoundFile] = {}
        for file in files:
            modality = modality_of(file.path)
            if modality is not None:
                self._files[label_of(file.path, modality)] = file

    def sent(self, chunk_hash: str, text: str) -> str:
        """The text as it goes to the provider; a media file is read for it.

        A note may hold the very words that stand for a file: only the hash, which covers
        the file's content, makes a text one. Raises PathError when the file is gone or
        has changed since it was indexed.
        """
        if not may_be_media(text) or file_hash(text) == chunk_hash:
            return text
        file = self._files.get(text)
        if file is None:
            raise PathError("File not found", f"{text} is not there (any more).", "Sync again.")
        content = read_media(file)
        if content.hash != chunk_hash:
            raise PathError("File changed", f"{text} has changed meanwhile.", "Sync again.")
        return MediaText(content.text, content.mime_type, content.data)
