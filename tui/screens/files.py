"""Files: every memory file with its state, and a viewer for the one under the cursor."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Literal

from textual import on
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.events import DescendantFocus, Resize
from textual.timer import Timer
from textual.widget import Widget

from tui.editor import chosen_editor
from tui.messages import CallFailed, ShowFile, WentBack
from tui.screens.base import MemlensScreen
from tui.text import plain, safe
from tui.widgets.files.chunk_list import HEADER, ChunkList
from tui.widgets.files.chunk_map import ChunkMap
from tui.widgets.files.file_facts import FileFacts
from tui.widgets.files.file_tree import FileTree
from tui.widgets.files.inks import FilesInks
from tui.widgets.files.media_card import card_words
from tui.widgets.files.outside import (
    NO_EDITOR,
    CopyDone,
    CopyWanted,
    EditWanted,
    Located,
    copy,
    run_editor,
    terminal_of,
)
from tui.widgets.files.range_panel import RangeWanted
from tui.widgets.files.reading import (
    Asked,
    FileRead,
    FilesRead,
    Frame,
    RangeRead,
    read_file,
    read_files,
    read_range,
)
from tui.widgets.files.rendering import render
from tui.widgets.files.rule_line import RuleLine
from tui.widgets.files.section_view import RenderWanted, SectionRendered
from tui.widgets.files.tree_pane import TreePane
from tui.widgets.files.viewer import Viewer
from tui.widgets.remark import Remark
from tui.wording import counted

if TYPE_CHECKING:
    from engine.status import EngineStatus

QUIET_S = 0.08
"""A preview is read when the cursor has rested on a file for this long."""
BROAD = 150
"""Cells from which the chunk list has room."""


class FilesScreen(MemlensScreen):
    """Asks the engine for files and texts; tree and viewer show them."""

    NAME = "files"
    AUTO_FOCUS = "#tree"
    HELP = (
        "The files of the memory on one side, the one under the cursor on the other: its lines, "
        "where its chunks begin and overlap, and what memory_get returns for a range of it."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "other_side", "other side", id="files.other_side", tooltip="Files or text."),
        Binding("r", "rescan", "rescan", id="files.rescan", tooltip="Look at the disk again."),
    ]
    DEFAULT_CSS = """
    FilesScreen FilesInks { height: 1fr; layout: horizontal; }
    FilesScreen TreePane { width: 44; height: 1fr; }
    FilesScreen.wide TreePane { width: 46; }
    FilesScreen Viewer { padding-left: 1; }
    FilesScreen #chunk-side { width: 43; height: 1fr; padding-left: 1; display: none; }
    FilesScreen.broad #chunk-side { display: block; }
    FilesScreen #chunk-header { color: $text-muted; }
    FilesScreen.narrow FilesInks { layout: vertical; }
    FilesScreen.narrow TreePane { width: 1fr; height: 9fr; }
    FilesScreen.narrow Viewer { padding-left: 0; height: 11fr; }
    FilesScreen.narrow FileWords { height: 1; }
    FilesScreen.narrow.reading TreePane { display: none; }
    FilesScreen.narrow.short Viewer { display: none; }
    FilesScreen.narrow.short.reading Viewer { display: block; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._files: dict[str, FileFacts] = {}
        self._asked: Asked | None = None
        self._quiet: Timer | None = None
        self._standing: tuple[object, ...] | None = None
        self._origin = ""
        self.tree_pane = TreePane(id="tree-side")
        self.viewer = Viewer(id="viewer")
        self._chunk_title = RuleLine("chunks", id="chunk-title")
        self._chunk_header = Remark(id="chunk-header")
        self._chunks = ChunkList(id="chunks")

    def compose_body(self) -> Iterable[Widget]:
        """Tree, viewer, and where there is room the chunks."""
        with FilesInks(id="pane"):
            yield self.tree_pane
            yield self.viewer
            with Vertical(id="chunk-side"):
                yield self._chunk_title
                yield self._chunk_header
                yield self._chunks

    @property
    def file_tree(self) -> FileTree:
        """The tree of files."""
        return self.tree_pane.file_tree

    def on_mount(self) -> None:
        """Ask for the files; the answer comes when the engine is open."""
        self._chunk_header.shown = plain(HEADER)
        self.action_rescan()

    def on_resize(self, event: Resize) -> None:
        """One class more: room for the chunk list."""
        super().on_resize(event)
        self.set_class(event.size.width >= BROAD, "broad")

    def on_status(self, status: EngineStatus) -> None:
        """Look again when another text is on disk or in the index than before."""
        standing = (
            status.agent_id,
            status.workspace,
            status.revision,
            status.dirty,
            status.skipped,
        )
        if standing == self._standing:
            return
        if self._standing is not None and standing[:2] != self._standing[:2]:
            self._read_nothing()
        self._standing = standing
        self.action_rescan()

    # Files

    def action_rescan(self) -> None:
        """Look at the disk; the file that is read is read again."""
        self.bridge.request("files", read_files, lambda read: read, self)

    @on(FilesRead)
    def _take_files(self, message: FilesRead) -> None:
        self._files = {facts.path: facts for facts in message.files}
        self.tree_pane.show(message.files)
        if not message.files:
            self._read_nothing()
        elif self._asked is not None:
            if not self.file_tree.has_focus:
                self.file_tree.reveal(self._asked.path)
            self._read(self._asked, again=self.viewer.path == self._asked.path)
        else:
            self._preview(self.file_tree.facts)
        self._describe()

    @on(FileTree.Moved)
    def _rest(self, message: FileTree.Moved) -> None:
        """Read the file that the cursor rests on, unless another one is being read by now."""
        self._describe()
        if self._quiet is not None:
            self._quiet.stop()
        if not self.has_class("reading"):
            self._quiet = self.set_timer(QUIET_S, partial(self._preview, message.facts))

    def _preview(self, facts: FileFacts | None) -> None:
        if facts is not None and (self._asked is None or facts.path != self._asked.path):
            self._read(Asked(facts.path))

    @on(FileTree.Opened)
    def _open(self, message: FileTree.Opened) -> None:
        if self._asked is None or self._asked.path != message.facts.path:
            self._read(Asked(message.facts.path))
        self._to_viewer()

    @on(ShowFile)
    def _show_file(self, message: ShowFile) -> None:
        """Another screen wants a file shown here, at a line."""
        self._origin = message.origin
        if self._quiet is not None:
            self._quiet.stop()
        self._read(Asked(message.path, message.line, message.end_line, message.query))
        self._to_viewer()

    def _describe(self) -> None:
        self.tree_pane.describe(self.file_tree.facts, self.bridge.now_ms())

    # One file

    def _read_nothing(self) -> None:
        """No file is read: there is none, or another memory was opened."""
        self._asked = None
        self.viewer.close()
        self._draw_chunks()
        self.refresh_bindings()

    def _read(self, asked: Asked, *, again: bool = False) -> None:
        self._asked = asked
        source = self.viewer.source
        frame = Frame(source.text_width or self.size.width, source.wraps, self.glyphs)
        known = self._files.get(asked.path)
        indexed_hash = known.state.hash if known is not None else None
        work = partial(read_file, asked=asked, frame=frame, again=again, indexed_hash=indexed_hash)
        self.bridge.request("file", work, lambda read: read, self)

    @on(FileRead)
    def _take_file(self, message: FileRead) -> None:
        asked, page, viewer = message.asked, message.page, self.viewer
        if asked is not self._asked:
            return
        shown = message.again and viewer.path == asked.path
        if page is None:
            viewer.refuse(asked.path, _instead(message))
            self._place_in_tree(asked.path)
        elif shown:
            viewer.renew(page, message.hit_lines)
        else:
            viewer.show(asked.path, page, message.hit_lines)
            self._place(asked)
        if self.has_class("reading") and not shown:
            viewer.take_focus()
        viewer.tell(self._files.get(asked.path))
        self._draw_chunks()
        self.refresh_bindings()

    def _place(self, asked: Asked) -> None:
        source = self.viewer.source
        if asked.line is not None and asked.end_line is not None and asked.end_line > asked.line:
            source.select_lines(asked.line, asked.end_line)
        elif asked.line is not None:
            source.go_to(asked.line, centre=True)
        self._place_in_tree(asked.path)

    def _place_in_tree(self, path: str) -> None:
        """Let the tree follow, unless the person is in it and may have moved on meanwhile."""
        if not self.file_tree.has_focus:
            self.file_tree.reveal(path)
        self._describe()

    @on(Viewer.Placed)
    def _draw_chunks(self) -> None:
        viewer, chunks = self.viewer, self._chunks
        page = viewer.source.page
        if viewer.shows_text:
            chunks.show(page.chunks, page.hit, viewer.source.chunk)
        else:
            chunks.show(ChunkMap(), None, None)
        self._chunk_title.notes = (str(len(page.chunks)),) if viewer.shows_text else ()

    @on(ChunkList.Chosen)
    def _go_to_chunk(self, message: ChunkList.Chosen) -> None:
        self.viewer.source.go_to(message.mark.first)

    @on(RangeWanted)
    def _ask_range(self, message: RangeWanted) -> None:
        work = partial(read_range, path=message.path, first=message.first, count=message.lines)
        self.bridge.request("range", work, lambda read: read, self)

    @on(RangeRead)
    def _take_range(self, message: RangeRead) -> None:
        self.viewer.range_panel.show(message.text, message.error)

    @on(RenderWanted)
    def _lay_out_section(self, message: RenderWanted) -> None:
        wanted = (message.document, message.section, message.cells, message.inks)
        self.bridge.request("render", lambda _: render(*wanted), SectionRendered, self)

    @on(SectionRendered)
    def _take_section(self, message: SectionRendered) -> None:
        self.viewer.page.take(message.rendered)

    # Between the sides

    def _to_viewer(self) -> None:
        self.add_class("reading")
        self.viewer.take_focus()

    @on(Viewer.Left)
    def _leave_file(self) -> None:
        """Back to the files, or to the screen that the file was opened from."""
        self._to_tree()
        self.post_message(WentBack(self._origin))
        self._origin = ""

    def _to_tree(self) -> None:
        self.remove_class("reading")
        self.file_tree.focus()

    def action_other_side(self) -> None:
        """From the files to the text and back."""
        self._origin = ""
        if self.has_class("reading"):
            self._to_tree()
        else:
            self._to_viewer()

    def on_descendant_focus(self, event: DescendantFocus) -> None:
        """Where only one side has room, show the one with the keys."""
        self.set_class(self.viewer in event.widget.ancestors_with_self, "reading")

    # Outside

    @on(CopyWanted)
    def _copy(self, message: CopyWanted) -> None:
        work = partial(copy, message.text, terminal_of(self.app), self.bridge.around.environ)
        what = message.what
        self.bridge.request("copy", lambda _: work(), lambda done: CopyDone(what, done), self)

    @on(CopyDone)
    def _copied(self, message: CopyDone) -> None:
        self._tell(f"{message.what}: {message.copied.told}")

    @on(EditWanted)
    def _edit(self, message: EditWanted) -> None:
        if chosen_editor(self.bridge.around.environ) is None:
            self._tell(NO_EDITOR, "warning")
            return
        path, line = message.path, message.line
        self.bridge.request(
            "locate",
            lambda engine: engine.absolute_path(path),
            lambda file: Located(file, line),
            self,
        )

    @on(Located)
    def _start_editor(self, message: Located) -> None:
        environ = self.bridge.around.environ
        editor = chosen_editor(environ)
        if editor is None:
            return
        trouble = run_editor(self.app, editor, message.file, message.line, environ)
        if trouble:
            self._tell(trouble, "warning")
        elif not editor.knows_lines:
            self._tell(f"{editor.name} was not told the line; memlens does not know how.")
        self.action_rescan()

    @on(CallFailed)
    def _failed(self, message: CallFailed) -> None:
        if message.group == "files":
            message.stop()
            error = message.error
            self.tree_pane.refuse(f"{error.title}: {error.message}\n\n{error.hint}".strip())

    def _tell(
        self, words: str, severity: Literal["information", "warning"] = "information"
    ) -> None:
        self.notify(safe(words), severity=severity, markup=False)


def _instead(message: FileRead) -> str:
    """The card of a media file; or why a file is not shown, and what the index still holds."""
    if message.card is not None:
        return card_words(message.card)
    error = message.error
    words = f"{error.title}. {error.message}" if error is not None else "It cannot be shown."
    if message.indexed_chunks:
        held = counted(message.indexed_chunks, "chunk")
        words += f"\n\nThe index still holds {held} of it, until the next sync."
    return f"{words}\n\n{error.hint}" if error is not None and error.hint else words
