"""Light colouring of a line of Markdown source: what it is, and a few things inside it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

HEADING = ".files--heading"
LIST = ".files--list"
QUOTE = ".files--quote"
CODE = ".files--code"
STRONG = ".files--strong"
LINK = ".files--link"
TABLE = ".files--rule"

_HEADING = re.compile(r" {0,3}#{1,6}(?= |$)")
_LIST = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])(?: \[[ xX]\])?(?= |$)")
_QUOTE = re.compile(r" {0,3}>")
_RULE = re.compile(r" {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$")
_TABLE = re.compile(r"\s*\|")
_INSIDE = re.compile(
    r"(?P<code>(`+)(?!`)[^`]{1,300}?\2(?!`))"
    r"|(?P<strong>(\*\*|__)(?=\S)[^*_]{1,300}?\S?\4)"
    r"|(?P<link>\[[^\[\]]{1,300}\]\([^()\s]{1,500}\)|https?://[^\s<>()]{1,500})"
)
_INSIDE_STYLES = {"code": CODE, "strong": STRONG, "link": LINK}
_TELLING = frozenset("`*_[:")


@dataclass(frozen=True, slots=True)
class Ink:
    """A style for the text between two offsets."""

    start: int
    end: int
    style: str


def inks(text: str, *, fenced: bool) -> list[Ink]:
    """The inks of one shown line, outer ones first; ``fenced`` lines are code as a whole."""
    if fenced:
        return [Ink(0, len(text), CODE)]
    if _HEADING.match(text):
        return [Ink(0, len(text), HEADING)]
    return [*_of_block(text), *_inside(text)]


def _of_block(text: str) -> Iterator[Ink]:
    if _RULE.match(text):
        yield Ink(0, len(text), TABLE)
    elif found := _LIST.match(text):
        yield Ink(0, found.end(), LIST)
    elif _QUOTE.match(text):
        yield Ink(0, len(text), QUOTE)
    elif _TABLE.match(text):
        yield from (Ink(at, at + 1, TABLE) for at, char in enumerate(text) if char == "|")


def _inside(text: str) -> Iterator[Ink]:
    if _TELLING.isdisjoint(text):
        return
    for found in _INSIDE.finditer(text):
        kind = found.lastgroup
        if kind in _INSIDE_STYLES:
            yield Ink(found.start(), found.end(), _INSIDE_STYLES[kind])
