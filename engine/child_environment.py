"""What a process of ours sees of the environment: enough to run, and no key."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import engine

_KEPT = frozenset(
    {
        "HOME", "LANG", "LC_ALL", "LC_CTYPE", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "PATH",
        "PYTHONHOME", "PYTHONPATH", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR", "VIRTUAL_ENV",
    }
)  # fmt: skip


def child_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """What a child inherits: no keys, this very ``engine`` first, one thread for the sums."""
    kept = {name: value for name, value in environ.items() if name in _KEPT}
    home = str(Path(engine.__file__).resolve().parents[1])
    inherited = [kept["PYTHONPATH"]] if kept.get("PYTHONPATH") else []
    kept["PYTHONPATH"] = os.pathsep.join([home, *inherited])
    kept["PYTHONIOENCODING"] = "utf-8"
    kept["OMP_NUM_THREADS"] = kept["OPENBLAS_NUM_THREADS"] = "1"
    return kept
