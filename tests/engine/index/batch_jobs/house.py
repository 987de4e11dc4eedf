"""An agent's home whose provider takes batch jobs, and notes enough for one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from engine.clock import SystemClock
from engine.events import BatchProgress, EngineEvent, Notice
from engine.memory import MemoryEngine
from engine.net.messages import Cancelled
from engine.net.pauses import EventSleeper
from tests.engine.agent_home import KEY, AgentHome
from tests.fakes.bow192 import bow_192
from tests.fakes.gemini_batch_host import GeminiBatchHost
from tests.fakes.gemini_host import KEY as GEMINI_KEY
from tests.fakes.openai_batch_host import OpenAIBatchHost, VoyageBatchHost
from tests.fakes.still_time import StillTime

Host = OpenAIBatchHost | GeminiBatchHost
WAIT_S = 60.0
NOTES = 120
"""Each is one chunk; a job takes 100 and more."""
MODELS = {"openai": "bow-192", "voyage": "voyage-4", "gemini": "gemini-embedding-001"}


def text_of(number: int) -> str:
    """The text of a note."""
    return f"note {number} about kestrel and router {number}"


class HookedTime(StillTime):
    """Calls what was hung on a pause, by the number of the pause (from 1), before it.

    The pause number ``stands_from`` does not end by itself, only with a cancel.
    """

    def __init__(self) -> None:
        super().__init__()
        self.hooks: dict[int, Callable[[], object]] = {}
        self.stands_from: int | None = None

    def sleep(self, seconds: float, cancelled: Cancelled) -> None:
        """Move the clock."""
        hook = self.hooks.pop(len(self.slept) + 1, None)
        if hook is not None:
            hook()
        if self.stands_from == len(self.slept) + 1:
            EventSleeper(SystemClock()).sleep(WAIT_S, cancelled)
        super().sleep(seconds, cancelled)


class House:
    """``batch`` are the keys of ``remote.batch`` beside ``enabled``."""

    def __init__(self, root: Path, provider: str = "openai", notes: int = NOTES) -> None:
        self.time = HookedTime()
        self.home = AgentHome(root, time=self.time)
        self.provider = provider
        for number in range(notes):
            self.home.write(f"memory/{number:03}.md", text_of(number))

    def any_host(self, **options: Any) -> Host:
        """The provider's server; to be entered."""
        if self.provider == "gemini":
            return GeminiBatchHost(self.time.clock, **options)
        kind = VoyageBatchHost if self.provider == "voyage" else OpenAIBatchHost
        return kind(self.time.clock, **options)

    def host(self, **options: Any) -> OpenAIBatchHost:
        """OpenAI's server; to be entered."""
        return OpenAIBatchHost(self.time.clock, **options)

    def configure(self, host: Host, *, enabled: bool = True, **batch: Any) -> None:
        """Write the agent's configuration."""
        self.search_keys(host, {}, enabled=enabled, **batch)

    def search_keys(
        self, host: Host, keys: dict[str, Any], *, enabled: bool = True, **batch: Any
    ) -> None:
        """As ``configure``, with further keys of ``memorySearch``."""
        key = GEMINI_KEY if self.provider == "gemini" else KEY
        remote = {
            "baseUrl": host.base_url,
            "apiKey": key,
            "batch": {"enabled": enabled, **batch},
        }
        model = MODELS[self.provider]
        self.home.configure({"provider": self.provider, "model": model, "remote": remote, **keys})

    @contextmanager
    def open(self, *settings: str) -> Iterator[MemoryEngine]:
        """The facade, as another process would open it."""
        with self.home.open(*settings) as engine:
            yield engine

    @property
    def heard(self) -> list[EngineEvent]:
        """Everything that was told."""
        return self.home.heard

    @property
    def progress(self) -> list[BatchProgress]:
        """What was told of jobs."""
        return [event for event in self.heard if isinstance(event, BatchProgress)]

    @property
    def notices(self) -> str:
        """All notices, line by line."""
        return "\n".join(event.text for event in self.heard if isinstance(event, Notice))

    def phases(self) -> list[str]:
        """The phases of jobs as told, without repetitions."""
        told = [event.phase for event in self.progress]
        return [phase for at, phase in enumerate(told) if at == 0 or told[at - 1] != phase]

    @property
    def slept(self) -> list[float]:
        """All pauses, in seconds."""
        return self.time.slept

    def pass_time(self, seconds: float) -> None:
        """Let time go by while nobody waits."""
        self.time.clock.seconds += seconds
        self.time.clock.epoch_ms += seconds * 1000.0


def finds(engine: MemoryEngine, word: str) -> int:
    """How many results keywords give for a word, of at most a hundred."""
    return len(engine.store.reader.keyword("documented", f'"{word}"', 1000))


def vectors_of(engine: MemoryEngine) -> dict[str, list[float]]:
    """The stored vectors of the published chunks, by text."""
    primary = engine.provider.primary
    assert primary is not None
    chunks = engine.store.reader.chunks()
    found = engine.store.vectors_for(primary.identity.key(), [chunk.hash for chunk in chunks])
    return {chunk.text: found[chunk.hash].tolist() for chunk in chunks if chunk.hash in found}


def assert_right(engine: MemoryEngine, count: int = NOTES) -> None:
    """So many chunks have a vector, and each its own."""
    found = vectors_of(engine)
    assert len(found) == count
    for text, vector in found.items():
        expected = bow_192(text)
        length = sum(x * x for x in expected) ** 0.5
        assert vector[:192] == pytest.approx([x / length for x in expected], abs=1e-5)
