"""Texts that are too long for a model, cut into windows that are not."""

from __future__ import annotations

from collections.abc import Callable

Count = Callable[[str], int]
"""The tokens of a text as the model counts them, its own marks included."""


def windows(text: str, most_tokens: int, count: Count) -> list[tuple[str, int]]:
    """The text in as few windows of about one length as its tokens allow, with their tokens.

    Cuts fall on white space where there is any near. A text that fits stays whole. Raises
    ValueError when a single character does not fit.
    """
    tokens = count(text)
    if tokens <= most_tokens:
        return [(text, tokens)]
    if len(text) < 2:
        raise ValueError("one character has more tokens than the model takes")
    found: list[tuple[str, int]] = []
    for part in _cut(text, min(-(-tokens // most_tokens), len(text))):
        found += windows(part, most_tokens, count)
    return found


def _cut(text: str, parts: int) -> list[str]:
    """So many pieces that together are the text, each of at least one character."""
    cuts = [0]
    for number in range(1, parts):
        cuts.append(max(_near_space(text, len(text) * number // parts, parts), cuts[-1] + 1))
    ends = [*cuts[1:], len(text)]
    return [text[start:end] for start, end in zip(cuts, ends, strict=True) if start < end]


def _near_space(text: str, place: int, parts: int) -> int:
    """The last place behind white space in the quarter of a piece before ``place``."""
    reach = len(text) // parts // 4
    for at in range(place, max(place - reach, 1), -1):
        if text[at - 1].isspace():
            return at
    return place
