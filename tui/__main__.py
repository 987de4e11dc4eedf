"""The console script. Without a sub-command it opens the application, else the scriptable twin."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.config.request import EngineOptions
    from engine.memory import Surroundings

SWITCH_INTERVAL_S = 0.001
"""How long a thread may keep the interpreter: short, so that threads cannot hold up a key."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run memlens with the given arguments (those of the process if None); the exit code."""
    from tui.ownership import wrong_packages

    trouble = wrong_packages()
    if trouble:
        sys.stderr.write(trouble + "\n")
        return 1
    from engine.cli.main import run

    return run(sys.argv[1:] if argv is None else argv, run_application)


def run_application(options: EngineOptions, around: Surroundings) -> int:
    """Open the application. Textual is loaded here and nowhere before."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        sys.stderr.write(
            "memlens opens its screens only in a terminal. "
            "In scripts use the commands, see 'memlens --help'.\n"
        )
        return 1
    from tui.app import MemlensApp

    sys.setswitchinterval(SWITCH_INTERVAL_S)
    app = MemlensApp(options, around)
    app.run()
    return app.return_code or 0


if __name__ == "__main__":
    sys.exit(main())
