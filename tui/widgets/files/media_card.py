"""A picture or a recording as a card: what it is called, how large it is, what kind."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from tui.wording import size

if TYPE_CHECKING:
    from engine.sources.media_card import MediaCard

_KINDS = {"image": "Picture", "audio": "Recording"}


def card_words(card: MediaCard) -> str:
    """The card as lines of text; the content of the file is never shown."""
    changed = datetime.fromtimestamp(card.mtime_ms / 1000).strftime("%Y-%m-%d %H:%M")
    return (
        f"{_KINDS[card.modality]}\n\n"
        f"path     {card.path}\n"
        f"size     {size(card.size)} ({card.size:,} bytes)\n"
        f"type     {card.mime_type}\n"
        f"changed  {changed}\n\n"
        "It is found by what it holds and by its name. It has no text to read here."
    )
