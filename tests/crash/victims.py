"""The parent's side: sends errands to a nursery and says how its victims ended."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from tests.crash.nursery import TRACE, Errand

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Death:
    """How a victim ended (its exit code, -9 for a kill), and the stages it passed."""

    code: int
    stages: tuple[str, ...]

    @property
    def killed(self) -> bool:
        """True for SIGKILL."""
        return self.code == -9


class Nursery:
    """One nursery process; a context manager."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "tests.crash.nursery"],
            env={**os.environ, "PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def send(self, errand: Errand) -> Death:
        """Let a victim do its errand, and wait for its end."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        trace = Path(errand.folder, TRACE)
        trace.unlink(missing_ok=True)
        stdin.write(errand.encoded() + "\n")
        stdin.flush()
        answer = stdout.readline()
        assert answer, "the nursery has died"
        return Death(json.loads(answer), tuple(trace.read_text("utf-8").split()))

    def __enter__(self) -> Nursery:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.communicate()
