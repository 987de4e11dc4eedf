"""The mark that some editors put before a text: it belongs to the file, not to what is read."""

from __future__ import annotations

BYTE_ORDER_MARK = "\ufeff"


def readable(text: str) -> str:
    """The text without a byte order mark at its start."""
    return text.removeprefix(BYTE_ORDER_MARK)
