"""A text that stands for a picture or a recording, with the bytes that are embedded beside it."""

from __future__ import annotations


class MediaText(str):
    """The text itself to everybody who does not ask; ``data`` is the whole file.

    Only a provider that takes media is given one, and embeds text and data together.
    """

    __slots__ = ("data", "mime_type")

    mime_type: str
    data: bytes

    def __new__(cls, text: str, mime_type: str, data: bytes) -> MediaText:
        """A text with its file beside it."""
        made = super().__new__(cls, text)
        made.mime_type = mime_type
        made.data = data
        return made
