"""The check that ``engine``, ``tui`` and ``themes`` are ours, in real processes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CODE = "import sys; from tui.__main__ import main; sys.exit(main(['--version']))"


def run(*path: Path) -> subprocess.CompletedProcess[str]:
    """Start memlens with these folders first on the path."""
    lines = f"import sys; sys.path[:0] = {[str(folder) for folder in path]!r}; {CODE}"
    return subprocess.run(
        [sys.executable, "-P", "-c", lines], capture_output=True, text=True, check=False
    )


def test_our_own_packages_are_accepted() -> None:
    done = run(ROOT)
    assert "cannot start" not in done.stderr


@pytest.mark.parametrize("name", ["engine", "themes"])
def test_a_foreign_package_of_the_name_is_refused_with_advice(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    (tmp_path / name / "__init__.py").write_text("", "utf-8")
    done = run(tmp_path, ROOT)
    assert done.returncode == 1
    assert f"'{name}' is another package" in done.stderr
    assert "environment of its own" in done.stderr


def test_a_copy_elsewhere_is_refused(tmp_path: Path) -> None:
    (tmp_path / "themes").mkdir()
    (tmp_path / "themes" / "__init__.py").write_text('MARKER = "memlens"', "utf-8")
    done = run(tmp_path, ROOT)
    assert done.returncode == 1
    assert "different places" in done.stderr
