"""The last line of the viewer: how far, which line, which chunk, and what is searched."""

from __future__ import annotations

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from tui.glyphs import Glyphs, glyphs_of
from tui.text import assemble, width
from tui.widgets.files.page import SHORT_HASH
from tui.widgets.files.section_view import SectionView
from tui.widgets.files.source_view import SourceView


def source_parts(view: SourceView) -> list[tuple[str, str]]:
    """What is told of a source view, most important first, each with its style."""
    page, total = view.page, len(view.page.document.lines)
    parts = [(f"{_share(view.cursor, total)}%", ""), (f"L{view.cursor}/{total}", "bold")]
    if view.selecting:
        first, last = view.range
        parts.append((f"range L{first}-{last}", ".files--key"))
    if view.finding.needle:
        parts.append((view.finding.told, ".files--key"))
    chunk = view.chunk
    if chunk is not None:
        parts.append((f"chunk {chunk.number}/{len(page.chunks)}", ""))
        parts.append((f"~{chunk.tokens} tokens", ".files--muted"))
        parts.append((f"hash {chunk.hash[:SHORT_HASH]}", ".files--muted"))
    else:
        parts.append(("in no chunk", ".files--muted"))
    if page.terms:
        parts.append((f"{len(view.hit_lines)} lines with query words", ".files--muted"))
    if not view.wraps:
        column = f" from column {page.shift + 1}" if page.shift else ""
        parts.append((f"unwrapped{column}", ".files--muted"))
    if page.document.crlf:
        parts.append(("CRLF", ".files--muted"))
    if page.document.byte_order_mark:
        parts.append(("byte order mark", ".files--muted"))
    return parts


def section_parts(view: SectionView) -> list[tuple[str, str]]:
    """What is told of a rendered section."""
    section, (at, total) = view.section, view.place
    if section is None:
        return []
    parts = [(f"section {at}/{total}", "bold"), (f"L{section.first}-{section.last}", "")]
    if view.rendered is None or view.rendered.section != section:
        parts.append(("rendering", ".files--muted"))
    if section.parts > 1:
        parts.append((f"part {section.part} of {section.parts}, it is long", ".files--key"))
    if section.title:
        parts.append((section.title, ".files--muted"))
    return parts


def _share(line: int, total: int) -> int:
    return 100 if total <= 1 else round((line - 1) * 100 / (total - 1))


class PositionLine(Widget):
    """Leaves out from the end what does not fit."""

    DEFAULT_CSS = "PositionLine { height: 1; background: $surface; text-wrap: nowrap; }"

    parts: reactive[tuple[tuple[str, str], ...]] = reactive(())

    def render(self) -> Content:
        """The line at the width of this moment."""
        return _joined(self.parts, self.size.width, glyphs_of(self))


def _joined(parts: tuple[tuple[str, str], ...], cells: int, glyphs: Glyphs) -> Content:
    gap = f" {glyphs.dot} "
    pieces: list[str | tuple[str, str]] = [" "]
    used = 1
    for number, (text, style) in enumerate(parts):
        lead = gap if number else ""
        used += width(lead) + width(text)
        if used > cells and number:
            break
        pieces += [(lead, ".files--muted"), (text, style)]
    return assemble(*pieces).truncate(max(1, cells), ellipsis=True)
