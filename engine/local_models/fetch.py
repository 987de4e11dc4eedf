"""From a model's address to its file on disk, downloading what is missing."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import SystemRandom

from engine.clock import Clock
from engine.errors import CancelledError
from engine.events import ModelDownload
from engine.local_models import download_errors
from engine.local_models.address import HubFile, HubRepo, ModelAddress, WebFile
from engine.local_models.cache import ModelCache
from engine.local_models.cache_names import hub_repo_name
from engine.local_models.download import FileDownload
from engine.local_models.download_lock import downloading_alone
from engine.local_models.download_parts import LIMITS, DownloadParts
from engine.local_models.hub import file_of_manifest, hub_of
from engine.local_models.partial import PartialFile, lock_path
from engine.local_models.progress import OnProgress, ProgressMeter
from engine.local_models.quantisation import quantisation_of
from engine.local_models.split_files import split_names, split_suffix
from engine.net.messages import Cancelled, HttpRequest, HttpResponse
from engine.net.pauses import EventSleeper, Sleeper
from engine.net.transport import HttpxTransport

_MANIFEST_BYTES = 1 << 20
_WAIT_S = 0.2


def free_space(folder: Path) -> int:
    """Bytes that this process may still write below a folder."""
    return shutil.disk_usage(folder).free


@contextmanager
def fetching(
    cache: ModelCache, environ: Mapping[str, str], clock: Clock, sleeper: Sleeper | None = None
) -> Iterator[ModelFetcher]:
    """A fetcher with connections of its own. Raises ProviderError for a wrong HF_ENDPOINT."""
    hub = hub_of(environ)
    transport = HttpxTransport(environ, clock)
    sleeper = sleeper or EventSleeper(clock)
    random = SystemRandom().random
    try:
        parts = DownloadParts(transport, hub, clock, sleeper, random, free_space)
        yield ModelFetcher(cache, parts)
    finally:
        transport.close()


class ModelFetcher:
    """Downloads models into one cache; thread-safe, and safe beside other processes."""

    def __init__(self, cache: ModelCache, parts: DownloadParts) -> None:
        self._cache = cache
        self._parts = parts

    def fetch(self, address: ModelAddress, tell: OnProgress, cancelled: Cancelled) -> Path:
        """The model's (first) file, downloaded unless it is here.

        Raises ProviderError, PathError and CancelledError; what came until then is kept
        and continued by the next call, of this process or another one.
        """
        found = self._cache.find(address)
        if found is not None:
            return found
        if self._parts.hub.offline and not isinstance(address, WebFile):
            raise download_errors.offline(address.name)
        try:
            self._cache.folder.mkdir(parents=True, exist_ok=True)
            return self._all(self._files(address, cancelled), address.name, tell, cancelled)
        except OSError as error:
            raise download_errors.unwritable(error, self._cache.folder) from error

    def _files(
        self, address: ModelAddress, cancelled: Cancelled
    ) -> list[tuple[HubFile | WebFile, Path]]:
        """All files of a model with their places."""
        if isinstance(address, WebFile):
            return [(address, self._cache.target(address))]
        file, target = self._named(address, cancelled)
        folder, slash, name = file.path.rpartition("/")
        parts = split_names(name)
        targets = split_names(target.name)
        return [
            (replace(file, path=f"{folder}{slash}{part}"), target.with_name(place))
            for part, place in zip(parts, targets, strict=True)
        ]

    def _named(self, address: HubFile | HubRepo, cancelled: Cancelled) -> tuple[HubFile, Path]:
        if isinstance(address, HubFile):
            return address, self._cache.target(address)
        file = file_of_manifest(address, self._manifest(address, cancelled))
        name = file.path.rpartition("/")[2]
        tag = address.tag.upper() or quantisation_of(name)
        whole = hub_repo_name(address, tag)
        return file, self._cache.folder / f"{whole[:-5]}{split_suffix(name)}{whole[-5:]}"

    def _manifest(self, address: HubRepo, cancelled: Cancelled) -> object:
        """The hub's answer to "which file"; it names one only to llama.cpp's own user agent."""
        hub, url = self._parts.hub, self._parts.hub.manifest_url(address)
        headers = {"user-agent": "llama-cpp", **hub.authorization(url)}
        request = HttpRequest(url, headers, method="GET")
        with self._parts.transport.stream(request, LIMITS, cancelled) as answer:
            body = answer.beginning(_MANIFEST_BYTES)
            response = HttpResponse(answer.status, answer.headers, body)
        if not response.ok:
            raise download_errors.refused(response, url, address.name, hub)
        try:
            return json.loads(body)
        except ValueError:
            return None

    def _all(
        self,
        files: list[tuple[HubFile | WebFile, Path]],
        name: str,
        tell: OnProgress,
        cancelled: Cancelled,
    ) -> Path:
        label = name.rpartition("/")[2] or name
        last: ModelDownload | None = None

        def remember(event: ModelDownload) -> None:
            nonlocal last
            last = event
            tell(event)

        for place, (file, target) in enumerate(files, start=1):
            shown = label if len(files) == 1 else f"{label} ({place} of {len(files)})"
            meter = ProgressMeter(shown, self._parts.clock, remember)
            self._one(file, target, meter, cancelled)
        if last is not None:
            size = files[-1][1].stat().st_size
            tell(ModelDownload(last.name, size, size, stage="done"))
        return files[0][1]

    def _one(
        self, file: HubFile | WebFile, target: Path, meter: ProgressMeter, cancelled: Cancelled
    ) -> None:
        if target.is_file():
            return
        with downloading_alone(lock_path(target), self._waiting(target, meter, cancelled)):
            if target.is_file():  # by whoever held the lock before
                return
            partial = PartialFile(target)
            partial.begin(file.name)
            url = self._parts.hub.url(file)
            FileDownload(self._parts, url, partial, meter, cancelled).run()

    def _waiting(
        self, target: Path, meter: ProgressMeter, cancelled: Cancelled
    ) -> Callable[[], None]:
        """What is done while another process downloads the file: its progress is shown."""

        def wait() -> None:
            if cancelled():
                raise CancelledError("The download")
            partial = PartialFile(target)
            meter.at(partial.size, partial.record.total, "waiting")
            self._parts.sleeper.sleep(_WAIT_S, cancelled)

        return wait
