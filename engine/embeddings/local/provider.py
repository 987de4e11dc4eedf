"""The ``local`` provider: a GGUF model in a process of its own, behind the provider contract."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.clock import Clock
from engine.embeddings.contract import EmbeddedBatch, ProviderIdentity, ProviderLimits
from engine.embeddings.local.call import LIMITS, LocalCall, usable
from engine.embeddings.local.settings import PULL, LocalSettings
from engine.errors import CancelledError, EngineError, ProviderError
from engine.events import EngineEvent, EventSink, ModelDownload
from engine.local_models.model_runner import ModelRunner
from engine.local_models.worker_lines import clean
from engine.local_status import LocalModelState, LocalPhase
from engine.net.messages import never
from engine.net.pauses import Sleeper

if TYPE_CHECKING:
    from pathlib import Path

    from engine.embeddings.contract import Cancelled, Vector
    from engine.local_models.worker_lines import Embedded

Fetch = Callable[[EventSink, "Cancelled"], "Path"]
"""Downloads the model. Raises ProviderError, PathError, CancelledError."""


@dataclass(frozen=True, slots=True)
class LocalParts:
    """What the provider needs from outside. ``sleeper`` waits, None by the clock."""

    environ: Mapping[str, str]
    clock: Clock
    emit: EventSink = lambda event: None
    sleeper: Sleeper | None = None


class LocalProvider:
    """Thread-safe; the process starts with the first text. Nothing leaves the machine."""

    def __init__(
        self, settings: LocalSettings, runner: ModelRunner, fetch: Fetch, emit: EventSink
    ) -> None:
        self._settings = settings
        self._runner = runner
        self._fetch = fetch
        self._emit = emit
        self._download: ModelDownload | None = None

    @property
    def identity(self) -> ProviderIdentity:
        """The vector space: the file by its content or address, the window, our rules."""
        settings = self._settings
        return ProviderIdentity(settings.provider, settings.model, settings.endpoint)

    @property
    def limits(self) -> ProviderLimits:
        """Sizes of one call; a text of any length is embedded in windows."""
        return LIMITS

    @property
    def remote(self) -> bool:
        """Nothing leaves the machine."""
        return False

    @property
    def vector_floor(self) -> float:
        """Unknown for other models, so 0."""
        return 0.0

    def state(self) -> LocalModelState:
        """What the model's file and process do now; starts nothing."""
        settings, running, download = self._settings, self._runner.state, self._download
        error = running.error
        try:
            path = settings.present()
        except EngineError as problem:
            path, error = None, problem.message
        phase: LocalPhase = running.phase
        if path is None:
            phase = "failed" if error else "missing" if download is None else "downloading"
        return LocalModelState(
            settings.model,
            phase,
            None if path is None else str(path),
            str(settings.cache.folder),
            running.pid,
            running.binding,
            running.dimensions,
            running.window,
            error,
            0 if download is None else download.done_bytes,
            None if download is None else download.total_bytes,
        )

    def embed_documents(self, texts: Sequence[str], cancelled: Cancelled) -> EmbeddedBatch:
        """Embed texts of any length, downloading the model first where it is to be had.

        A process that dies is started again, and its texts go one by one, so that the one
        that it dies of is found and refused. Raises ProviderError, PathError, CancelledError.
        """
        call = LocalCall(texts)
        model = self._here(cancelled, download=True)

        def embed(part: Sequence[str]) -> Embedded:
            return self._runner.embed(model, part, self._settings.index_seconds, cancelled)

        try:
            for group in call.groups():
                call.embed_group(group, embed)
        except (ProviderError, CancelledError) as error:
            if not call.vectors:
                raise
            return call.batch(error)
        return call.batch(None)

    def embed_query(self, text: str) -> Vector | None:
        """Embed a query; None when it is empty. Downloads nothing. Raises ProviderError."""
        if not clean(text).strip():
            return None
        model = self._here(never, download=False)
        seconds = self._settings.query_seconds
        answer = self._runner.embed(model, [text], seconds, never, urgent=True)
        return usable(answer.vectors[0])

    def cached_query(self, text: str) -> Vector | None:
        """The same as ``embed_query``, but None while the model is not on this machine."""
        if self._settings.present() is None:
            return None
        return self.embed_query(text)

    def close(self) -> None:
        """End the model's process."""
        self._runner.close()

    def _here(self, cancelled: Cancelled, *, download: bool) -> Path:
        model = self._settings.present()
        if model is not None:
            return model
        if self._settings.address is None:
            raise ProviderError(
                "Model file missing",
                f"{self._settings.model} is no longer where it was.",
                "Put it back, or correct local.modelPath.",
            )
        if not download:
            raise ProviderError(
                "Model not downloaded", f"{self._settings.model} is not on this machine yet.", PULL
            )
        try:
            return self._fetch(self._heard, cancelled)
        finally:
            self._download = None

    def _heard(self, event: EngineEvent) -> None:
        if isinstance(event, ModelDownload):
            self._download = event
        self._emit(event)


def create_local_provider(settings: LocalSettings, parts: LocalParts) -> LocalProvider:
    """The provider of a model; starts and downloads nothing yet.

    The first indexing downloads the model if need be, and tells ``emit`` how far it is.
    """

    def fetch(tell: EventSink, cancelled: Cancelled) -> Path:
        from engine.local_models.fetch import fetching

        assert settings.address is not None
        with fetching(settings.cache, parts.environ, parts.clock, parts.sleeper) as fetcher:
            return fetcher.fetch(settings.address, tell, cancelled)

    runner = ModelRunner(settings.context, parts.environ, parts.clock)
    return LocalProvider(settings, runner, fetch, parts.emit)
