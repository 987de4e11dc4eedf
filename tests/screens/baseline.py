"""Baselines: the pictures that screens are compared with, as SVG and as plain text."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path

import pytest
import textual

from tests.screens.shot import Shot

FOLDER = Path(__file__).with_name("baselines")


def versions_here() -> str:
    """The Python and Textual that run now, in the form of the VERSIONS file."""
    python = ".".join(platform.python_version_tuple()[:2])
    return f"python {python}, textual {textual.__version__}\n"


def refusal(recorded: str, here: str) -> str:
    """Why baselines may not be written here; empty when they may."""
    if recorded == here:
        return ""
    return (
        f"baselines were made with {recorded.strip()}, this is {here.strip()}; "
        "to move all of them, delete tests/screens/baselines/VERSIONS first"
    )


@dataclass(frozen=True, slots=True)
class Baselines:
    """Compares with, or writes, the pictures of one test module."""

    folder: Path
    update: bool

    @property
    def versions(self) -> Path:
        """The file that says with which Python and Textual all baselines were made."""
        return self.folder.parent / "VERSIONS"

    def check(self, shot: Shot, name: str) -> None:
        """The picture equals its baseline; with ``--update-screens`` it becomes it."""
        if self.update:
            self._write(shot, name)
            return
        self._compare(shot.text, self.folder / f"{name}.txt")
        if self.versions.read_text("utf-8").split(",")[1] == versions_here().split(",")[1]:
            self._compare(shot.svg, self.folder / f"{name}.svg")

    def _write(self, shot: Shot, name: str) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        if not self.versions.exists():
            self.versions.write_text(versions_here(), "utf-8")
        why = refusal(self.versions.read_text("utf-8"), versions_here())
        if why:
            pytest.fail(why)
        (self.folder / f"{name}.txt").write_text(shot.text, "utf-8")
        (self.folder / f"{name}.svg").write_text(shot.svg, "utf-8")

    def _compare(self, seen: str, file: Path) -> None:
        if not file.exists():
            pytest.fail(f"no baseline {file.name}; look at the screen, then --update-screens")
        wanted = file.read_text("utf-8")
        if seen != wanted:
            diff = unified_diff(wanted.splitlines(), seen.splitlines(), "baseline", "now", n=1)
            pytest.fail(f"{file.name} differs:\n" + "\n".join(list(diff)[:60]), pytrace=False)
