"""Another process that indexes an agent's home, and kills itself at a named point."""

from __future__ import annotations

import sys
from pathlib import Path

from engine.events import SyncReason
from tests.engine.agent_home import AgentHome
from tests.engine.store.child import Executioner

REASONS: dict[str, SyncReason] = {"demand": "demand", "start": "start", "watch": "watch"}


def main() -> None:
    """Arguments: the home, the reason of the sync, the point and which time it is passed."""
    root, reason, stage, turn = sys.argv[1:]
    with AgentHome(Path(root)).open() as engine:
        engine.events.subscribe(Executioner(stage, int(turn)))
        engine.sync(REASONS[reason])


if __name__ == "__main__":
    main()
