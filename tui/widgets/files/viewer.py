"""The reading half of the Files screen: source or rendered page, range, search, position."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import Static

from engine.sources.reading import MemoryText
from tui.glyphs import glyphs_of
from tui.text import plain
from tui.widgets.files.file_facts import FileFacts
from tui.widgets.files.find_bar import FindBar
from tui.widgets.files.outside import CopyWanted, EditWanted
from tui.widgets.files.page import Page
from tui.widgets.files.position_line import PositionLine, section_parts, source_parts
from tui.widgets.files.range_panel import RangePanel
from tui.widgets.files.rule_line import RuleLine
from tui.widgets.files.section_view import SectionView
from tui.widgets.files.source_view import SourceView
from tui.widgets.files.viewer_keys import VIEWER_KEYS
from tui.widgets.notice_line import NoticeLine
from tui.wording import counted


class Instead(Static, can_focus=True):
    """The sentence that stands where a file would; it takes the keys, so that q leads back."""


class Viewer(Vertical):
    """Shows one file; asks for everything that takes time with messages."""

    BINDINGS: ClassVar[list[BindingType]] = VIEWER_KEYS
    DEFAULT_CSS = """
    Viewer { height: 1fr; width: 1fr; }
    Viewer > #nothing { height: 1fr; padding: 1 2; color: $text-muted; }
    """

    class Left(Message):
        """The person goes back to the files."""

    class Placed(Message):
        """The cursor is elsewhere, or another file is shown."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.path = ""
        self.facts: FileFacts | None = None
        self.source = SourceView(id="source")
        self.page = SectionView(id="section")
        self.range_panel = RangePanel(id="range")
        self.find_bar = FindBar("search in this file", id="find")
        self._title = RuleLine("no file", id="title")
        self._remarks = NoticeLine(id="remarks")
        self._instead = Instead(id="nothing")
        self._position = PositionLine(id="position")

    def compose(self) -> ComposeResult:
        """Top to bottom."""
        yield self._title
        yield self._remarks
        yield self.source
        yield self.page
        yield self._instead
        yield self.range_panel
        yield self.find_bar
        yield self._position

    def on_mount(self) -> None:
        """Nothing is shown yet."""
        self.close()

    @property
    def shows_text(self) -> bool:
        """True when there is a file to read."""
        return bool(self.path) and (self.source.display or self.page.display)

    @property
    def rendered(self) -> bool:
        """True while a section is shown rendered."""
        return bool(self.page.display)

    # What is shown

    def show(self, path: str, page: Page, hit_lines: Sequence[int]) -> None:
        """Show a file from its first line."""
        self.path = path
        self._reveal("source")
        self.find_bar.close()
        self.source.show(page, hit_lines)
        self._say_title()

    def renew(self, page: Page, hit_lines: Sequence[int]) -> None:
        """Show a newer text of the same file at the same place."""
        if not self.shows_text:
            self._reveal("source")
        first = self._lines[0]
        self.source.renew(page, hit_lines)
        if self.rendered:
            self.page.open(page.document, first)
        self._say_title()

    def close(self) -> None:
        """Show no file."""
        self.path, self.facts = "", None
        self.say("Choose a file to read it here.")
        self.tell(None)

    def refuse(self, path: str, reason: str) -> None:
        """Say why a file cannot be shown."""
        self.path = path
        self.say(reason)
        self._say_title()

    def say(self, words: str) -> None:
        """Show a sentence instead of a file."""
        self._instead.update(plain(words))
        self._reveal("nothing")
        self._position.parts = ()

    def tell(self, facts: FileFacts | None) -> None:
        """Keep what is known of the file, and say what matters of it."""
        self.facts = facts
        remark = facts.remark if facts is not None and self.shows_text else ""
        self._remarks.notices = (f"{remark[0].upper()}{remark[1:]}",) if remark else ()
        self._say_title()

    def take_focus(self) -> None:
        """Give the keys to what is shown."""
        for part in (self.source, self.page, self._instead):
            if part.display:
                part.focus()

    def _reveal(self, name: str) -> None:
        for widget in (self.source, self.page, self._instead):
            widget.display = widget.id == name
        if name != "source":
            self.range_panel.close()

    def _say_title(self) -> None:
        title, facts = self._title, self.facts
        title.title = self.path or "no file"
        notes = []
        if facts is not None:
            notes.append(f"{facts.sign(glyphs_of(self))} {facts.word}")
        if self.shows_text:
            page = self.source.page
            notes.append(counted(len(page.document.lines), "line"))
            notes.append(counted(len(page.chunks), "chunk"))
        if facts is not None and facts.state.state != "skipped":
            notes.append(facts.date_words)
        title.notes = tuple(notes)

    # Cursor, range, search

    @on(SourceView.Moved)
    def _moved(self) -> None:
        view = self.source
        self._say_position()
        self.find_bar.say(view.finding.told)
        if view.selecting:
            self.range_panel.ask(self.path, *view.range)
        else:
            self.range_panel.close()
        self.post_message(self.Placed())

    @on(SectionView.Changed)
    def _say_position(self) -> None:
        parts = section_parts(self.page) if self.rendered else source_parts(self.source)
        self._position.parts = tuple(parts)

    @on(FindBar.Typed)
    def _typed(self, event: FindBar.Typed) -> None:
        event.stop()
        self.source.find(event.text)

    @on(FindBar.Taken)
    def _taken(self, event: FindBar.Taken) -> None:
        event.stop()
        self.find_bar.remove_class("open")
        self.source.focus()

    @on(FindBar.Left)
    def _find_left(self, event: FindBar.Left) -> None:
        event.stop()
        self.source.find("")
        self.source.focus()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Without a file there is nothing to search, copy or open."""
        return self.shows_text or action not in ("find", "render", "cite", "copy", "edit")

    def action_find(self) -> None:
        """Open the search; in a rendered page that means going to the source."""
        if self.rendered:
            self.action_render()
        self.find_bar.open()

    def action_render(self) -> None:
        """From the source to the section around the cursor, rendered, and back."""
        if self.rendered:
            section = self.page.section
            self._reveal("source")
            if section is not None and not section.first <= self.source.cursor <= section.last:
                self.source.go_to(section.first)
        else:
            self._reveal("section")
            self.page.open(self.source.page.document, self.source.cursor)
        self._say_position()
        self.take_focus()

    def action_cite(self) -> None:
        """Copy where the range, the line or the section stands."""
        first, last = self._lines
        cited = MemoryText(self.path, "", first, last - first + 1)
        self.post_message(CopyWanted(cited.citation, f"Citation {cited.citation}"))

    def action_copy(self) -> None:
        """Copy its text, as it is in the file."""
        first, last = self._lines
        text = self.source.page.document.extract(first, last)
        self.post_message(
            CopyWanted(text, f"Line {first}" if first == last else f"Lines {first}-{last}")
        )

    def action_edit(self) -> None:
        """Open the file in the person's editor."""
        line = self._lines[0] if self.rendered else self.source.cursor
        self.post_message(EditWanted(self.path, line))

    def action_leave(self) -> None:
        """Back to the files."""
        self.post_message(self.Left())

    def action_step_back(self) -> None:
        """End what was begun last: a page, a range, a search; then go back."""
        view = self.source
        if self.rendered:
            self.action_render()
        elif view.selecting:
            view.drop_range()
        elif view.finding.needle:
            self.find_bar.close()
            view.find("")
        else:
            self.action_leave()

    @property
    def _lines(self) -> tuple[int, int]:
        """The 1-based lines that are meant: range or line, or the section."""
        section = self.page.section if self.rendered else None
        return self.source.range if section is None else (section.first, section.last)
