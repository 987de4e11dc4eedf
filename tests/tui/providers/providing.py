"""A scripted engine that also answers what the Providers screen asks."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.errors import EngineError
from engine.status import ProbeReport, VectorSpace
from tests.screens.scripted import ScriptedEngine
from tests.screens.stage import NOW_MS


@dataclass
class ProvidingEngine(ScriptedEngine):
    """``report`` is what a probe says; with ``gate`` it waits for the event first."""

    spaces: Sequence[VectorSpace] = ()
    report: ProbeReport = field(
        default_factory=lambda: ProbeReport("builtin", "static-256", NOW_MS, 3.4, 256)
    )
    gate: threading.Event | None = None
    broken: EngineError | None = None
    """What counting the vector spaces raises."""

    def probe(self) -> ProbeReport:
        """Note the wish and answer."""
        self.asked.append("probe")
        if self.gate is not None:
            assert self.gate.wait(30)
        return self.report

    def vector_spaces(self) -> Sequence[VectorSpace]:
        """The scripted spaces."""
        self.asked.append("spaces")
        if self.broken is not None:
            raise self.broken
        return self.spaces

    def cancel_batch_jobs(self) -> int:
        """Note the wish."""
        self.asked.append("cancel jobs")
        return len(self.state.batch.jobs)
