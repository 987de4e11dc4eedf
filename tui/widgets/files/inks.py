"""The inks of the Files screen: one name per meaning, set once for all its parts."""

from __future__ import annotations

from typing import ClassVar

from textual.containers import Container


class FilesInks(Container):
    """Holds the parts of the Files screen; a style ``.files--x`` inside means these.

    No meaning is told by an ink alone: states have a sign and a word, overlaps a sign of
    their own in the gutter, marked words an underline, found places reversed colours.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "files--heading",
        "files--list",
        "files--quote",
        "files--code",
        "files--strong",
        "files--link",
        "files--rule",
        "files--muted",
        "files--border",
        "files--hit",
        "files--good",
        "files--dirty",
        "files--bad",
        "files--folder",
        "files--key",
    }
    DEFAULT_CSS = """
    FilesInks {
        .files--heading { color: $primary; text-style: bold; }
        .files--list { color: $accent; text-style: bold; }
        .files--quote { color: $text-muted; text-style: italic; }
        .files--code { color: $success; }
        .files--strong { text-style: bold; }
        .files--link { color: $primary; }
        .files--rule { color: $secondary; }
        .files--muted { color: $text-muted; }
        .files--border { color: $secondary; }
        .files--hit { color: $accent; text-style: bold; }
        .files--good { color: $success; }
        .files--dirty { color: $warning; text-style: bold; }
        .files--bad { color: $error; text-style: bold; }
        .files--folder { color: $primary; text-style: bold; }
        .files--key { color: $accent; text-style: bold; }
    }
    """
