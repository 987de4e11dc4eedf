"""From the screen to the line of a settings file that decides the provider, in a real terminal."""

from __future__ import annotations

from pathlib import Path

from tests.tui.files.test_terminal import Terminal


def test_the_editor_gets_file_and_line_and_a_change_can_count_at_once(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "MEMORY.md").write_text("# Quux heading\n", "utf-8")
    settings = tmp_path / "config" / "memlens" / "settings.json5"
    settings.parent.mkdir(parents=True)
    settings.write_text('{\n  // who makes the vectors\n  provider: "builtin",\n}\n', "utf-8")
    noted = tmp_path / "noted"
    editor = tmp_path / "vim"
    editor.write_text(
        f'#!/bin/sh\nprintf "%s|%s" "$1" "$2" > "{noted}"\n'
        'printf \'{ provider: "none" }\' > "$2"\n'
    )
    editor.chmod(0o755)
    environ = {
        "EDITOR": str(editor),
        "HOME": str(tmp_path),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "XDG_DATA_HOME": str(tmp_path / "data"),
    }
    terminal = Terminal(notes, **environ)
    try:
        terminal.wait_for(b"clean")
        terminal.press("4")
        terminal.wait_for(b", line 3")
        terminal.press("o")
        terminal.wait_for(b"Open the memory again?")
        assert noted.read_text() == f"+3|{settings}"
        terminal.press("\x1b[D\r")
        terminal.wait_for(b"are not embedded; keywords answer")
    finally:
        terminal.close()
