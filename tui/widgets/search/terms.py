"""Where the words of a query stand in a text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise

from textual.content import Content

from engine.retrieval.porter import stem
from tui.text import safe

MARK = "bold underline on $hit-background"
_CJK = "\u1100-\u11ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
_WORD = re.compile(rf"[{_CJK}]+|[^\W_{_CJK}]+")
_IS_CJK = re.compile(rf"[{_CJK}]")
_stem = lru_cache(maxsize=8192)(stem)


def term_spans(text: str, terms: Iterable[str]) -> list[tuple[int, int]]:
    """Half-open character ranges of the text that match a term, in order, without overlap.

    Case and accents do not count. A word matches in all forms with its stem; of Chinese,
    Japanese and Korean each pair of neighbouring characters matches, as in the index.
    """
    wanted = _wanted(tuple(terms))
    if not wanted:
        return []
    return list(_joined(_matches(_fold(text), wanted)))


def best_line(text: str, terms: Iterable[str]) -> int:
    """The 0-based line that holds the most different words of the query, the first of equals.

    Without any match it is the first line that is not blank.
    """
    spans = term_spans(text, terms)
    if not spans:
        lines = enumerate(text.split("\n"))
        return next((number for number, line in lines if line.strip()), 0)
    found: dict[int, set[str]] = {}
    for start, end in spans:
        found.setdefault(text.count("\n", 0, start), set()).add(_stem(_fold(text[start:end])))
    return max(found, key=lambda number: len(found[number]))


def marked(text: str, terms: Iterable[str], ink: str = MARK) -> Content:
    """The text letter for letter, with its matches in the ink of query terms."""
    content = Content(safe(text))
    for start, end in term_spans(text, terms):
        content = content.stylize(ink, start, end)
    return content


@lru_cache(maxsize=64)
def _wanted(terms: tuple[str, ...]) -> frozenset[str]:
    """Stems of words, and single characters or pairs of CJK."""
    found: set[str] = set()
    for term in terms:
        for word in _WORD.findall(_fold(term)):
            if not _IS_CJK.match(word):
                found.add(_stem(word))
            elif len(word) == 1:
                found.add(word)
            else:
                found.update(a + b for a, b in pairwise(word))
    return frozenset(found)


def _matches(folded: str, wanted: frozenset[str]) -> Iterator[tuple[int, int]]:
    for match in _WORD.finditer(folded):
        word, start = match[0], match.start()
        if not _IS_CJK.match(word):
            if _stem(word) in wanted:
                yield match.span()
            continue
        for place in range(len(word)):
            if word[place] in wanted:
                yield start + place, start + place + 1
            if word[place : place + 2] in wanted:
                yield start + place, min(start + place + 2, match.end())


def _joined(spans: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Spans that touch or overlap as one; they come in order of their start."""
    open_start, open_end = -1, -1
    for start, end in spans:
        if open_start >= 0 and start <= open_end:
            open_end = max(open_end, end)
            continue
        if open_start >= 0:
            yield open_start, open_end
        open_start, open_end = start, end
    if open_start >= 0:
        yield open_start, open_end


def _fold(text: str) -> str:
    """Lower case without accents, one character for one character."""
    if text.isascii():
        return text.lower()
    return "".join(_plain_letter(letter) for letter in text)


@lru_cache(maxsize=4096)
def _plain_letter(letter: str) -> str:
    base = unicodedata.normalize("NFD", letter)[0] if letter < "⺀" else letter
    folded = base.lower()
    return folded if len(folded) == 1 else base
