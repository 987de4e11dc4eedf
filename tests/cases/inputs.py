"""The inputs of the cases that lie in this repository."""

from __future__ import annotations

import shutil
from pathlib import Path

DATA = Path(__file__).with_name("data")


def case_copy(name: str, where: Path) -> Path:
    """A fresh copy of a case's folder, which a test may change."""
    return Path(shutil.copytree(DATA / name, where / name))
