"""Making the indexing process step back for whoever is at the screen."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

NICENESS = 10
"""A tenth of the weight of an ordinary process: it has what nobody else wants."""

_SESSION = Path("/proc/self/autogroup")


def step_back(session: Path = _SESSION) -> None:
    """Lower this process's priority, and that of its session, where the system knows both.

    A process in a session of its own needs the second: with Linux's automatic groups
    (sched(7)) niceness counts only between the processes of one session, and sessions
    share the processors evenly whatever the niceness of their members.
    """
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    with suppress(OSError):  # no such groups here, or not ours to change
        if session.exists():
            session.write_text(str(NICENESS))
