"""The tree of memory files: folders to fold, a filter, and the state of every file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message

from tui.glyphs import glyphs_of
from tui.text import plain
from tui.widgets.files.file_facts import FileFacts
from tui.widgets.files.outside import CopyWanted, EditWanted
from tui.widgets.files.tree_line import draw_row
from tui.widgets.files.tree_rows import FileRow, FolderRow, TreeRow, filtered_rows, tree_rows
from tui.widgets.line_view import LineView


def _key(
    keys: str, action: str, says: str, name: str, tooltip: str, *, show: bool = False
) -> BindingType:
    return Binding(keys, action, says, id=f"files.tree_{name}", tooltip=tooltip, show=show)


class FileTree(LineView):
    """Keeps its cursor on the same file when files come and go."""

    HELP = (
        "All memory files with the state of their index entry, the number of their chunks and "
        "the date that decay reads from them. Files that look like memory but are not indexed "
        "are listed too, with the reason below."
    )
    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = [
        _key("j,down", "move(1)", "down", "down", "One row down."),
        _key("k,up", "move(-1)", "up", "up", "One row up."),
        _key("g,home", "move(-1000000000)", "top", "top", "To the first row."),
        _key("G,end", "move(1000000000)", "bottom", "bottom", "To the last row."),
        _key("space,ctrl+d,pagedown", "page(1)", "page on", "page_down", "One page down."),
        _key("b,ctrl+u,pageup", "page(-1)", "page back", "page_up", "One page up."),
        _key("enter", "open", "read", "open", "Read the file; fold a folder.", show=True),
        _key("l,right", "open", "read", "unfold", "Read the file; fold a folder."),
        _key("h", "close", "fold", "fold", "Fold the folder around.", show=True),
        _key("left", "close", "fold", "fold_too", "Fold the folder around."),
        _key("o", "edit", "edit", "edit", "Open the file in your editor."),
        _key("y", "copy", "copy path", "copy", "Copy the path of the file or folder."),
        _key("plus", "fold_all", "fold all", "fold_all", "Fold all folders, or unfold them."),
    ]
    DEFAULT_CSS = "FileTree { height: 1fr; }"

    class Moved(Message):
        """The cursor is on another row; ``facts`` None means a folder, or nothing at all."""

        def __init__(self, facts: FileFacts | None) -> None:
            super().__init__()
            self.facts = facts

    class Opened(Message):
        """A file was chosen for reading."""

        def __init__(self, facts: FileFacts) -> None:
            super().__init__()
            self.facts = facts

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._files: Sequence[FileFacts] = ()
        self._rows: Sequence[TreeRow] = ()
        self._folded: frozenset[str] = frozenset()
        self._filter = ""
        self._cursor = 0

    @property
    def listed(self) -> Sequence[FileFacts]:
        """All files, also those that a filter or a folded folder hides."""
        return self._files

    @property
    def rows(self) -> Sequence[TreeRow]:
        """The rows of this moment."""
        return self._rows

    @property
    def current(self) -> TreeRow | None:
        """The row under the cursor."""
        return self._rows[self._cursor] if self._rows else None

    @property
    def facts(self) -> FileFacts | None:
        """The file under the cursor; None on a folder and in an empty tree."""
        row = self.current
        return row.facts if isinstance(row, FileRow) else None

    @property
    def line_count(self) -> int:
        """How many rows there are."""
        return len(self._rows)

    def line(self, number: int, under_cursor: bool) -> Content:
        """A row."""
        if not self._rows:
            return plain("")
        return draw_row(self._rows[number], self.text_width, glyphs_of(self), under_cursor)

    def has_cursor(self, number: int) -> bool:
        """True for one row."""
        return number == self._cursor

    def show(self, files: Sequence[FileFacts]) -> None:
        """Show these files; the cursor stays on its file or folder, and nothing is told."""
        self._files = files
        self._renew(tell=False)

    def filter(self, typed: str) -> None:
        """Show only files whose path matches, best first; the empty text shows all."""
        self._filter = typed.strip()
        self._renew(to_top=bool(self._filter))

    def reveal(self, path: str) -> None:
        """Unfold what is needed and put the cursor on a file, without telling of it."""
        around = {row.path for row in self._rows if isinstance(row, FolderRow)}
        self._folded -= {folder for folder in around if path.startswith(f"{folder}/")}
        self._rows = self._made()
        self._cursor = self._place_of(path, self._cursor)
        self.lines_changed()
        self._into_sight()

    def _made(self) -> list[TreeRow]:
        if self._filter:
            return filtered_rows(self._files, self._filter)
        return tree_rows(self._files, self._folded)

    def _renew(self, *, to_top: bool = False, tell: bool = True) -> None:
        before = _path_of(self.current)
        self._rows = self._made()
        self._cursor = 0 if to_top else self._place_of(before, self._cursor)
        self.lines_changed()
        self._into_sight()
        if tell and _path_of(self.current) != before:
            self._tell()

    def _place_of(self, path: str, otherwise: int) -> int:
        places = (at for at, row in enumerate(self._rows) if _path_of(row) == path)
        return next(places, min(otherwise, max(0, len(self._rows) - 1)))

    def _tell(self) -> None:
        self.post_message(self.Moved(self.facts))

    def _go(self, row: int) -> None:
        self._drawn.pop((self._cursor, True), None)
        self._cursor = min(max(row, 0), max(0, len(self._rows) - 1))
        self._into_sight()
        self.refresh()
        self._tell()

    def _into_sight(self) -> None:
        top, height = int(self.scroll_offset.y), max(1, self.size.height)
        if self._cursor < top:
            self.scroll_to(y=self._cursor, animate=False, force=True)
        elif self._cursor >= top + height:
            self.scroll_to(y=self._cursor - height + 1, animate=False, force=True)

    def action_move(self, rows: int) -> None:
        """Move the cursor."""
        self._go(self._cursor + rows)

    def action_page(self, pages: int) -> None:
        """Move it by what is in sight."""
        self._go(self._cursor + pages * max(1, self.size.height - 1))

    def action_open(self) -> None:
        """Read the file, or fold or unfold the folder."""
        row = self.current
        if isinstance(row, FileRow):
            self.post_message(self.Opened(row.facts))
        elif row is not None:
            self._fold(row.path, not row.folded)

    def action_close(self) -> None:
        """Fold the folder under the cursor, or go to the one around it."""
        row = self.current
        if isinstance(row, FolderRow) and not row.folded:
            self._fold(row.path, True)
        elif row is not None:
            parent = _path_of(row).rpartition("/")[0]
            self._go(self._place_of(parent, self._cursor))

    def action_edit(self) -> None:
        """Open the file in the person's editor."""
        row = self.current
        if isinstance(row, FileRow):
            self.post_message(EditWanted(row.facts.path, 1))

    def action_copy(self) -> None:
        """Copy the path as it is on disk."""
        if self.current is not None:
            path = _path_of(self.current)
            self.post_message(CopyWanted(path, f"Path {path}"))

    def action_fold_all(self) -> None:
        """Fold all folders; unfold all when every one is folded."""
        every = frozenset(
            row.path for row in tree_rows(self._files, frozenset()) if isinstance(row, FolderRow)
        )
        self._folded = frozenset() if self._folded >= every else every
        self._renew()

    def _fold(self, path: str, folded: bool) -> None:
        self._folded = self._folded | {path} if folded else self._folded - {path}
        self._renew()

    def on_click(self, event: events.Click) -> None:
        """Put the cursor there; a second click, or one on a folder, opens it."""
        row = event.y + int(self.scroll_offset.y)
        if event.x >= self.text_width or row >= len(self._rows):
            return
        again = row == self._cursor and event.chain > 1
        self._go(row)
        if again or isinstance(self._rows[row], FolderRow):
            self.action_open()


def _path_of(row: TreeRow | None) -> str:
    if row is None:
        return ""
    return row.facts.path if isinstance(row, FileRow) else row.path
