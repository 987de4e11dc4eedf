"""A process that has everything loaded and forks one victim after another.

Reads one errand a line (JSON) and answers with the signal that ended the victim. A fork
costs a few hundredths of a second where a fresh Python costs one; it is a process all the
same, with files, locks and threads of its own.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import traceback
from dataclasses import asdict, dataclass
from pathlib import Path

from engine.errors import EngineError
from engine.events import EngineEvent, StageReached
from tests.crash.bench import Bench, provider_called
from tests.crash.dying_disk import Fault, install
from tests.crash.scenes import SCENES

TRACE, WORDS = "stages.log", "error.txt"
REFUSED, FAILED = 4, 3
"""Exit codes: an error that is told to a person, and one that must not be."""


@dataclass(frozen=True, slots=True)
class Errand:
    """Act a scene out in a folder, and die when a stage is passed for the turn-th time.

    With a ``fault`` the disk fails or kills instead, at its n-th write. ``provider`` takes
    the place of the scene's own.
    """

    scene: str
    folder: str
    stage: str = ""
    turn: int = 0
    fault: Fault | None = None
    provider: str = ""

    def encoded(self) -> str:
        """One line."""
        return json.dumps(asdict(self))

    @classmethod
    def decoded(cls, line: str) -> Errand:
        """The errand of a line."""
        fields = json.loads(line)
        fault = fields.pop("fault")
        return cls(fault=Fault(**fault) if fault else None, **fields)


class Executioner:
    """Writes every stage down, and kills this process at the one that is asked for."""

    def __init__(self, errand: Errand) -> None:
        self._errand = errand
        self._left = errand.turn
        trace = Path(errand.folder, TRACE)
        self._trace = os.open(trace, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def __call__(self, event: EngineEvent) -> None:
        """An event of the engine."""
        if not isinstance(event, StageReached):
            return
        os.write(self._trace, f"{event.name}\n".encode())
        if event.name == self._errand.stage:
            self._left -= 1
            if self._left == 0:
                os.kill(os.getpid(), signal.SIGKILL)


def live(errand: Errand) -> int:
    """The life of a victim; returns its exit code if it survives."""
    sink = Executioner(errand)
    if errand.fault is not None:
        install(errand.fault)
    scene = SCENES[errand.scene]
    if errand.provider:
        scene = scene.with_provider(errand.provider)
    try:
        scene.act(Bench(Path(errand.folder)), sink)
    except EngineError as error:
        Path(errand.folder, WORDS).write_text(f"{error.title}: {error.message}", "utf-8")
        return REFUSED
    except Exception:
        traceback.print_exc()
        return FAILED
    return 0


def main() -> None:
    """Fork for every line."""
    model = provider_called("builtin")
    assert model is not None
    model.embed_query("load the model")
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            os._exit(live(Errand.decoded(line)))
        _, status = os.waitpid(child, 0)
        print(json.dumps(os.waitstatus_to_exitcode(status)), flush=True)


if __name__ == "__main__":
    main()
