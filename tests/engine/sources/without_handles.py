"""A process that may open one more file and no more: watches a workspace and reports.

Run with the workspace as argument. Prints the mode and the note of the watch once it has
seen a note that it writes itself.
"""

from __future__ import annotations

import os
import resource
import sys
from pathlib import Path

import watchfiles  # imported while there are handles

from engine.sources.found import SourceRoots
from tests.engine.sources.watching import watching


def main(workspace: Path) -> None:
    """Use up the handles, watch, change, report."""
    held = [os.open(os.devnull, os.O_RDONLY) for _ in range(8)]
    resource.setrlimit(resource.RLIMIT_NOFILE, (held[-1] + 2, 4096))
    with watching(SourceRoots(workspace)) as heard:
        heard.wait_for_state(lambda state: state.mode == "polling")
        with heard.change():
            (workspace / "memory/late.md").write_text("bittern\n", "utf-8")
        print(heard.state.mode, heard.state.note, sep="\n")


if __name__ == "__main__":
    assert watchfiles.__version__
    main(Path(sys.argv[1]))
