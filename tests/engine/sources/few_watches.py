"""A process for which the system has few watches left: it watches a workspace and reports.

Run as ``unshare -U -r python -m tests.engine.sources.few_watches KIND WORKSPACE``: the
limits of a user namespace of its own bind nobody else. KIND is "instances" or "watches"
(none left at the start), or "later" (none left for new folders). Prints mode and note.
"""

from __future__ import annotations

import sys
from pathlib import Path

from engine.sources.found import SourceRoots
from tests.engine.sources.watching import Record, watching


def limit(name: str, number: int) -> None:
    """Set a limit of this namespace."""
    Path("/proc/sys/user", f"max_inotify_{name}").write_text(str(number), "ascii")


def add_folders(heard: Record, memory: Path) -> None:
    """Use up what is left, and ask for one more."""
    limit("watches", heard.state.folders)
    with heard.change():
        (memory / "another").mkdir()
    heard.wait_for_state(lambda state: state.mode == "polling")


def main(kind: str, workspace: Path) -> None:
    """Watch under the limit, change a note, report."""
    memory = workspace / "memory"
    if kind == "instances":
        limit("instances", 0)
    elif kind == "watches":
        limit("watches", 1)
    with watching(SourceRoots(workspace)) as heard:
        if kind == "later":
            add_folders(heard, memory)
        with heard.change():
            (memory / "late.md").write_text("bittern\n", "utf-8")
        print(heard.state.mode, heard.state.note, sep="\n")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
