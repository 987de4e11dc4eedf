"""What leaves the application: text for the clipboard, a file for the person's editor."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from textual.app import App, SuspendNotSupported
from textual.message import Message

from tui.clipboard import Copied, local_program, run_local, wrapped
from tui.editor import Editor

Write = Callable[[str], None]
NO_EDITOR = (
    "No editor is set. Put its command into the environment variable VISUAL or EDITOR, "
    "for instance EDITOR=nano."
)


class CopyWanted(Message):
    """A text is to be copied; ``what`` names it for the notice."""

    def __init__(self, text: str, what: str) -> None:
        super().__init__()
        self.text = text
        self.what = what


class EditWanted(Message):
    """A file is to be opened in the person's editor."""

    def __init__(self, path: str, line: int) -> None:
        super().__init__()
        self.path = path
        self.line = line


class CopyDone(Message):
    """A text was sent to the clipboard; ``what`` names it."""

    def __init__(self, what: str, copied: Copied) -> None:
        super().__init__()
        self.what = what
        self.copied = copied


class Located(Message):
    """Where on disk the file lies that is to be opened at a line."""

    def __init__(self, file: Path, line: int) -> None:
        super().__init__()
        self.file = file
        self.line = line


def terminal_of(app: App[Any]) -> Write:
    """Where bytes for the terminal go.

    Textual's own ``copy_to_clipboard`` knows nothing of tmux, and there is no other public
    way to write a sequence.
    """
    driver = app._driver
    return driver.write if driver is not None else lambda _: None


def copy(text: str, write: Write, environ: Mapping[str, str]) -> Copied:
    """Send a text to the clipboard by every way that fits here; blocks for a local program."""
    way, sequence = wrapped(text, environ)
    write(sequence)
    ways = [way]
    program = local_program(environ, lambda name: shutil.which(name, path=environ.get("PATH")))
    if program is not None and run_local(program, text, environ):
        ways.append(program[0])
    return Copied(len(text), len(text.encode("utf-8", "replace")), tuple(ways))


def run_editor(
    app: App[Any], editor: Editor, file: Path, line: int, environ: Mapping[str, str]
) -> str:
    """Give the terminal to the editor until it ends; what went wrong, or an empty text."""
    command = editor.command(file, line)
    try:
        with app.suspend():
            done = subprocess.run(command, env=dict(environ), check=False)
    except SuspendNotSupported:
        return "This terminal cannot be lent to an editor."
    except OSError as error:
        return f"{editor.name} was not started: {error.strerror or 'unknown error'}."
    return f"{editor.name} ended with code {done.returncode}." if done.returncode else ""
