"""Fitting sentences into cells without cutting a number in two."""

from __future__ import annotations

from tui.text import ELLIPSIS, cut, line, width


def cut_words(text: str, cells: int, ellipsis: str = ELLIPSIS) -> str:
    """The text in at most ``cells`` cells, cut between words; a single long word is cut inside."""
    text = line(text)
    if width(text) <= cells:
        return text
    short = cut(text, cells, ellipsis)
    head = short.removesuffix(ellipsis)
    if text[len(head) : len(head) + 1].isspace() or " " not in head:
        return short
    return head[: head.rindex(" ")].rstrip(" ,;:·") + ellipsis
