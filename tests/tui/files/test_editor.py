"""Which editor is started, and how it is told the line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tui.editor import chosen_editor

FILE = Path("/notes/my file.md")


@pytest.mark.parametrize(
    ("command", "wanted"),
    [
        ("vim", ["vim", "+12", str(FILE)]),
        ("/usr/bin/nvim -u NONE", ["/usr/bin/nvim", "-u", "NONE", "+12", str(FILE)]),
        ("vi", ["vi", "+12", str(FILE)]),
        ("nano", ["nano", "+12", str(FILE)]),
        ("emacs -nw", ["emacs", "-nw", "+12", str(FILE)]),
        ("micro", ["micro", "+12", str(FILE)]),
        ("hx", ["hx", f"{FILE}:12"]),
        ("code", ["code", "--wait", "-g", f"{FILE}:12"]),
        ("code --wait", ["code", "--wait", "-g", f"{FILE}:12"]),
        ("code -w", ["code", "-w", "-g", f"{FILE}:12"]),
        ("codium", ["codium", "--wait", "-g", f"{FILE}:12"]),
        ("subl", ["subl", "-w", f"{FILE}:12"]),
        ("zed", ["zed", "--wait", f"{FILE}:12"]),
        ("kate", ["kate", "-b", "-l", "12", str(FILE)]),
        ("gedit", ["gedit", "--wait", "+12", str(FILE)]),
        ('"C:/Program Files/Vim/vim.exe"', ["C:/Program Files/Vim/vim.exe", "+12", str(FILE)]),
        ("my-own-editor --fast", ["my-own-editor", "--fast", str(FILE)]),
    ],
)
def test_each_editor_is_told_the_line_in_its_own_way(command: str, wanted: list[str]) -> None:
    editor = chosen_editor({"EDITOR": command})
    assert editor is not None
    assert editor.command(FILE, 12) == wanted


def test_visual_comes_before_editor_and_nothing_is_guessed() -> None:
    editor = chosen_editor({"VISUAL": "hx", "EDITOR": "vi"})
    assert editor is not None and editor.name == "hx"
    assert chosen_editor({}) is None
    assert chosen_editor({"VISUAL": "  ", "EDITOR": "'unclosed"}) is None


def test_a_file_name_with_braces_is_left_as_it_is() -> None:
    editor = chosen_editor({"EDITOR": "code"})
    assert editor is not None
    assert editor.command(Path("/n/{line}.md"), 3)[-1] == "/n/{line}.md:3"
