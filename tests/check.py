"""Set up and pass every check: the second command of README and the whole of .ci/run.

Needs nothing but Python 3.11+. Makes its own virtual environment, installs the
project with its development tools, then runs lint, types, the import contract,
the tests, and a smoke run of the built wheel in an environment of its own.

    python3 tests/check.py            everything
    python3 tests/check.py --quick    without the wheel
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ENVIRONMENT = ROOT / ".venv"
BIN = "Scripts" if os.name == "nt" else "bin"
QUERY = "why did the router lose its settings"


def run(title: str, command: Sequence[str | Path], **extra: str) -> None:
    """Run one step with its name and time; a failing step ends the whole run."""
    print(f"\n=== {title}", flush=True)
    began = time.monotonic()
    environment = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "PYTHONPATH")}
    done = subprocess.run([str(c) for c in command], cwd=ROOT, env={**environment, **extra})
    print(f"=== {title}: {time.monotonic() - began:.1f} s", flush=True)
    if done.returncode:
        sys.exit(f"check failed: {title} (exit {done.returncode})")


def environment(folder: Path) -> Path:
    """A virtual environment at ``folder``; returns its Python."""
    python = folder / BIN / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
    return python


def smoke(wheel: Path) -> None:
    """Install the wheel alone and use it as a stranger would, away from the checkout."""
    with tempfile.TemporaryDirectory() as name:
        python = environment(Path(name) / "venv")
        run("smoke: install the wheel", [python, "-m", "pip", "install", "-q", wheel])
        command = python.parent / "memlens"
        data = {"XDG_DATA_HOME": name, "XDG_CONFIG_HOME": name, "HOME": name}
        run("smoke: help", [command, "--help"], **data)
        run("smoke: index", [command, "--demo", "index"], **data)
        run("smoke: search", [command, "--demo", "search", QUERY, "--json"], **data)
        run("smoke: status", [command, "--demo", "status", "--json"], **data)


def main(arguments: Sequence[str]) -> None:
    """All checks in the order of what fails fastest."""
    python = environment(ENVIRONMENT)
    run("install", [python, "-m", "pip", "install", "-q", "-e", ".[dev]"])
    tools = python.parent
    run("lint", [tools / "ruff", "check", "."])
    run("format", [tools / "ruff", "format", "--check", "."])
    run("types", [tools / "mypy"])
    run("import contract", [tools / "lint-imports"])
    run("tests", [python, "-m", "pytest", "-n", "auto", "-q"])
    if "--quick" in arguments:
        return
    with tempfile.TemporaryDirectory() as name:
        run("build the wheel", [python, "-m", "build", "-q", "-n", "--wheel", "--outdir", name])
        smoke(next(Path(name).glob("*.whl")))


if __name__ == "__main__":
    main(sys.argv[1:])
