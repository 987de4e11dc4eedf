"""What is shown when no memory was found: where it was looked for, and how to go on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text, TextType
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import DirectoryTree, Input, Static

from tui.glyphs import Glyphs, glyphs_of
from tui.text import assemble, cut_left, line, pad
from tui.widgets.key_line import KeyLine
from tui.widgets.panel import rule
from tui.widgets.passing_line import PassingLine
from tui.wording import short_path

if TYPE_CHECKING:
    from engine.config.resolved import LookedFor


@dataclass(frozen=True, slots=True)
class OpenDemo:
    """The person wants the bundled workspace."""


@dataclass(frozen=True, slots=True)
class OpenFolder:
    """The person chose a folder."""

    folder: Path


Chosen = OpenDemo | OpenFolder


class FolderTree(DirectoryTree):
    """Folders only, names made safe; hidden ones are left out."""

    HELP = "Walk with the arrows, open and close with enter, take the marked folder with o."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("o", "take", "take folder", id="first.take", tooltip="Open the marked folder."),
        Binding("j", "cursor_down", "down", show=False, id="list.down"),
        Binding("k", "cursor_up", "up", show=False, id="list.up"),
    ]

    def on_mount(self) -> None:
        """Folders are marked with the signs in use."""
        glyphs = glyphs_of(self)
        self.ICON_NODE = f"{glyphs.fold_closed} "
        self.ICON_NODE_EXPANDED = f"{glyphs.fold_open} "

    def filter_paths(self, paths: Iterable[Path]) -> Iterable[Path]:
        """Keep visible folders."""
        return [path for path in paths if not path.name.startswith(".") and path.is_dir()]

    def process_label(self, label: TextType) -> Text:
        """The name with nothing in it that a terminal or a parser could obey."""
        return Text(line(str(label)))

    def action_take(self) -> None:
        """Choose the folder under the cursor."""
        node = self.cursor_node
        if node is not None and node.data is not None:
            self.screen.dismiss(OpenFolder(node.data.path))


class FirstRunScreen(Screen[Chosen]):
    """Opened over the overview; leaving it opens something or quits the application."""

    AUTO_FOCUS = "FolderTree"
    HELP = (
        "memlens shows the Markdown memory of an agent: MEMORY.md and the notes below memory/. "
        "None was found at the places above. Open the demo to look around, or take any folder "
        "that holds Markdown files."
    )
    DEFAULT_CSS = """
    FirstRunScreen #told { height: auto; padding: 1 1 0 1; }
    FirstRunScreen Input { height: 1; border: none; padding: 0 1; background: $panel; }
    FirstRunScreen #wrong { height: auto; padding: 0 1; color: $text-error; }
    FirstRunScreen FolderTree { height: 1fr; padding: 0 1; background: $background; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("d", "demo", "demo", id="first.demo", tooltip="Open the bundled demo memory."),
        Binding(
            "slash", "path", "type a path", id="first.path", tooltip="Type the path of a folder."
        ),
        Binding("escape", "tree", "folders", show=False, id="first.tree"),
    ]

    def __init__(
        self,
        looked_for: Sequence[LookedFor],
        workspace: Path | None,
        home: Path,
        problems: Sequence[str] = (),
    ) -> None:
        super().__init__()
        self._looked_for = looked_for
        self._workspace = workspace
        self._home = home
        self._problems = problems
        self._told = Static(id="told")
        self._path = Input(placeholder="path of a folder with Markdown notes")
        self._wrong = Static(id="wrong")
        self._tree = FolderTree(home)

    def compose(self) -> ComposeResult:
        """What was looked for, a path box, a tree of folders."""
        with Vertical(id="body"):
            yield self._told
            yield self._path
            yield self._wrong
            yield self._tree
        yield KeyLine()
        yield PassingLine()

    def on_resize(self) -> None:
        """The text is cut to the width."""
        self._told.update(self._words(self.size.width - 2, glyphs_of(self)))

    def _words(self, cells: int, glyphs: Glyphs) -> Content:
        parts: list[str | Content | tuple[str, str]] = [
            ("No memory found", "bold $primary"),
            ("  this is what was looked for:\n", "$text-muted"),
        ]
        for place in self._looked_for:
            empty = place.found and place.path == self._workspace
            good = place.found and not empty
            sign, style = (glyphs.clean, "success") if good else (glyphs.failed, "warning")
            word = "no notes" if empty else "there" if place.found else "not there"
            path = cut_left(short_path(str(place.path), str(self._home)), max(cells - 38, 12))
            parts += [(f"{sign} {word:<10}", f"$text-{style}"), pad(place.what, 24), f" {path}\n"]
        parts += [(f"{glyphs.warning} {problem}\n", "$text-warning") for problem in self._problems]
        parts += [
            "\nPress ",
            ("d", "bold $accent"),
            " to look around in the demo, or choose a folder:\n",
            rule("folder", cells, glyphs),
        ]
        return assemble(*parts)

    @on(Input.Submitted)
    def take_path(self, event: Input.Submitted) -> None:
        """Open the typed folder, or say what is wrong with it."""
        event.stop()
        typed = event.value.strip()
        folder = self._home / re.sub(r"^~/?", "", typed) if typed[:1] == "~" else Path(typed)
        wrong = _wrong(typed, folder)
        self._wrong.update(assemble(wrong))
        if not wrong:
            self.dismiss(OpenFolder(folder))

    def action_demo(self) -> None:
        """Take the demo."""
        self.dismiss(OpenDemo())

    def action_path(self) -> None:
        """Go to the path box."""
        self._path.focus()

    def action_tree(self) -> None:
        """Back to the tree."""
        self._tree.focus()


def _wrong(typed: str, folder: Path) -> str:
    if not typed:
        return "Type the path of a folder."
    try:
        if folder.is_dir():
            return ""
        return "That is a file; choose its folder." if folder.exists() else "No such folder."
    except (OSError, ValueError) as error:
        return f"Cannot look at it: {type(error).__name__}."
