"""Keywords of a question, as the originals take them when they have no embeddings.

The rules follow spec/openclaw-2026-02-and-03.md, section 8; the words that are passed
over stand in ``passed_over``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from engine.retrieval.passed_over import PASSED_OVER

_KANA = re.compile("[\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f]")
_IDEOGRAPH = re.compile("[\u4e00-\u9fff\u3400-\u4dbf]")
_HANGUL = re.compile("[\uac00-\ud7af\u3131-\u318e]")
_JAPANESE = re.compile(
    "[a-z0-9_]+|[\u30a0-\u30ff\uff66-\uff9f]+|[\u4e00-\u9fff\u3400-\u4dbf]+|[\u3040-\u309f]{2,}"
)
_PARTICLES = (
    "에서", "으로", "까지", "부터", "처럼", "은", "는", "이", "가", "을", "를", "의", "에", "로",
    "와", "과", "도", "만",
)  # fmt: skip
_SHORT = re.compile("[a-z]{1,2}")


def keywords(query: str, *, pairs: bool = True) -> list[str]:
    """The keywords of a query in order, each once; none for a query of stop words only.

    Ideographs of a segment give single characters and ``pairs``; without pairs, as a
    trigram table is asked, they stay together.
    """
    segments = _segments(query.lower())
    found = (word for segment in segments for word in _words(segment, pairs))
    return list(dict.fromkeys(word for word in found if _counts(word)))


def _segments(text: str) -> list[str]:
    """Split at white space and at Unicode punctuation (not at symbols such as + and =)."""
    spaced = "".join(" " if unicodedata.category(char)[0] == "P" else char for char in text)
    return spaced.split()


def _words(segment: str, pairs: bool) -> Iterator[str]:
    if _KANA.search(segment):
        for part in _JAPANESE.findall(segment):
            yield part
            if pairs and _IDEOGRAPH.match(part):
                yield from _pairs(part)
    elif _IDEOGRAPH.search(segment):
        characters = "".join(_IDEOGRAPH.findall(segment))
        yield from (*characters, *_pairs(characters)) if pairs else (characters,)
    elif _HANGUL.search(segment):
        yield segment
        yield from _without_particle(segment)
    else:
        yield segment


def _pairs(text: str) -> Iterator[str]:
    return (text[at : at + 2] for at in range(len(text) - 1))


def _without_particle(segment: str) -> Iterator[str]:
    for particle in _PARTICLES:
        stem = segment.removesuffix(particle)
        if stem != segment:
            if len(stem) >= 2 or stem.isascii():
                yield stem
            return


def _counts(word: str) -> bool:
    """False for stop words, Latin words under three letters, and what has no letter."""
    if word in PASSED_OVER or _SHORT.fullmatch(word):
        return False
    return any(unicodedata.category(char)[0] == "L" for char in word)
