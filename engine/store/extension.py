"""sqlite-vec: where it lies, and loading it into a connection."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from pathlib import Path

import apsw


@dataclass(frozen=True, slots=True)
class Extension:
    """The outcome of finding and trying sqlite-vec once: a path that loads, or why not."""

    path: str | None
    version: str | None
    error: str | None

    @property
    def loaded(self) -> bool:
        """True when connections have the vec0 tables."""
        return self.error is None

    def load_into(self, connection: apsw.Connection) -> None:
        """Give a connection the vec0 tables; nothing when there is no extension."""
        if self.loaded and self.path is not None:
            _load(connection, self.path)


def probe(enabled: bool, configured: str | None) -> Extension:
    """Try the configured library, else the packaged one, on a connection of its own.

    A configured path that does not load is not replaced by the packaged library:
    the person is told instead.
    """
    if not enabled:
        return Extension(configured, None, "switched off by the setting store.vector.enabled")
    path = configured or packaged()
    if path is None:
        return Extension(None, None, "the Python package sqlite-vec is not installed")
    connection = apsw.Connection(":memory:")
    try:
        _load(connection, path)
        version = str(connection.execute("select vec_version()").get)
    except (apsw.Error, AttributeError) as error:
        return Extension(path, None, f"{path} could not be loaded: {error}")
    finally:
        connection.close()
    return Extension(path, version, None)


def packaged() -> str | None:
    """The library inside the sqlite-vec package, without its suffix; None if not installed."""
    spec = importlib.util.find_spec("sqlite_vec")
    if spec is None or spec.origin is None:
        return None
    return str(Path(spec.origin).parent / "vec0")


def _load(connection: apsw.Connection, path: str) -> None:
    connection.enable_load_extension(True)
    try:
        connection.load_extension(path)
    finally:
        connection.enable_load_extension(False)
