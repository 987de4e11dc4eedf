"""The only door through which text reaches a widget.

Files, names, provider answers and queries are untrusted. Two things can go wrong
with them in a terminal: a widget may read them as markup (styles, links, actions),
and control characters may reach the terminal itself (title, clipboard, colours).
Every builder here returns ``Content``, which is never parsed as markup, and passes
its text through ``safe`` first.
"""

from __future__ import annotations

import re

from rich.cells import cell_len, split_graphemes
from textual.content import Content
from textual.style import Style

from engine.untrusted import visible

ELLIPSIS = "…"
_BLANKS = re.compile(r"\s+")


def safe(text: str) -> str:
    """The same text with every character that could act or hide replaced by a picture.

    One character becomes exactly one character, so offsets into the original hold.
    Newlines and tabs stay. Never raises.
    """
    return visible(text)


def line(text: str) -> str:
    """``safe`` for one line: every run of blanks, tabs and newlines becomes one space."""
    return safe(_BLANKS.sub(" ", text)).strip()


def plain(text: str, style: str | Style = "") -> Content:
    """Content that shows the text letter for letter, in one style."""
    return Content.styled(safe(text), style) if style else Content(safe(text))


def assemble(*parts: str | Content | tuple[str, str | Style]) -> Content:
    """Content from pieces, each a text or a text with its style; never markup.

    A part that is ``Content`` already must come from this module.
    """
    return Content.assemble(*(_safe_part(part) for part in parts))


def _safe_part(
    part: str | Content | tuple[str, str | Style],
) -> str | Content | tuple[str, str | Style]:
    if isinstance(part, Content):
        return part
    if isinstance(part, str):
        return safe(part)
    text, style = part
    return safe(text), style


def width(text: str) -> int:
    """How many terminal cells the text takes on one line."""
    return cell_len(text)


def cut(text: str, cells: int, ellipsis: str = ELLIPSIS) -> str:
    """The text in at most ``cells`` cells, ending in an ellipsis when something went.

    Wide characters and joined emoji are kept or dropped whole. The text is made
    safe and put on one line.
    """
    text = line(text)
    if cell_len(text) <= cells:
        return text
    room = cells - cell_len(ellipsis)
    if room < 0:
        return ellipsis[: max(cells, 0)]
    return text[: _fitting(text, room)].rstrip() + ellipsis


def cut_left(text: str, cells: int, ellipsis: str = ELLIPSIS) -> str:
    """Like ``cut``, but the end of the text is kept; paths tell most at their end."""
    text = line(text)
    total = cell_len(text)
    room = cells - cell_len(ellipsis)
    if total <= cells:
        return text
    if room < 0:
        return ellipsis[: max(cells, 0)]
    for start, _, size in split_graphemes(text)[0]:
        if total <= room:
            return ellipsis + text[start:]
        total -= size
    return ellipsis


def pad(text: str, cells: int, align: str = "left", ellipsis: str = ELLIPSIS) -> str:
    """Exactly ``cells`` cells: cut or filled with blanks; ``align`` is "left" or "right"."""
    text = cut(text, cells, ellipsis)
    blanks = " " * (cells - cell_len(text))
    return blanks + text if align == "right" else text + blanks


def _fitting(text: str, cells: int) -> int:
    """The index before which the text fits into ``cells`` cells, between whole graphemes."""
    used = 0
    for start, _, size in split_graphemes(text)[0]:
        used += size
        if used > cells:
            return start
    return len(text)
