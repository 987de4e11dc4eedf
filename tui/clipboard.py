"""Copying out of the terminal: OSC 52, wrapped for tmux and screen, and a local program.

No terminal says whether it took an OSC 52 sequence, so the person is told which way was
tried. Text is copied as it is in the file; only its base64 form reaches the terminal.
"""

from __future__ import annotations

import subprocess
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

PATIENCE_S = 5.0
"""How long a local clipboard program may take."""
CAUTIOUS_BYTES = 75_000
"""Some terminals ignore longer sequences (a limit of 100,000 bytes of base64)."""
_SCREEN_PIECE = 700
"""GNU screen takes at most 768 bytes in one string."""
_REMOTE = ("SSH_CONNECTION", "SSH_TTY", "SSH_CLIENT")

Which = Callable[[str], str | None]


@dataclass(frozen=True, slots=True)
class Copied:
    """What was sent where: ``characters`` of text, by these ways."""

    characters: int
    octets: int
    ways: tuple[str, ...]

    @property
    def told(self) -> str:
        """A sentence for the person."""
        unit = "character" if self.characters == 1 else "characters"
        words = f"{self.characters:,} {unit} sent by {' and '.join(self.ways)}."
        if self.octets > CAUTIOUS_BYTES and len(self.ways) == 1:
            words += " Some terminals refuse that much at once."
        elif self.ways == ("OSC 52 through tmux",):
            words += " tmux needs set-clipboard on, or allow-passthrough on."
        return words


def osc52(text: str) -> str:
    """The sequence that puts a text into the clipboard of the terminal."""
    return f"\x1b]52;c;{_base64(text)}\a"


def wrapped(text: str, environ: Mapping[str, str]) -> tuple[str, str]:
    """How to say it to the terminal behind tmux or screen: the way's name, and the bytes.

    Inside tmux the plain sequence comes too: which of the two works is a setting there.
    """
    plain = osc52(text)
    if environ.get("TMUX"):
        escaped = plain.replace("\x1b", "\x1b\x1b")
        return "OSC 52 through tmux", f"{plain}\x1bPtmux;{escaped}\x1b\\"
    if environ.get("STY"):
        return "OSC 52 through screen", "".join(
            f"\x1bP{plain[at : at + _SCREEN_PIECE]}\x1b\\"
            for at in range(0, len(plain), _SCREEN_PIECE)
        )
    return "OSC 52", plain


def local_program(environ: Mapping[str, str], which: Which) -> Sequence[str] | None:
    """The clipboard program of this desktop, None over SSH and where there is none."""
    if any(environ.get(name) for name in _REMOTE):
        return None
    candidates = [
        ("WAYLAND_DISPLAY", ["wl-copy"]),
        ("DISPLAY", ["xclip", "-selection", "clipboard"]),
        ("DISPLAY", ["xsel", "--clipboard", "--input"]),
        ("WSL_DISTRO_NAME", ["clip.exe"]),
        ("", ["pbcopy"]),
    ]
    for variable, command in candidates:
        if (not variable or environ.get(variable)) and which(command[0]):
            return command
    return None


def run_local(command: Sequence[str], text: str, environ: Mapping[str, str]) -> bool:
    """Hand the text to a clipboard program; blocks. False when it failed."""
    try:
        done = subprocess.run(
            command,
            input=text.encode("utf-8", "replace"),
            env=dict(environ),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=PATIENCE_S,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return done.returncode == 0


def _base64(text: str) -> str:
    return b64encode(text.encode("utf-8", "replace")).decode("ascii")
