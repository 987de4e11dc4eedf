"""Everything the Providers screen knows at one moment; its rows are made of nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.config.resolved import ConfigValue
    from engine.events import BatchPhase, ModelDownload, SyncProgress
    from engine.status import EngineStatus, ProbeReport, VectorSpace

OVER: tuple[BatchPhase, ...] = ("completed", "failed", "expired", "cancelling", "cancelled")
"""Phases of a batch job in which there is nothing left to cancel."""
ALWAYS = ("provider", "model", "fallback")
"""Keys that are told even when nobody has set them."""
ABOUT_PROVIDERS = (
    "remote.",
    "local.",
    "prices.",
    "models.providers.",
    "inputType",
    "queryInputType",
    "documentInputType",
    "outputDimensionality",
    "multimodal.",
    "sync.embeddingBatchTimeoutSeconds",
    "sync.onIdentityChange",
)


@dataclass(frozen=True, slots=True)
class Place:
    """A setting about providers: its value as shown (never a secret) and where it was set."""

    key: str
    value: str
    layer: str
    file: Path | None = None
    line: int | None = None

    @property
    def is_set(self) -> bool:
        """True when somebody or something chose it."""
        return self.layer != "default"


@dataclass(frozen=True, slots=True)
class Arriving:
    """A download as it was told last, and when that was (epoch ms)."""

    download: ModelDownload
    heard_ms: float


@dataclass(frozen=True, slots=True)
class Known:
    """The status and what the screen itself has asked for; None is "not known yet"."""

    status: EngineStatus
    progress: SyncProgress | None = None
    probing: bool = False
    probe: ProbeReport | None = None
    places: Sequence[Place] | None = None
    spaces: Sequence[VectorSpace] | None = None
    arriving: Sequence[Arriving] = ()

    @property
    def stands_in(self) -> bool:
        """Whether the fallback answers until the provider that was taken does so again."""
        turn = self.status.provider.fallback
        return turn is not None and turn.again_ms is not None

    @property
    def again_ms(self) -> float | None:
        """Until when a provider that fails is left alone (epoch ms); None when none is."""
        provider = self.status.provider
        return provider.fallback.again_ms if provider.fallback is not None else provider.again_ms

    @property
    def asked(self) -> str:
        """The provider that a probe asks: the one taken, also while the fallback answers."""
        provider = self.status.provider
        if provider.fallback is not None and self.stands_in:
            return provider.fallback.from_
        return provider.provider

    @property
    def asks_elsewhere(self) -> bool:
        """Whether a probe leaves this machine; as long as that is not known it may."""
        own = next((space for space in self.spaces or () if space.role == "in use"), None)
        if own is not None and own.remote is not None:
            return own.remote
        return self.status.provider.remote or self.stands_in

    @property
    def destination(self) -> tuple[object, ...]:
        """Where a probe goes: another memory, provider or address is another destination."""
        address = self.place("remote.baseUrl")
        return _memory(self.status), self.asked, "" if address is None else address.value

    @property
    def failing(self) -> bool:
        """Whether a provider that can be asked again has failed."""
        provider = self.status.provider
        if provider.fallback is not None:
            return self.stands_in
        return provider.error is not None and provider.provider != "none"

    @property
    def may_cancel_jobs(self) -> bool:
        """Whether a batch job is out that the provider has not been asked to cancel."""
        return any(job.job and job.phase not in OVER for job in self.status.batch.jobs)

    def is_of_same_memory(self, status: EngineStatus) -> bool:
        """Whether a status is about the memory that this is known of."""
        return _memory(self.status) == _memory(status)

    def holds_for(self, status: EngineStatus) -> bool:
        """Whether spaces and settings are still what they were."""
        return _standing(self.status) == _standing(status)

    def with_download(self, download: ModelDownload, heard_ms: float) -> Known:
        """The same with what was told of a download; one that is done is not listed."""
        others = tuple(each for each in self.arriving if each.download.name != download.name)
        fresh = () if download.stage == "done" else (Arriving(download, heard_ms),)
        return replace(self, arriving=(*others, *fresh))

    def place(self, key: str) -> Place | None:
        """Where a setting comes from, if that is known."""
        return next((place for place in self.places or () if place.key == key), None)


def _memory(status: EngineStatus) -> tuple[object, ...]:
    return status.agent_id, status.workspace, status.store_path, status.config_path


def _standing(status: EngineStatus) -> tuple[object, ...]:
    return *_memory(status), status.revision, status.generation, status.provider.provider


def places_of(values: Sequence[ConfigValue]) -> tuple[Place, ...]:
    """The settings about providers: the three that decide, then what somebody has set."""
    found = {value.key: value for value in values}
    decide = [found[key] for key in ALWAYS if key in found]
    others = [
        value
        for value in values
        if value.key.startswith(ABOUT_PROVIDERS) and value.source.layer != "default"
    ]
    return tuple(_place(value) for value in (*decide, *others))


def _place(value: ConfigValue) -> Place:
    source = value.source
    return Place(value.key, _shown(value.value), source.layer, source.file, source.line)


def _shown(value: object) -> str:
    if value is None or value == "":
        return "not set"
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)
