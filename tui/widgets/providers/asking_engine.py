"""What the Providers screen asks the engine for, and the messages in which answers come."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message

from tui.widgets.providers.known import Place, places_of

if TYPE_CHECKING:
    from engine.memory import MemoryEngine
    from engine.status import ProbeReport, VectorSpace


class Learned(Message, bubble=False):
    """What the index file and the configuration say about providers."""

    def __init__(self, spaces: tuple[VectorSpace, ...], places: tuple[Place, ...]) -> None:
        super().__init__()
        self.spaces = spaces
        self.places = places


class Probed(Message, bubble=False):
    """What came of a probe."""

    def __init__(self, report: ProbeReport) -> None:
        super().__init__()
        self.report = report


class JobsAsked(Message, bubble=False):
    """So many batch jobs were asked to stop."""

    def __init__(self, jobs: int) -> None:
        super().__init__()
        self.jobs = jobs


def learn(engine: MemoryEngine) -> Learned:
    """Runs on a worker: counts the whole index file."""
    return Learned(tuple(engine.vector_spaces()), places_of(engine.config.values))


def probe(engine: MemoryEngine) -> Probed:
    """Runs on a worker: waits for the provider."""
    return Probed(engine.probe())


def cancel_jobs(engine: MemoryEngine) -> JobsAsked:
    """Runs on a worker: waits for the provider."""
    return JobsAsked(engine.cancel_batch_jobs())
