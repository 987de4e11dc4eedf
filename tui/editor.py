"""Which editor to start, and how to tell it the line."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PureWindowsPath

_PLUS = ("+{line}", "{file}")
_LINE_FORMS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("vi", "vim", "nvim", "view", "gvim", "mvim"), _PLUS),
    **dict.fromkeys(
        ("nano", "pico", "micro", "joe", "kak", "gedit", "emacs", "emacsclient"), _PLUS
    ),
    **dict.fromkeys(("hx", "helix", "zed", "zeditor"), ("{file}:{line}",)),
    **dict.fromkeys(("subl", "sublime_text"), ("{file}:{line}",)),
    **dict.fromkeys(("code", "codium", "code-insiders", "cursor"), ("-g", "{file}:{line}")),
    **dict.fromkeys(("kate", "kwrite"), ("-l", "{line}", "{file}")),
    "mate": ("-l", "{line}", "{file}"),
    "idea": ("--line", "{line}", "{file}"),
}
"""How each editor takes a line. An unknown one is given the file alone."""
_WAIT_FLAGS: dict[str, str] = {
    **dict.fromkeys(("code", "codium", "code-insiders", "cursor", "zed", "zeditor"), "--wait"),
    **dict.fromkeys(("subl", "sublime_text", "mate"), "-w"),
    "idea": "--wait",
    "gvim": "-f",
    "mvim": "-f",
    "gedit": "--wait",
    "kate": "-b",
}
"""What makes an editor with a window of its own stay in front until the file is closed."""
_SAME_FLAGS = {"-w": "--wait", "--wait": "-w", "-f": "--nofork", "-b": "--block"}


@dataclass(frozen=True, slots=True)
class Editor:
    """An editor as the person has set it: the words of its command."""

    words: tuple[str, ...]

    @property
    def name(self) -> str:
        """The program's name without folder and ending."""
        base = PureWindowsPath(self.words[0]).name
        return base.lower().removesuffix(".exe").removesuffix(".cmd")

    @property
    def knows_lines(self) -> bool:
        """True when the editor can be told a line."""
        return self.name in _LINE_FORMS

    def command(self, file: Path, line: int) -> list[str]:
        """The command that opens a file at a 1-based line and waits until it is closed."""
        form = _LINE_FORMS.get(self.name, ("{file}",))
        places = [piece.replace("{line}", str(line)) for piece in form]
        return [*self.words, *self._wait(), *(p.replace("{file}", str(file)) for p in places)]

    def _wait(self) -> tuple[str, ...]:
        flag = _WAIT_FLAGS.get(self.name)
        if flag is None or flag in self.words or _SAME_FLAGS.get(flag) in self.words:
            return ()
        return (flag,)


def chosen_editor(environ: Mapping[str, str]) -> Editor | None:
    """The editor of VISUAL, else of EDITOR; None when neither is set to a usable command."""
    for name in ("VISUAL", "EDITOR"):
        try:
            words = shlex.split(environ.get(name, ""), posix=os.name != "nt")
        except ValueError:
            continue
        if words:
            return Editor(tuple(words))
    return None
