"""Markdown as a page to read: made on a worker thread, as lines that only need drawing.

Rich renders 16 kB in a fraction of the time that widgets for each paragraph take, it
touches no widget, and nothing in the result can be clicked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from typing import ClassVar

from rich.console import Console, ConsoleOptions, RenderResult
from rich.markdown import CodeBlock, Heading, Markdown, MarkdownElement
from rich.padding import Padding
from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from rich.theme import Theme

from tui.text import safe
from tui.widgets.files.document import Document
from tui.widgets.files.sections import MOST_CHARACTERS, Section

FEWEST_CELLS = 20
INKS = {
    "markdown.h1": "heading",
    "markdown.h2": "heading",
    "markdown.h3": "heading",
    "markdown.h4": "heading",
    "markdown.h5": "heading",
    "markdown.h6": "heading",
    "markdown.item.bullet": "list",
    "markdown.item.number": "list",
    "markdown.block_quote": "quote",
    "markdown.code": "code",
    "markdown.code_block": "code",
    "markdown.link": "link",
    "markdown.link_url": "muted",
    "markdown.hr": "rule",
    "markdown.table.border": "rule",
    "markdown.table.header": "heading",
}
"""Which ink of the Files screen each kind of Markdown text gets."""


@dataclass(frozen=True, slots=True)
class Rendered:
    """The lines of a section at a width, each as styled pieces of text."""

    section: Section
    cells: int
    lines: Sequence[Sequence[Segment]]


class _LeftHeading(Heading):
    """A heading at the left edge, under a line of its own when it is the first level."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        text = self.text
        text.justify = "left"
        yield Text("")
        yield text


class _PlainCode(CodeBlock):
    """Code in one ink, set in; colouring it by language would cost more than the page."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        text = Text(str(self.text).rstrip("\n"), style="markdown.code_block", overflow="fold")
        yield Padding(text, (0, 0, 0, 2))


class _Page(Markdown):
    elements: ClassVar[dict[str, type[MarkdownElement]]] = {
        **Markdown.elements,
        "heading_open": _LeftHeading,
        "fence": _PlainCode,
        "code_block": _PlainCode,
    }


def render(document: Document, section: Section, cells: int, inks: Mapping[str, Style]) -> Rendered:
    """Lay a section out for a width. ``inks`` are the screen's styles by ink name."""
    cells = max(FEWEST_CELLS, cells)
    theme = Theme({name: inks[ink] for name, ink in INKS.items() if ink in inks})
    console = Console(
        file=StringIO(),
        width=cells,
        height=100,
        color_system="truecolor",
        theme=theme,
        force_terminal=True,
        legacy_windows=False,
        emoji=False,
        markup=False,
        highlight=False,
    )
    page = _Page(source(document, section), hyperlinks=False)
    lines = console.render_lines(page, console.options, pad=False)
    while lines and not "".join(piece.text for piece in lines[0]).strip():
        lines = lines[1:]
    return Rendered(section, cells, [list(Segment.simplify(line)) for line in lines])


def source(document: Document, section: Section) -> str:
    """The text of a section, made safe, as Markdown that stands for itself."""
    text = document.extract(section.first, section.last).replace("\r\n", "\n")
    text = safe(text.removesuffix("\r")[: 2 * MOST_CHARACTERS])
    if section.front:
        return _fenced(text)
    return _fenced(text) if section.fenced else text


def _fenced(text: str) -> str:
    longest = max((len(run) for run in text.split() if not run.strip("`")), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{text}\n{fence}"
