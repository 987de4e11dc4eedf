"""A titled block of labelled facts, cut and wrapped to the width it is given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual.content import Content
from textual.geometry import Region, Size
from textual.reactive import reactive
from textual.widget import Widget

from tui.glyphs import Glyphs, glyphs_of
from tui.text import assemble, cut, cut_left, pad, plain, width

LABEL_CELLS = 10


@dataclass(frozen=True, slots=True)
class Placed:
    """One line with a path in the middle, of which the beginning gives way when it is long.

    With ``from_end`` False it is a sentence, and its end gives way.
    """

    lead: Content
    path: str
    trail: Content
    from_end: bool = True

    def fit(self, cells: int, ellipsis: str) -> Content:
        """The line in at most ``cells`` cells; the path keeps at least twelve of them."""
        room = max(cells - self.lead.cell_length - self.trail.cell_length, 12)
        shorten = cut_left if self.from_end else cut
        made = assemble(self.lead, shorten(self.path, room, ellipsis), self.trail)
        return made.truncate(cells, ellipsis=True)


@dataclass(frozen=True, slots=True)
class Fact:
    """A label and what is said under it, which wraps onto further lines unless it is placed."""

    label: str
    value: Content | Placed


def rule(title: str, cells: int, glyphs: Glyphs, note: str = "") -> Content:
    """A heading drawn into a horizontal line, with a remark behind it."""
    head = cut(title, max(cells - 4, 0), glyphs.ellipsis)
    note = cut(note, max(cells - width(head) - 8, 0), glyphs.ellipsis) if note else ""
    pieces: list[str | tuple[str, str]] = [
        (f"{glyphs.rule} ", "$secondary"),
        (head, "bold $primary"),
        " ",
    ]
    used = 3 + width(head)
    if note:
        pieces += [(note, "$text-muted"), " "]
        used += width(note) + 1
    pieces.append((glyphs.rule * max(cells - used, 0), "$secondary"))
    return assemble(*pieces)


def lines(facts: Sequence[Fact], cells: int, glyphs: Glyphs) -> list[Content]:
    """The facts as lines of at most ``cells`` cells."""
    found: list[Content] = []
    room = max(cells - LABEL_CELLS - 2, 4)
    for fact in facts:
        value = fact.value
        if isinstance(value, Placed):
            texts = [value.fit(room, glyphs.ellipsis)]
        else:
            texts = value.wrap(room)
        for at, text in enumerate(texts):
            label = pad(fact.label if at == 0 else "", LABEL_CELLS, ellipsis=glyphs.ellipsis)
            found.append(assemble(" ", (label, "$text-muted"), text))
    return found


class Panel(Widget):
    """A rule with a title, and facts below it. Takes exactly the lines it needs."""

    DEFAULT_CSS = "Panel { height: auto; }"

    facts: reactive[tuple[Fact, ...]] = reactive((), repaint=False)

    def __init__(self, title: str, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._title = title

    def watch_facts(self, before: tuple[Fact, ...], after: tuple[Fact, ...]) -> None:
        """Draw only the lines that differ; an age that grows must not cost a whole screen."""
        cells, glyphs = self.size.width, glyphs_of(self)
        old, new = lines(before, cells, glyphs), lines(after, cells, glyphs)
        if len(old) != len(new):
            self.refresh(layout=True)
            return
        for at, (was, now) in enumerate(zip(old, new, strict=True), start=1):
            if not was.is_same(now):
                self.refresh(Region(0, at, cells, 1))

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """The heading and what the facts need at this width."""
        return 1 + len(lines(self.facts, width, glyphs_of(self)))

    def render(self) -> Content:
        """All lines for the width of this moment."""
        cells, glyphs = self.size.width, glyphs_of(self)
        drawn = [rule(self._title, cells, glyphs), *lines(self.facts, cells, glyphs)]
        return plain("\n").join(drawn)
