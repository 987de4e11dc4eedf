"""``memlens model``: download, list and remove the files of local models."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from engine.cli.model_progress import DownloadLine, megabytes
from engine.cli.output import EXIT_DONE, plain, print_json, print_lines, say
from engine.errors import ConfigError, PathError, ProviderError

if TYPE_CHECKING:
    from engine.cli.session import Session
    from engine.local_models.address import ModelAddress
    from engine.local_models.cache import CachedModel, ModelCache

EXIT_INTERRUPTED = 130


@click.group()
def model() -> None:
    """Local models: GGUF files for the provider "local"."""


@model.command()
@click.argument("uri", required=False)
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@click.pass_obj
def pull(session: Session, uri: str | None, as_json: bool) -> int:
    """Download a model: URI, else the configured one, else the default.

    URI is hf:org/repo/file.gguf, hf:org/repo:QUANT or https://host/file.gguf. A download
    that was stopped goes on where it was.
    """
    from engine.local_models.fetch import fetching
    from engine.net.messages import never

    place = _place(session)
    address = _address(uri) if uri else place.address
    if address is None:
        return _own_file(place, as_json)
    before = place.cache.find(address)
    line = DownloadLine()
    around = session.around
    try:
        with fetching(place.cache, around.environ, around.clock, around.sleeper) as fetcher:
            path = fetcher.fetch(address, line, never)
    except KeyboardInterrupt:
        line.end()
        say("Stopped. What came so far is kept; the next pull goes on from there.")
        return EXIT_INTERRUPTED
    finally:
        line.end()
    return _pulled(address.name, path, as_json, downloaded=before is None)


@model.command(name="list")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@click.pass_obj
def list_models(session: Session, as_json: bool) -> int:
    """List the models in the folder that the agent's own library uses as well."""
    place = _place(session)
    models = place.cache.models()
    if as_json:
        documents = [{**plain(each), "inUse": place.uses(each.path)} for each in models]
        print_json({"folder": str(place.cache.folder), "models": documents})
        return EXIT_DONE
    print_lines(_row(each, used=place.uses(each.path)) for each in models)
    if not models:
        say(f"No models in {place.cache.folder}.")
    return EXIT_DONE


@model.command()
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@click.pass_obj
def remove(session: Session, name: str, as_json: bool) -> int:
    """Delete a model, or what is left of its download. NAME is from the list, or a URI."""
    cache = _place(session).cache
    file = _listed_name(cache, name)
    freed = cache.remove(file)
    if as_json:
        print_json({"name": file, "freedBytes": freed})
    else:
        print_lines([f"{file} removed, {megabytes(freed)} freed"])
    return EXIT_DONE


@dataclass(frozen=True, slots=True)
class _Place:
    """The model folder, and the model that the configuration names in one way or the other."""

    cache: ModelCache
    address: ModelAddress | None
    file: Path | None

    def uses(self, path: Path) -> bool:
        """Whether the configuration means this file."""
        wanted = self.cache.find(self.address) if self.address is not None else self.file
        return wanted is not None and wanted == path


def _place(session: Session) -> _Place:
    from engine.embeddings.local.settings import default_model, model_file, model_folder
    from engine.local_models.address import parse_address
    from engine.local_models.cache import ModelCache

    with session.engine() as engine:
        local, workspace = engine.config.memory_search.local, engine.config.workspace
    home = session.around.places.home
    folder = model_folder(local.model_cache_dir or "", home)
    assert folder is not None  # there is a home
    cache = ModelCache(folder)
    path = (local.model_path or "").strip()
    address = parse_address(path or default_model(cache))
    file = model_file(path, workspace, home, folder) if address is None else None
    return _Place(cache, address, file)


def _address(uri: str) -> ModelAddress:
    from engine.local_models.address import parse_address

    try:
        address = parse_address(uri)
    except ProviderError as error:
        raise click.UsageError(f"{error.message} {error.hint}") from error
    if address is None:
        raise click.UsageError(f"{uri!r} is no address; write hf:org/repo/file.gguf or a URL.")
    return address


def _own_file(place: _Place, as_json: bool) -> int:
    """The configuration names a file of the person's own: there is nothing to download."""
    if place.file is None:
        raise ConfigError(
            "Model file missing",
            "local.modelPath names a file that does not exist.",
            "Correct local.modelPath, or name what to download: memlens model pull URI.",
        )
    return _pulled(place.file.name, place.file, as_json, downloaded=False)


def _pulled(name: str, path: Path, as_json: bool, *, downloaded: bool) -> int:
    size = path.stat().st_size
    if as_json:
        print_json({"model": name, "path": str(path), "bytes": size, "downloaded": downloaded})
    else:
        how = "downloaded" if downloaded else "is here already"
        print_lines([f"{name} {how}: {path}"])
    return EXIT_DONE


def _row(each: CachedModel, *, used: bool) -> str:
    if each.state == "partial":
        size = megabytes(each.bytes)
        if each.total_bytes is not None:
            size += f" of {megabytes(each.total_bytes)}"
        return f"{each.name}  {size}, download not complete"
    if each.state == "unreadable":
        return f"{each.name}  {megabytes(each.bytes)}, not usable: {each.problem}"
    parts = [megabytes(each.bytes), each.architecture or "unknown architecture"]
    if each.dimensions is not None:
        parts.append(f"{each.dimensions} dimensions")
    if each.context_length is not None:
        parts.append(f"{each.context_length} tokens")
    return f"{each.name}  {', '.join(parts)}" + ("  (in use)" if used else "")


def _listed_name(cache: ModelCache, name: str) -> str:
    """A name in the folder; an address means the name that its file has there."""
    from engine.local_models.address import HubRepo, parse_address

    try:
        address = parse_address(name)
    except ProviderError:
        address = None
    if address is None:
        return name
    found = cache.find(address)
    if found is not None:
        return found.name
    if isinstance(address, HubRepo):
        raise PathError("No such model", f"{name} is not in {cache.folder}.", "See the list.")
    return cache.target(address).name
