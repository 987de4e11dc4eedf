"""A fake hub, a model folder, and downloads between the two."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from engine.events import ModelDownload
from engine.local_models.address import parse_address
from engine.local_models.cache import ModelCache
from engine.local_models.download_parts import DownloadParts
from engine.local_models.fetch import ModelFetcher
from engine.local_models.hub import hub_of
from engine.net.messages import Cancelled, never
from engine.net.transport import HttpxTransport
from tests.fakes.fake_hub import FakeHub
from tests.fakes.still_time import StillTime

TOKEN = "hf_abcdefghijklmnopqrstuvwxyz"


@dataclass
class Desk:
    """One person's machine: an environment, a model folder, time that only sleeps move."""

    hub: FakeHub
    cache: ModelCache
    environ: dict[str, str]
    time: StillTime = field(default_factory=StillTime)
    told: list[ModelDownload] = field(default_factory=list)
    free: Callable[[Path], int] = lambda folder: 1 << 40

    def fetch(
        self,
        address: str,
        cancelled: Cancelled = never,
        environ: Mapping[str, str] | None = None,
    ) -> Path:
        """Download as a process of its own would: with new objects each time."""
        around = self.environ | dict(environ or {})
        transport = HttpxTransport(around)
        parts = DownloadParts(
            transport, hub_of(around), self.time.clock, self.time, lambda: 0.0, self.free
        )
        parsed = parse_address(address)
        assert parsed is not None
        try:
            return ModelFetcher(self.cache, parts).fetch(parsed, self.told.append, cancelled)
        finally:
            transport.close()

    @property
    def files(self) -> list[str]:
        """Names of everything in the model folder."""
        return sorted(path.name for path in self.cache.folder.iterdir())


@pytest.fixture
def hub() -> Iterator[FakeHub]:
    with FakeHub(token=TOKEN) as fake:
        yield fake


@pytest.fixture
def desk(hub: FakeHub, tmp_path: Path) -> Desk:
    return Desk(hub, ModelCache(tmp_path / "models"), {"HF_ENDPOINT": hub.endpoint})
