"""Which model the ``local`` provider runs, and where its file lies or will lie."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from engine.errors import EngineError
from engine.local_models.address import (
    DEFAULT_MODEL,
    EARLIER_DEFAULT,
    ModelAddress,
    parse_address,
)
from engine.local_models.bindings.binding import INSTALL, QUICK_INSTALL, installed_binding
from engine.local_models.cache import ModelCache, default_folder

LOCAL_ID = "local"
INDEX_SECONDS = 600.0
QUERY_SECONDS = 300.0
RULES = 1
"""Counts up whenever windows, sums or cleaning change any vector."""
_SAMPLES = 64
_SAMPLE_BYTES = 4096
PULL = "'memlens model pull' downloads it, and so does 'memlens index'."


@dataclass(frozen=True, slots=True)
class LocalRequest:
    """What a configuration says: ``memorySearch.local`` and the limit of an indexing request.

    ``context`` is in tokens, None for the model's own (``contextSize: "auto"``). A relative
    path counts from the workspace, then from the model folder, as the agent's library does.
    """

    model_path: str = ""
    cache_dir: str = ""
    context: int | None = 4096
    workspace: Path = Path()
    home: Path | None = None
    index_seconds: float | None = None


@dataclass(frozen=True, slots=True)
class LocalSettings:
    """A model that can be run, or downloaded and then run.

    Exactly one of ``address`` and ``file`` is set. ``model`` is what people read and
    ``endpoint`` what tells its vectors from those of another file.
    """

    model: str
    endpoint: str
    cache: ModelCache
    context: int | None
    address: ModelAddress | None = None
    file: Path | None = None
    index_seconds: float = INDEX_SECONDS
    query_seconds: float = QUERY_SECONDS
    provider: str = LOCAL_ID
    remote: bool = False
    key_source: str | None = None

    def present(self) -> Path | None:
        """The file, if it is here now. Raises PathError for an unreadable model folder."""
        if self.address is not None:
            return self.cache.find(self.address)
        return self.file if self.file is not None and self.file.is_file() else None

    @property
    def note(self) -> str:
        """Nothing that would not change: the status tells whether the model is here."""
        return ""


@dataclass(frozen=True, slots=True)
class LocalProblem:
    """Why the provider cannot be used as configured, and what would mend it."""

    reason: str
    hint: str


def local_settings(request: LocalRequest) -> LocalSettings | LocalProblem:
    """The model that a configuration means; downloads nothing, loads nothing, never raises."""
    if installed_binding() is None:
        reason = f"no library that runs GGUF models is installed ({QUICK_INSTALL})"
        return LocalProblem(reason, INSTALL)
    folder = model_folder(request.cache_dir, request.home)
    if folder is None:
        return LocalProblem(
            "there is no home folder to keep models in", "Set local.modelCacheDir to a folder."
        )
    cache = ModelCache(folder)
    try:
        address = parse_address(request.model_path or default_model(cache))
        if address is not None:
            return _settings(request, cache, address.name, "address", address=address)
        file = model_file(request.model_path, request.workspace, request.home, folder)
        if file is None:
            return LocalProblem(
                "local.modelPath names no existing file",
                "Correct local.modelPath, or remove it for the default model.",
            )
        return _settings(request, cache, file.name, _fingerprint(file), file=file)
    except EngineError as error:
        return LocalProblem(error.message.rstrip("."), error.hint)
    except OSError as error:
        return LocalProblem(
            f"the model file cannot be read ({error.strerror})", "Check its permissions."
        )


def default_model(cache: ModelCache) -> str:
    """The agent's default; its earlier one where that is the one that is already here."""
    earlier = parse_address(EARLIER_DEFAULT)
    default = parse_address(DEFAULT_MODEL)
    assert earlier is not None and default is not None
    if cache.find(default) is None and cache.find(earlier) is not None:
        return EARLIER_DEFAULT
    return DEFAULT_MODEL


def model_folder(cache_dir: str, home: Path | None) -> Path | None:
    """``local.modelCacheDir``, else the folder of the agent's own library."""
    if cache_dir:
        return _expanded(cache_dir, home)
    return default_folder(home) if home is not None else None


def _settings(
    request: LocalRequest,
    cache: ModelCache,
    model: str,
    fingerprint: str,
    *,
    address: ModelAddress | None = None,
    file: Path | None = None,
) -> LocalSettings:
    window = "auto" if request.context is None else str(request.context)
    return LocalSettings(
        model,
        f"{fingerprint};window:{window};rules:{RULES}",
        cache,
        request.context,
        address,
        file,
        request.index_seconds or INDEX_SECONDS,
    )


def model_file(path: str, workspace: Path, home: Path | None, folder: Path) -> Path | None:
    """The file that a path names: from the workspace, else from the model folder."""
    expanded = _expanded(path, home)
    for place in (workspace / expanded, folder / expanded):
        try:
            if place.is_file():
                return place
        except ValueError:  # a NUL in the path
            return None
    return None


def _expanded(path: str, home: Path | None) -> Path:
    if path.startswith("~/") and home is not None:
        return home / path[2:]
    return Path(path)


def _fingerprint(file: Path) -> str:
    """Size and SHA-256 of 64 stretches spread over the file: other weights differ in them.

    Hashing all of it would take a second of every start.
    """
    size = file.stat().st_size
    sums = sha256(str(size).encode())
    last = max(size - _SAMPLE_BYTES, 0)
    with file.open("rb") as stream:
        for number in range(_SAMPLES):
            stream.seek(last * number // (_SAMPLES - 1))
            sums.update(stream.read(_SAMPLE_BYTES))
    return f"sample:{sums.hexdigest()[:16]}"
