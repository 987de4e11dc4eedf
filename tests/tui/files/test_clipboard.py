"""Copying: the bytes for the terminal, and the sentence for the person."""

from __future__ import annotations

from base64 import b64decode, b64encode
from pathlib import Path

import pytest

from tui.clipboard import local_program, osc52, wrapped
from tui.widgets.files.outside import copy

TEXT = "# Überschrift\n[/bold] \x1b[31m 字\n"


def payload(sequence: str) -> str:
    return b64decode(sequence.split("]52;c;")[-1].split("\a")[0]).decode()


def test_the_original_text_travels_and_no_control_byte_of_it() -> None:
    sequence = osc52(TEXT)
    assert payload(sequence) == TEXT
    assert sequence.startswith("\x1b]52;c;") and sequence.endswith("\a")
    assert sequence.count("\x1b") == 1


def test_tmux_gets_it_plain_and_wrapped_with_doubled_escapes() -> None:
    way, sequence = wrapped(TEXT, {"TMUX": "/tmp/tmux,1,0"})
    assert way == "OSC 52 through tmux"
    assert sequence.startswith(osc52(TEXT))
    inner = sequence.removeprefix(osc52(TEXT))
    assert inner.startswith("\x1bPtmux;\x1b\x1b]52;c;") and inner.endswith("\x1b\\")
    assert payload(inner) == TEXT


def test_screen_gets_pieces_that_it_takes() -> None:
    way, sequence = wrapped("x" * 3_000, {"STY": "1.tty"})
    pieces = sequence.split("\x1b\\")[:-1]
    assert way == "OSC 52 through screen" and len(pieces) > 4
    assert all(piece.startswith("\x1bP") and len(piece) <= 764 for piece in pieces)
    joined = "".join(piece.removeprefix("\x1bP") for piece in pieces)
    assert joined == osc52("x" * 3_000)


@pytest.mark.parametrize(
    ("environ", "found"),
    [
        ({"WAYLAND_DISPLAY": "wayland-0"}, "wl-copy"),
        ({"DISPLAY": ":0"}, "xclip"),
        ({"DISPLAY": ":0", "SSH_TTY": "/dev/pts/1"}, None),
    ],
)
def test_a_program_of_the_desktop_only_when_the_desktop_is_here(
    environ: dict[str, str], found: str | None
) -> None:
    have = {"wl-copy", "xclip"}
    program = local_program(environ, lambda name: name if name in have else None)
    assert (program[0] if program else None) == found


def test_a_real_program_gets_the_text(tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    program = tmp_path / "xclip"
    program.write_text(f'#!/bin/sh\n/bin/cat > "{taken}"\n')
    program.chmod(0o755)
    sent: list[str] = []
    copied = copy(TEXT, sent.append, {"DISPLAY": ":0", "PATH": str(tmp_path)})
    assert taken.read_bytes() == TEXT.encode()
    assert copied.ways == ("OSC 52", "xclip")
    assert sent == [f"\x1b]52;c;{b64encode(TEXT.encode()).decode()}\a"]
    assert copied.told == f"{len(TEXT)} characters sent by OSC 52 and xclip."


def test_a_failing_program_is_not_claimed(tmp_path: Path) -> None:
    program = tmp_path / "xclip"
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(0o755)
    copied = copy("x", lambda _: None, {"DISPLAY": ":0", "PATH": str(tmp_path)})
    assert copied.ways == ("OSC 52",)


def test_much_text_comes_with_a_warning() -> None:
    copied = copy("x" * 80_000, lambda _: None, {})
    assert (
        copied.told == "80,000 characters sent by OSC 52. Some terminals refuse that much at once."
    )
