"""Laying the bundled workspace out on disk, where a person may edit it."""

from __future__ import annotations

import os
import shutil
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from engine import __version__
from engine.errors import StoreError

COMPLETE = ".complete"


def demo_folder(data_dir: Path) -> Path:
    """The demo's folder for this version of memlens; it holds ``workspace`` and the index."""
    return data_dir / "demo" / __version__


def install_demo(data_dir: Path, *, reset: bool = False) -> Path:
    """Make sure that the demo workspace exists and return its path.

    A person's edits stay until ``reset``, which starts afresh (index included).
    An interrupted copy is begun again. Raises StoreError when it cannot be written.
    """
    folder = demo_folder(data_dir)
    try:
        if reset and folder.exists():
            shutil.rmtree(folder)
        if not (folder / COMPLETE).exists():
            _lay_out(folder)
    except OSError as error:
        raise StoreError(
            "The demo cannot be laid out",
            f"{error.strerror or error} ({folder})",
            "Check that the folder can be written, or set XDG_DATA_HOME to another place.",
        ) from error
    return folder / "workspace"


def _lay_out(folder: Path) -> None:
    workspace = folder / "workspace"
    beside = folder / f"workspace.{os.getpid()}"
    shutil.rmtree(beside, ignore_errors=True)
    _copy(resources.files("engine.demo") / "workspace", beside)
    shutil.rmtree(workspace, ignore_errors=True)
    beside.replace(workspace)
    (folder / COMPLETE).touch()


def _copy(source: Traversable, target: Path) -> None:
    target.mkdir(parents=True)
    for entry in source.iterdir():
        if entry.is_dir():
            _copy(entry, target / entry.name)
        else:
            (target / entry.name).write_bytes(entry.read_bytes())
