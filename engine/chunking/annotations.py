"""Annotations: one-line comments in a note that say how its text is to be weighed."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

INVALID_PROJECT = "!invalid-project-annotation"
"""The project key of a text whose project comment names none: such a text is never shown."""


@dataclass(frozen=True, slots=True)
class Annotations:
    """What the comments of a text say; empty where they say nothing.

    ``importance`` is 1..10. ``triggers`` are words and phrases that should bring the
    text to mind. ``projects`` are lower-case keys; the text belongs to all of them.
    """

    importance: int | None = None
    triggers: tuple[str, ...] = ()
    projects: tuple[str, ...] = ()


NO_ANNOTATIONS = Annotations()


@dataclass(frozen=True, slots=True)
class Comment:
    """One annotation as written: its 1-based line, its name and what follows the colon."""

    line: int
    name: str
    value: str


# Look-behinds and the barred "<!--" keep hostile lines (all blanks, all openings) linear.
_COMMENT = re.compile(
    r"(?<![ \t])[ \t]*<!--[ \t]*(importance|trigger|project):((?:(?!<!--).)*?)-->"
)
_LOOSE_END = re.compile(r"(?<![ \t])[ \t]+(?=\r?$)")
_IMPORTANCE = re.compile(r"0*([1-9]|10)")


def take_comments(text: str) -> tuple[str, Sequence[Comment]]:
    """The text without its annotations and the blanks before them, and the annotations.

    Lines keep their numbers; a comment of several lines is none.
    """
    if "<!--" not in text:
        return text, ()
    comments: list[Comment] = []
    lines = text.split("\n")
    for number, line in enumerate(lines, start=1):
        found = [Comment(number, match[1], match[2]) for match in _COMMENT.finditer(line)]
        if found:
            comments += found
            lines[number - 1] = _LOOSE_END.sub("", _COMMENT.sub("", line))
    return "\n".join(lines), comments


def of_lines(comments: Sequence[Comment], first: int, last: int) -> Sequence[Comment]:
    """Those of the comments, which are in order of lines, that stand on these lines."""
    begin = bisect_left(comments, first, key=lambda comment: comment.line)
    return comments[begin : bisect_right(comments, last, key=lambda comment: comment.line)]


def annotations_of(comments: Iterable[Comment]) -> Annotations:
    """What these comments say together: the highest importance, all triggers and projects."""
    comments = tuple(comments)
    if not comments:
        return NO_ANNOTATIONS
    grades = [grade for value in _values(comments, "importance") for grade in _importance(value)]
    return Annotations(
        importance=max(grades, default=None),
        triggers=_unique(part for v in _values(comments, "trigger") for part in _parts(v)),
        projects=projects_of(comments),
    )


def projects_of(comments: Iterable[Comment]) -> tuple[str, ...]:
    """The project keys of these comments; INVALID_PROJECT for a comment without any."""
    keys: list[str] = []
    for value in _values(comments, "project"):
        keys += [part.lower() for part in _parts(value)] or [INVALID_PROJECT]
    return _unique(keys)


def _values(comments: Iterable[Comment], name: str) -> Iterator[str]:
    return (comment.value for comment in comments if comment.name == name)


def _importance(value: str) -> Iterator[int]:
    match = _IMPORTANCE.fullmatch(value.strip())
    if match:
        yield int(match[1])


def _parts(value: str) -> list[str]:
    return [part for piece in re.split("[,;]", value) if (part := piece.strip())]


def _unique(parts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(parts))
