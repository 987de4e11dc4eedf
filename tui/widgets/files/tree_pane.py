"""The choosing half of the Files screen: counts, filter, tree, and words on the file in hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget
from textual.widgets import Static

from tui.glyphs import Glyphs, glyphs_of
from tui.text import assemble, line, plain
from tui.widgets.files.file_facts import FileFacts
from tui.widgets.files.file_tree import FileTree
from tui.widgets.files.find_bar import FindBar
from tui.widgets.files.rule_line import RuleLine
from tui.widgets.files.tree_line import draw_header
from tui.widgets.remark import Remark
from tui.wording import ago, count, size

EMPTY = (
    "There is no memory file here yet.\n\n"
    "Memory is MEMORY.md and the .md files below memory/ of the workspace, and what the "
    "extra paths of the configuration name. A note that is written there shows up by itself."
)


class FileWords(Widget):
    """State, size and age of the file under the cursor; always as high, so nothing jumps."""

    DEFAULT_CSS = "FileWords { height: 2; color: $text-muted; }"

    facts: reactive[FileFacts | None] = reactive(None)
    now_ms: reactive[float] = reactive(0.0)

    def render(self) -> Content:
        """The lines of this moment."""
        facts, glyphs = self.facts, glyphs_of(self)
        if facts is None:
            return plain("")
        remark = line(facts.remark)
        told = assemble(
            (f"{facts.sign(glyphs)} {facts.word}", facts.ink), f": {remark}" if remark else ""
        )
        parts = [told, *map(plain, self._numbers(facts))]
        lines = _packed(parts, max(8, self.size.width - 2), glyphs)
        most = max(1, self.size.height)
        if len(lines) > most:
            last = lines[most - 1].truncate(max(1, self.size.width - 3))
            lines = [*lines[: most - 1], assemble(last, glyphs.ellipsis)]
        return plain("\n").join(assemble(" ", piece) for piece in lines)

    def _numbers(self, facts: FileFacts) -> list[str]:
        words = [] if facts.state.state == "skipped" else [facts.date_words]
        if facts.state.mtime_ms:
            changed = ago(facts.state.mtime_ms, self.now_ms)
            words += [size(facts.state.size), f"changed {changed}"]
        return words


def _packed(parts: Sequence[Content], cells: int, glyphs: Glyphs) -> list[Content]:
    """The parts on as few lines as they fit on; only a part that is longer is broken."""
    lines: list[Content] = []
    for part in parts:
        joined = assemble(lines[-1], f" {glyphs.dot} ", part) if lines else part
        if lines and joined.cell_length <= cells:
            lines[-1] = joined
        else:
            lines += part.wrap(cells)
    return lines


class TreePane(Vertical):
    """Everything about choosing a file."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "slash", "filter", "filter", id="files.filter", tooltip="Show only files that match."
        ),
        Binding(
            "escape",
            "show_all",
            "all files",
            id="files.show_all",
            show=False,
            tooltip="Show all files again.",
        ),
    ]
    DEFAULT_CSS = """
    TreePane > #empty { padding: 1 2; height: 1fr; display: none; color: $text-muted; }
    TreePane.empty > #empty { display: block; }
    TreePane.empty > FileTree, TreePane.empty > #header { display: none; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._files: Sequence[FileFacts] = ()
        self.bar = FindBar("filter by path", id="filter")
        self.file_tree = FileTree(id="tree")
        self._title = RuleLine("files")
        self._header = Remark(id="header")
        self._instead = Static(id="empty")
        self._words = FileWords()

    def compose(self) -> ComposeResult:
        """Top to bottom."""
        yield self._title
        yield self.bar
        yield self._header
        yield self.file_tree
        yield self._instead
        yield self._words

    def on_resize(self) -> None:
        """The header has the columns of this width."""
        self._draw_header()

    def show(self, files: Sequence[FileFacts]) -> None:
        """Show these files."""
        self._files = files
        self._instead.update(plain(EMPTY))
        self.set_class(not files, "empty")
        self.file_tree.show(files)
        self._title.notes = self._counts()
        self._draw_header()
        if self.bar.has_class("open"):
            self._say_found()

    def refuse(self, words: str) -> None:
        """Say why there are no files."""
        self._instead.update(plain(words))
        self.add_class("empty")

    def describe(self, facts: FileFacts | None, now_ms: float) -> None:
        """Say what is known of the file under the cursor."""
        self._words.now_ms, self._words.facts = now_ms, facts

    def _draw_header(self) -> None:
        cells = self.file_tree.text_width
        self._header.shown = draw_header(cells, glyphs_of(self))

    def _counts(self) -> tuple[str, ...]:
        glyphs = glyphs_of(self)
        skipped = sum(facts.state.state == "skipped" for facts in self._files)
        dirty = sum(facts.state.dirty for facts in self._files)
        parts = [count(len(self._files) - skipped)]
        if dirty:
            parts.append(f"{glyphs.dirty} {dirty} dirty")
        if skipped:
            parts.append(f"{skipped} not indexed")
        return tuple(parts)

    def _say_found(self) -> None:
        typed = self.bar.box.value.strip()
        self.bar.say(f"{len(self.file_tree.rows)} of {len(self._files)}" if typed else "")

    def action_filter(self) -> None:
        """Open the filter."""
        self.bar.open()

    def action_show_all(self) -> None:
        """Drop the filter."""
        self.bar.close()
        self.file_tree.filter("")

    @on(FindBar.Typed)
    def _typed(self, event: FindBar.Typed) -> None:
        event.stop()
        self.file_tree.filter(event.text)
        self._say_found()

    @on(FindBar.Taken)
    def _taken(self, event: FindBar.Taken) -> None:
        event.stop()
        self.file_tree.focus()

    @on(FindBar.Left)
    def _left(self, event: FindBar.Left) -> None:
        event.stop()
        self.file_tree.filter("")
        self.file_tree.focus()
