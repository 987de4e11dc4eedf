"""The folder of downloaded models: finding, listing, removing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from engine.errors import PathError
from engine.local_models.address import HubFile, HubRepo, ModelAddress, WebFile
from engine.local_models.cache_names import GGUF, hub_file_name, hub_repo_names, web_file_names
from engine.local_models.gguf import GgufError, read_gguf_head
from engine.local_models.partial import PART, PartialFile, companions
from engine.local_models.split_files import is_later_part, split_names, without_split

ModelState = Literal["ready", "partial", "unreadable"]


def default_folder(home: Path) -> Path:
    """Where the agent's own library keeps its models."""
    return home / ".node-llama-cpp" / "models"


@dataclass(frozen=True, slots=True)
class CachedModel:
    """A model in the folder; ``bytes`` counts all its parts, ``total_bytes`` what they will be.

    ``problem`` says why it is unreadable; what the file does not tell is None.
    """

    name: str
    path: Path
    bytes: int
    state: ModelState
    total_bytes: int | None = None
    architecture: str | None = None
    dimensions: int | None = None
    context_length: int | None = None
    problem: str | None = None


class ModelCache:
    """One folder; nothing in it is ever removed but by ``remove``."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def find(self, address: ModelAddress) -> Path | None:
        """The (first) file of a model that is here with all its parts."""
        for name in self._candidates(address):
            paths = [self.folder / part for part in split_names(name)]
            if all(_is_file(path) for path in paths):
                return paths[0]
        return None

    def target(self, address: HubFile | WebFile) -> Path:
        """Where a download of this address goes."""
        if isinstance(address, HubFile):
            return self.folder / hub_file_name(address)
        return self.folder / web_file_names(address)[0]

    def models(self) -> list[CachedModel]:
        """Everything in the folder, by name. Raises PathError when it cannot be listed."""
        return sorted(self._models(), key=lambda model: model.name)

    def remove(self, name: str) -> int:
        """Delete a model with all parts and what is left of its download; bytes freed.

        Raises PathError for a name that is not in the folder, or that cannot be deleted.
        """
        if Path(name).name != name or not name.lower().endswith(GGUF):
            raise self._unknown(name)
        files = [self.folder / part for part in split_names(name)]
        doomed = [path for file in files for path in (file, *companions(file)) if _exists(path)]
        if not any(path.name.endswith((GGUF, PART)) for path in doomed):
            raise self._unknown(name)
        freed = 0
        for path in doomed:
            try:
                freed += path.lstat().st_size
                path.unlink()
            except OSError as error:
                raise PathError(
                    "Model cannot be removed",
                    f"{path} could not be deleted: {error.strerror}.",
                    "Check the permissions of the folder.",
                ) from error
        return freed

    def _candidates(self, address: ModelAddress) -> Iterator[str]:
        if isinstance(address, HubFile):
            yield hub_file_name(address)
        elif isinstance(address, WebFile):
            yield from web_file_names(address)
        else:
            yield from self._of_repository(address)

    def _of_repository(self, address: HubRepo) -> Iterator[str]:
        """A repository's file under its usual names; without a tag any one that is alone."""
        here = [name for name in self._names() if not is_later_part(name)]
        names = hub_repo_names(address)
        yield from (name for wanted in names for name in here if without_split(name) == wanted)
        if not address.tag:
            stem = names[-1].removesuffix(GGUF)
            others = [name for name in here if name.startswith(f"{stem}.")]
            yield from others if len(others) == 1 else ()

    def _names(self) -> list[str]:
        try:
            return sorted(path.name for path in self.folder.iterdir() if _is_file(path))
        except FileNotFoundError:
            return []
        except OSError as error:
            raise PathError(
                "Model folder cannot be read",
                f"{self.folder} could not be listed: {error.strerror}.",
                "Check its permissions, or name another one in local.modelCacheDir.",
            ) from error

    def _models(self) -> Iterator[CachedModel]:
        names = self._names()
        whole = {name for name in names if name.lower().endswith(GGUF)}
        begun = {name.removesuffix(PART) for name in names if name.endswith(PART)}
        firsts = {split_names(name)[0] for name in whole | begun}
        for first in firsts:
            parts = [self.folder / name for name in split_names(first)]
            if all(part.name in whole for part in parts):
                yield _whole(parts)
            else:
                yield _unfinished(parts)

    def _unknown(self, name: str) -> PathError:
        return PathError(
            "No such model",
            f"There is no model {name!r} in {self.folder}.",
            "'memlens model list' shows the names.",
        )


def _whole(parts: list[Path]) -> CachedModel:
    name, path = parts[0].name, parts[0]
    size = sum(_size(part) for part in parts)
    try:
        head = read_gguf_head(path)
        for part in parts[1:]:
            read_gguf_head(part)
    except GgufError as error:
        return CachedModel(name, path, size, "unreadable", problem=f"it {error}")
    except OSError as error:
        return CachedModel(name, path, size, "unreadable", problem=f"it {_why(error)}")
    return CachedModel(
        name,
        path,
        size,
        "ready",
        size,
        head.architecture or None,
        head.dimensions,
        head.context_length,
    )


def _unfinished(parts: list[Path]) -> CachedModel:
    done, total = 0, 0
    known = True
    for part in parts:
        if _is_file(part):
            size = _size(part)
            done, total = done + size, total + size
            continue
        partial = PartialFile(part)
        done += partial.size
        known = known and partial.record.total is not None
        total += partial.record.total or 0
    return CachedModel(parts[0].name, parts[0], done, "partial", total if known else None)


def _why(error: OSError) -> str:
    return f"cannot be read ({error.strerror})"


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False


def _exists(path: Path) -> bool:
    return path.is_symlink() or _is_file(path)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
