"""What really reaches a terminal: the application in a process of its own behind a pty."""

from __future__ import annotations

import contextlib
import os
import pty
import select
import subprocess
import sys
import time
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path

import pytest

PATIENCE_S = 60.0
HOSTILE = "\x1b]52;c;c3RvbGVu\x07 \x1b]0;owned\x07 \x9b31m last words"


class Terminal:
    """A pty with the application behind it; keeps everything that was written."""

    def __init__(self, workspace: Path, **environ: str) -> None:
        self._leader, follower = pty.openpty()
        command = [sys.executable, "-m", "tui", "--workspace", str(workspace)]
        wanted = {"TERM": "xterm-256color", "LINES": "30", "COLUMNS": "100"}
        self._process = subprocess.Popen(
            command,
            stdin=follower,
            stdout=follower,
            stderr=follower,
            cwd=Path(__file__).parents[3],
            env={**os.environ, **wanted, **environ},
            close_fds=True,
        )
        os.close(follower)
        self.written = b""

    def press(self, keys: str) -> None:
        """Type."""
        os.write(self._leader, keys.encode())

    def wait_for(self, sign: bytes) -> None:
        """Read until something was written."""
        ends = time.monotonic() + PATIENCE_S
        while sign not in self.written:
            if time.monotonic() > ends:
                raise AssertionError(f"{sign!r} was not written: {self.written[-3000:]!r}")
            if select.select([self._leader], [], [], 0.2)[0]:
                self.written += os.read(self._leader, 65_536)

    def close(self) -> None:
        """End the application."""
        self._process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(10)
        self._process.kill()
        self._process.wait()
        os.close(self._leader)


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "MEMORY.md").write_text(f"# Quux heading\n{HOSTILE}\n", encoding="utf-8")
    return folder


@contextlib.contextmanager
def opened(workspace: Path, **environ: str) -> Iterator[Terminal]:
    terminal = Terminal(workspace, **environ)
    try:
        terminal.wait_for(b"Overview")
        terminal.press("3")
        terminal.wait_for(b"Quux heading")
        yield terminal
    finally:
        terminal.close()


def test_only_what_the_person_copies_reaches_the_clipboard(workspace: Path) -> None:
    with opened(workspace) as terminal:
        terminal.wait_for(b"last words")
        terminal.press("\r")
        terminal.wait_for(b"range")
        for hostile in (b"c3RvbGVu\x07", b"\x1b]0;owned", b"\xc2\x9b31m"):
            assert hostile not in terminal.written
        assert b"\x1b]52;" not in terminal.written
        terminal.press("jY")
        terminal.wait_for(b"\x1b]52;c;" + b64encode(HOSTILE.encode()) + b"\x07")


def test_the_editor_gets_the_terminal_and_the_line(workspace: Path, tmp_path: Path) -> None:
    noted = tmp_path / "noted"
    editor = tmp_path / "vim"
    editor.write_text(f'#!/bin/sh\nprintf "%s|%s" "$1" "$2" > "{noted}"\necho EDITING-NOW\n')
    editor.chmod(0o755)
    with opened(workspace, EDITOR=str(editor)) as terminal:
        terminal.press("\r")
        terminal.wait_for(b"range")
        terminal.press("jo")
        terminal.wait_for(b"EDITING-NOW")
        assert noted.read_text() == f"+2|{workspace / 'MEMORY.md'}"
        before = len(terminal.written)
        terminal.press("y")
        cited = b64encode(b"MEMORY.md#L2")
        terminal.wait_for(b"\x1b]52;c;" + cited)
        assert len(terminal.written) > before
