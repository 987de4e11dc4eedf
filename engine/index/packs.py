"""Cutting texts into what a provider takes with one call."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from engine.index.media import may_be_media

if TYPE_CHECKING:
    from engine.embeddings.contract import ProviderLimits

Text = tuple[str, str]
"""A chunk's hash and its text."""

FEWEST_TO_SHARE = 32
"""Fewer texts are not spread over several requests: one round trip is quicker then."""


def packs(
    texts: Iterable[Text], limits: Callable[[], ProviderLimits], expected: int
) -> Iterator[Sequence[Text]]:
    """Cut texts into what fits one request each; a text over the limit and a media file
    stand alone.

    ``limits`` is asked for each pack, because a provider learns. ``expected`` is the
    number of texts: few ones are spread evenly over the requests that may run at once.
    """
    pack: list[Text] = []
    size = 0
    now = limits()
    for text in texts:
        length = len(text[1].encode("utf-8", "replace"))
        alone = may_be_media(text[1])
        full = len(pack) >= _most_inputs(now, expected) or size + length > now.bytes_per_request
        if pack and (full or alone or may_be_media(pack[-1][1])):
            yield pack
            pack, size, now = [], 0, limits()
        pack.append(text)
        size += length
    if pack:
        yield pack


def _most_inputs(limits: ProviderLimits, expected: int) -> int:
    share = max(-(-expected // limits.concurrency), FEWEST_TO_SHARE)
    return max(1, min(limits.inputs_per_request, share))
