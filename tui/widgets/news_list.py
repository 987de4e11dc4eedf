"""Files that need attention and files that changed lately, in one list; enter opens one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from tui.glyphs import Glyphs, glyphs_of
from tui.messages import OpenFile
from tui.text import assemble, cut, cut_left, pad, width
from tui.widgets.panel import rule
from tui.widgets.row_list import RowList
from tui.wording import ago

if TYPE_CHECKING:
    from engine.events import RecentChange
    from engine.status import EngineStatus, FileState

DETAIL_CELLS, NAME_CELLS = 12, 44
"""What a long path leaves to the detail behind it, unless it has less than so many cells itself."""
Section = Literal["dirty", "skipped", "recent"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the list: a file, what is the matter, and details to its right."""

    section: Section
    path: str
    sign: str
    style: str
    word: str
    detail: str


def entries(status: EngineStatus, now_ms: float, glyphs: Glyphs) -> Iterator[Entry]:
    """Dirty files first, then what is not indexed, then recent changes, newest first."""
    for state in status.dirty:
        yield _dirty(state, glyphs)
    for skipped in status.skipped:
        sign, style = glyphs.paused, "$text-muted"
        yield Entry("skipped", skipped.path, sign, style, "not indexed", skipped.reason)
    for change in sorted(status.recent, key=lambda change: -change.at_ms):
        yield _recent(change, now_ms, glyphs)


def _dirty(state: FileState, glyphs: Glyphs) -> Entry:
    failed = state.state == "failed"
    why = {
        "new": "not in the index yet",
        "changed": "differs from the index",
        "deleted": "gone from disk, still in the index",
    }
    return Entry(
        section="dirty",
        path=state.path,
        sign=glyphs.failed if failed else glyphs.dirty,
        style="$text-error" if failed else "$text-warning",
        word=state.state,
        detail=state.reason or why.get(state.state, ""),
    )


def _recent(change: RecentChange, now_ms: float, glyphs: Glyphs) -> Entry:
    sign = {"added": "+", "changed": "~", "removed": "-"}[change.change]
    counts = f"+{change.chunks_added} -{change.chunks_removed} chunks"
    detail = f"{ago(change.at_ms, now_ms)}, {counts}"
    return Entry("recent", change.path, sign, "$text-muted", change.change, detail)


TITLES: dict[Section, str] = {
    "dirty": "dirty",
    "skipped": "not indexed",
    "recent": "recent changes",
}


class NewsList(RowList):
    """The list itself. Headings cannot be chosen; the chosen file survives a refill."""

    HELP = (
        "Dirty files differ from the index and are taken up by the next sync. Below them: files "
        "that look like memory and are not indexed, with the reason, and what recent syncs did."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "enter,l",
            "select",
            "open",
            id="overview.open",
            tooltip="Open the file on the Files screen.",
        ),
    ]

    def __init__(self) -> None:
        super().__init__(id="news")
        self._entries: list[Entry] = []
        self._signs = ""

    def show(self, found: list[Entry]) -> None:
        """Fill the list, keeping the cursor on the file it was on; nothing new costs nothing."""
        signs = glyphs_of(self).name
        if found != self._entries or signs != self._signs:
            self._signs = signs
            self._refill(found)

    def _refill(self, found: list[Entry]) -> None:
        chosen = self._chosen()
        self._entries = found
        self._fill()
        if chosen is not None:
            self._choose(chosen)
        if self.highlighted is None:
            self.action_first()

    def on_resize(self) -> None:
        """Lines are cut to the width, so another width is another filling."""
        self._refill(self._entries)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Open the chosen file."""
        event.stop()
        chosen = self._chosen()
        if chosen is not None:
            self.post_message(OpenFile(chosen.path))

    def _chosen(self) -> Entry | None:
        if self.highlighted is None:
            return None
        number = self.get_option_at_index(self.highlighted).id
        return self._entries[int(number)] if number and int(number) < len(self._entries) else None

    def _choose(self, wanted: Entry) -> None:
        for number, entry in enumerate(self._entries):
            if (entry.section, entry.path) == (wanted.section, wanted.path):
                self.highlighted = self.get_option_index(str(number))
                return

    def _fill(self) -> None:
        cells, glyphs = max(self.size.width - 1, 20), glyphs_of(self)
        columns = _columns(self._entries)
        options: list[Option] = []
        section: Section | None = None
        for number, entry in enumerate(self._entries):
            if entry.section != section:
                section = entry.section
                many = sum(1 for other in self._entries if other.section == section)
                options.append(
                    Option(rule(TITLES[section], cells, glyphs, str(many)), disabled=True)
                )
            options.append(Option(drawn(entry, cells, columns, glyphs), id=str(number)))
        self.clear_options()
        self.add_options(options)


@dataclass(frozen=True, slots=True)
class Columns:
    """Cells of the longest word and the longest path of a list."""

    word: int
    path: int


def _columns(found: list[Entry]) -> Columns:
    return Columns(
        max((width(entry.word) for entry in found), default=0),
        max((width(entry.path) for entry in found), default=0),
    )


def drawn(entry: Entry, cells: int, columns: Columns, glyphs: Glyphs) -> Content:
    """One line: sign, word, path, and as much of the detail as fits."""
    room = cells - columns.word - 5
    wide = max(min(columns.path, room, max(room - DETAIL_CELLS, NAME_CELLS)), 12)
    name = pad(cut_left(entry.path, wide, glyphs.ellipsis), wide)
    return assemble(
        (f" {entry.sign} ", entry.style),
        (pad(entry.word, columns.word + 2), entry.style),
        name,
        ("  " + cut(entry.detail, max(room - wide - 2, 0), glyphs.ellipsis), "$text-muted"),
    )
