"""A tree drawn as lines with guides, wrapped to a width."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from textual.content import Content

from tui.glyphs import Glyphs
from tui.text import assemble, line, plain
from tui.widgets.search.explain import Node
from tui.widgets.search.fitting import cut_words

NAME_CELLS = 7
VALUE_CELLS = 5
LEAST_ROOM = 12


def tree_lines(root: Node, width: int, glyphs: Glyphs, one_line: bool) -> list[Content]:
    """The lines of a tree; with ``one_line`` a sentence that is too long is cut, not wrapped."""
    drawing = _Drawing(width, glyphs, one_line)
    return [*drawing.node(root, "", "", True), *drawing.below(root, "")]


@dataclass(frozen=True, slots=True)
class _Drawing:
    width: int
    glyphs: Glyphs
    one_line: bool

    def below(self, node: Node, guide: str) -> Iterator[Content]:
        """The children of a node, each with what is under it."""
        for place, child in enumerate(node.children, 1):
            last = place == len(node.children)
            first = guide + (self.glyphs.end if last else self.glyphs.branch) + " "
            then = guide + (" " if last else self.glyphs.pipe) + " "
            under = then + (f"{self.glyphs.pipe} " if child.children else "")
            yield from self.node(child, first, under, not guide)
            yield from self.below(child, then)

    def node(self, node: Node, first: str, then: str, in_columns: bool) -> Iterator[Content]:
        """One node: name and value, and its sentence beside them."""
        name = f"{node.name:<{NAME_CELLS}} " if in_columns else f"{node.name} "
        value = f"{node.value:>{VALUE_CELLS}}  " if in_columns else ""
        start = len(first) + len(name) + len(value)
        room = max(LEAST_ROOM, self.width - start)
        told = line(node.told).replace("×", self.glyphs.times)
        pieces = (
            [plain(cut_words(told, room, self.glyphs.ellipsis))]
            if self.one_line
            else plain(told).wrap(room)
        )
        guide = f"{then:<{start}}"
        for number, piece in enumerate(pieces or [plain("")]):
            if number:
                yield assemble((guide, ".search--rule"), piece)
                continue
            head = ((name, ".search--muted"), (value, ".search--number"))
            yield assemble((first, ".search--rule"), *head, piece)
