"""Where the words of a query stand in a text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from textual.content import Content

from tui.text import safe

MARK = ".search--mark"
_ENDINGS = ("ings", "ing", "ies", "ied", "ed", "es", "s", "e", "y")
_FORMS = "(?:s|e|es|ed|er|ers|ing|ings|y|ies|ied|ion|ions|ation|al|ly)?"
_LETTERS_LEFT = 3


def term_spans(text: str, terms: Iterable[str]) -> list[tuple[int, int]]:
    """Half-open character ranges of the text that match a term, in order, without overlap.

    Case and accents do not count. A Latin word also matches in its other forms (the
    keyword index may hold stems); terms of other scripts match anywhere.
    """
    pattern = _pattern(tuple(terms))
    if pattern is None:
        return []
    return [match.span() for match in pattern.finditer(_fold(text))]


def first_match(text: str, terms: Iterable[str]) -> tuple[int, str]:
    """The first line with a match, or else the first that is not blank, with its 0-based number."""
    lines = text.splitlines() or [""]
    spans = term_spans(text, terms)
    if spans:
        number = len(text[: spans[0][0] + 1].splitlines()) - 1
        return number, lines[number]
    return next(((i, found) for i, found in enumerate(lines) if found.strip()), (0, lines[0]))


def marked(text: str, terms: Iterable[str], ink: str = MARK) -> Content:
    """The text letter for letter, with its matches in the ink of query terms."""
    content = Content(safe(text))
    for start, end in term_spans(text, terms):
        content = content.stylize(ink, start, end)
    return content


@lru_cache(maxsize=64)
def _pattern(terms: tuple[str, ...]) -> re.Pattern[str] | None:
    parts = sorted({_part(_fold(term)) for term in terms if term.strip()}, key=len, reverse=True)
    return re.compile("|".join(parts)) if parts else None


def _part(term: str) -> str:
    if not term.isascii() or not term.isalpha():
        inside = not term[0].isascii()
        return re.escape(term) if inside else rf"(?<!\w){re.escape(term)}"
    return rf"(?<!\w)(?:{term}|{_stem(term)}{_FORMS})(?!\w)"


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _LETTERS_LEFT:
            return word[: -len(ending)]
    return word


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
