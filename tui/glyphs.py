"""The signs that carry state; a second set for terminals without Unicode.

No state is told by colour alone, so each has a sign here and mostly a word beside it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from textual.dom import DOMNode


@dataclass(frozen=True, slots=True)
class Glyphs:
    """One set of signs; every one is a single cell wide unless it says otherwise."""

    name: str
    clean: str
    dirty: str
    running: str
    failed: str
    paused: str
    warning: str
    dot: str
    dash: str
    up: str
    down: str
    new: str
    same: str
    cursor: str
    bar: str
    bar_text: str
    bar_lost: str
    bar_empty: str
    rule: str
    pipe: str
    thick_pipe: str
    corner: str
    branch: str
    end: str
    times: str
    arrow: str
    fold_open: str
    fold_closed: str
    ellipsis: str
    """One cell in Unicode, three in ASCII."""


UNICODE = Glyphs(
    name="unicode",
    clean="✓",
    dirty="●",
    running="◐",
    failed="✗",
    paused="‖",
    warning="▲",
    dot="·",
    dash="—",
    up="▲",
    down="▼",
    new="★",
    same="=",
    cursor="▸",
    bar="█",
    bar_text="▓",
    bar_lost="░",
    bar_empty="░",
    rule="─",
    pipe="│",
    thick_pipe="┃",
    corner="┌",
    branch="├",
    end="└",
    times="×",
    arrow="→",
    fold_open="▾",
    fold_closed="▸",
    ellipsis="…",
)
ASCII = Glyphs(
    name="ascii",
    clean="=",
    dirty="*",
    running="~",
    failed="x",
    paused="#",
    warning="!",
    dot="-",
    dash="-",
    up="^",
    down="v",
    new="+",
    same="=",
    cursor=">",
    bar="#",
    bar_text="=",
    bar_lost=".",
    bar_empty=".",
    rule="-",
    pipe="|",
    thick_pipe="|",
    corner="+",
    branch="|",
    end="`",
    times="x",
    arrow=">",
    fold_open="v",
    fold_closed=">",
    ellipsis="...",
)
SETS = {glyphs.name: glyphs for glyphs in (UNICODE, ASCII)}


@runtime_checkable
class HasGlyphs(Protocol):
    """An application that has chosen a set."""

    @property
    def glyphs(self) -> Glyphs:
        """The set in use."""
        ...


def glyphs_of(node: DOMNode) -> Glyphs:
    """The set that the application of this node uses."""
    app = node.app
    return app.glyphs if isinstance(app, HasGlyphs) else UNICODE
