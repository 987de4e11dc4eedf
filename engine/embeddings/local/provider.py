"""The ``local`` provider: a GGUF model in a process of its own, behind the provider contract."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine.clock import Clock
from engine.embeddings.contract import EmbeddedBatch, ProviderIdentity, ProviderLimits, Refusal
from engine.embeddings.local.settings import PULL, LocalSettings
from engine.errors import CancelledError, EngineError, ProviderError
from engine.events import EngineEvent, EventSink, ModelDownload
from engine.local_models.model_runner import ModelRunner
from engine.local_models.worker_lines import clean
from engine.local_models.worker_process import WorkerLostError
from engine.net.messages import never
from engine.net.pauses import Sleeper
from engine.status import LocalModelState, LocalPhase

if TYPE_CHECKING:
    from pathlib import Path

    from engine.embeddings.contract import Cancelled, Vector
    from engine.local_models.worker_lines import Embedded

LIMITS = ProviderLimits(inputs_per_request=8, bytes_per_request=1 << 20, bytes_per_input=1 << 24)
"""Small requests: progress is told, and a waiting query let in, between two of them."""
EMPTY = "the text is empty"
_MOST_DEATHS = 3

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
        call = _Call(texts)
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
        return _usable(answer.vectors[0])

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


@dataclass(slots=True)
class _Call:
    """One call of ``embed_documents`` and what is known of each text so far."""

    texts: Sequence[str]
    vectors: dict[int, Vector] = field(default_factory=dict)
    reasons: dict[int, str] = field(default_factory=dict)
    tokens: int = 0
    requests: int = 0
    deaths: int = 0
    suspects: set[int] = field(default_factory=set)
    """Texts that the process died of, while it lived for others."""

    def groups(self) -> Iterator[list[int]]:
        """The places of texts that go together; empty texts are refused."""
        group: list[int] = []
        size = 0
        for place, text in enumerate(self.texts):
            if not clean(text).strip():
                self.reasons[place] = EMPTY
                continue
            length = len(text)
            full = len(group) == LIMITS.inputs_per_request
            if group and (full or size + length > LIMITS.bytes_per_request):
                yield group
                group, size = [], 0
            group.append(place)
            size += length
        if group:
            yield group

    def embed_group(self, group: list[int], embed: Callable[[Sequence[str]], Embedded]) -> None:
        """One request; after a death of the process one request a text."""
        self.requests += 1
        try:
            answer = embed([self.texts[place] for place in group])
        except WorkerLostError as error:
            self._after_death(group, embed, error)
            return
        self.tokens += answer.tokens
        self._keep(group, answer.vectors, answer.reasons)

    def batch(self, ended_by: ProviderError | CancelledError | None) -> EmbeddedBatch:
        """Everything in the order of the texts."""
        vectors = tuple(self.vectors.get(place) for place in range(len(self.texts)))
        refusals = tuple(Refusal(place, self.reasons[place]) for place in sorted(self.reasons))
        return EmbeddedBatch(vectors, refusals, self.tokens, self.requests, ended_by)

    def _after_death(
        self,
        group: list[int],
        embed: Callable[[Sequence[str]], Embedded],
        error: WorkerLostError,
    ) -> None:
        self.deaths += 1
        if self.deaths > _MOST_DEATHS:  # then it is not the texts
            for place in self.suspects:
                del self.reasons[place]
            raise error
        if len(group) > 1:
            for place in group:
                self.embed_group([place], embed)
        elif self.deaths == 1:
            self.embed_group(group, embed)
        else:
            self.suspects.add(group[0])
            self.reasons[group[0]] = error.message

    def _keep(
        self,
        group: list[int],
        vectors: Sequence[Vector | None],
        reasons: Mapping[int, str],
    ) -> None:
        for at, (place, vector) in enumerate(zip(group, vectors, strict=True)):
            usable = _usable(vector)
            if usable is not None:
                self.vectors[place] = usable
            else:
                self.reasons[place] = reasons.get(at, "the local model gives no usable vector")


def _usable(vector: Vector | None) -> Vector | None:
    import numpy as np

    if vector is None or not np.isfinite(vector).all() or not vector.any():
        return None
    return vector


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
