"""A system without watches left, for real: in a user namespace with limits of its own."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
UNSHARE = ("unshare", "-U", "-r")


def _namespaces() -> bool:
    """Whether this system lets us have a namespace."""
    if shutil.which(UNSHARE[0]) is None:
        return False
    return subprocess.run([*UNSHARE, "true"], capture_output=True, check=False).returncode == 0


@pytest.mark.parametrize(
    ("kind", "told"),
    [("instances", "max_user_instances"), ("watches", "max_user_watches"),
     ("later", "max_user_watches")],
)  # fmt: skip
def test_an_exhausted_limit_is_told_and_polled(kind: str, told: str, tmp_path: Path) -> None:
    if not _namespaces():
        pytest.skip("needs user namespaces")
    (tmp_path / "ws/memory/deep").mkdir(parents=True)
    done = subprocess.run(
        [*UNSHARE, sys.executable, "-m", "tests.engine.sources.few_watches", kind, tmp_path / "ws"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    mode, _, note = done.stdout.partition("\n")
    assert mode == "polling", done.stderr
    assert note.startswith("the system cannot watch: ")
    assert told in note
