"""The documented table of our own settings is made from the keys themselves."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from engine.config.key_table import OWN, table
from engine.config.markdown import markdown
from engine.config.schema import Hybrid

README = Path(__file__).parents[3] / "README.md"


def test_readme_shows_the_table_that_the_command_prints() -> None:
    command = [sys.executable, "-m", "engine.config.markdown"]
    printed = subprocess.run(
        command, capture_output=True, text=True, check=True, cwd=README.parent
    ).stdout
    assert printed == markdown(OWN)
    _, _, rest = README.read_text("utf-8").partition("<!-- own settings -->\n")
    shown, _, _ = rest.partition("<!-- end of own settings -->")
    assert shown.strip() == printed.strip(), "put what the command prints between the marks"


def test_a_row_says_what_a_key_takes_and_what_it_is_for() -> None:
    lines = markdown(table(Hybrid)).splitlines()
    assert lines[:2] == ["| key | takes | default | meaning |", "| --- | --- | --- | --- |"]
    row = "| `vectorWeight` | a number from 0 to 1 | `0.7` | Weight of the vector score. |"
    assert row in lines
    assert all(line.count("|") == 5 for line in lines)
