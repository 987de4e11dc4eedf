"""Queries that are the name of a file: its path, its file name, or that without the suffix.

The rules follow spec/openclaw-2026-07-to-09.md, sections 3c and 12d.
"""

from __future__ import annotations

import unicodedata

PATH, NAME, STEM, NO_NAME = 3, 2, 1, 0
"""How exactly a query names a file; more is better."""


def folded_name(name: str) -> str:
    """A path or query as it is compared: forward slashes, no leading ``./``, NFC, lower case."""
    text = name.strip().replace("\\", "/").removeprefix("./")
    return unicodedata.normalize("NFC", text).lower()


def names_of(path: str) -> tuple[str, str, str]:
    """The three names of a folded path: all of it, the file name, the file name's stem."""
    name = path.rpartition("/")[2]
    stem, dot, _ = name.rpartition(".")
    return path, name, stem if dot and stem else name


def exact_tier(query: str, path: str) -> int:
    """3 when the query is the whole path, 2 the file name, 1 its stem, 0 none of them.

    Both come folded. A query with a slash can only be a whole path.
    """
    whole, name, stem = names_of(path)
    if not query:
        return NO_NAME
    if query == whole:
        return PATH
    if "/" in query:
        return NO_NAME
    if query == name:
        return NAME
    return STEM if query == stem else NO_NAME
