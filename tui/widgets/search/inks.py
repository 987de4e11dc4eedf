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
        "search--title",
        "search--rule",
        "search--warning",
        "search--key",
    }
    DEFAULT_CSS = """
    Inks {
        .search--vector { color: $score-vector; }
        .search--text { color: $score-text; }
        .search--lost { color: $score-lost; }
        .search--muted { color: $text-muted; }
        .search--number { text-style: bold; }
        .search--rise { color: $success; text-style: bold; }
        .search--fall { color: $error; text-style: bold; }
        .search--fresh { color: $warning; text-style: bold; }
        .search--title { color: $primary; text-style: bold; }
        .search--rule { color: $secondary; }
        .search--warning { color: $warning; }
        .search--key { color: $accent; text-style: bold; }
    }
    """
