"""A process of ours beside this one: how it starts, and what it sees: enough to run, and no key."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import IO

import engine

_KEPT = frozenset(
    {
        "HOME", "LANG", "LC_ALL", "LC_CTYPE", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "PATH",
        "PYTHONHOME", "PYTHONPATH", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR", "VIRTUAL_ENV",
    }
)  # fmt: skip


def start_child(module: str, environ: Mapping[str, str]) -> subprocess.Popen[str]:
    """Run a module of ours, spoken to in lines over its pipes, in a session of its own.

    Raises OSError.
    """
    return subprocess.Popen(
        [sys.executable, "-P", "-m", module],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=child_environment(environ),
        encoding="utf-8",
        errors="replace",
        start_new_session=True,
    )


def pipe_of(stream: IO[str] | None) -> IO[str]:
    """A pipe of a child that ``start_child`` has started."""
    if stream is None:
        raise RuntimeError("the process was started without this pipe")
    return stream


def child_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """What a child inherits: no keys, this very ``engine`` first, one thread for the sums."""
    kept = {name: value for name, value in environ.items() if name in _KEPT}
    home = str(Path(engine.__file__).resolve().parents[1])
    inherited = [kept["PYTHONPATH"]] if kept.get("PYTHONPATH") else []
    kept["PYTHONPATH"] = os.pathsep.join([home, *inherited])
    kept["PYTHONIOENCODING"] = "utf-8"
    kept["OMP_NUM_THREADS"] = kept["OPENBLAS_NUM_THREADS"] = "1"
    return kept
