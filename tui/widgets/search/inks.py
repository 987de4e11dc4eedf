"""The inks of the Search screen: one name per meaning, set once for all its parts."""

from __future__ import annotations

from typing import ClassVar

from textual.containers import Vertical


class Inks(Vertical):
    """Holds the parts of the Search screen; a style ``.search--x`` inside means these.

    No meaning is told by an ink alone: shares of a bar have their own glyphs, changes
    of rank their signs, marked words an underline.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "search--vector",
        "search--text",
        "search--lost",
        "search--muted",
        "search--number",
        "search--rise",
        "search--fall",
        "search--fresh",
        "search--mark",
        "search--title",
        "search--warning",
        "search--key",
    }
    DEFAULT_CSS = """
    Inks {
        .search--vector { color: $primary; }
        .search--text { color: $accent; }
        .search--lost { color: $foreground-muted; }
        .search--muted { color: $foreground-muted; }
        .search--number { text-style: bold; }
        .search--rise { color: $success; text-style: bold; }
        .search--fall { color: $error; }
        .search--fresh { color: $warning; text-style: bold; }
        .search--mark { color: $warning; text-style: bold underline; }
        .search--title { color: $foreground-muted; text-style: bold; }
        .search--warning { color: $warning; }
        .search--key { color: $accent; text-style: bold; }
    }
    """
